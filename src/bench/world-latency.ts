/**
 * Measures how long one operation of an episode takes for its caller, with one worker thread and one operation at a
 * time.
 *
 * A call of an API from the agent's code is measured inside a cell that makes many calls. The time of an empty cell is
 * subtracted.
 */
import { assert, BowlineError, loadModule, Rng } from "../core/index.ts";
import type { Episode, World } from "../spec/index.ts";
import type { WorldDefinition } from "../world/index.ts";
import { computeQuantiles, elapsedMs, measureQuantiles, type Quantiles } from "./quantiles.ts";

export interface MeasurementEffort {
  readonly rounds: number;
  /** The number of measurements per round. */
  readonly samples: number;
  /** The number of calls in a cell. The sandbox allows 500. */
  readonly callsPerCell: number;
}

export interface Latencies {
  /** The time to open a task for the first time, which samples its scenario and computes its goal. */
  readonly coldOpenMs: Quantiles;
  /** The time to open a task whose start state is ready. */
  readonly openMs: Quantiles;
  readonly forkMs: Quantiles;
  readonly stepMs: Quantiles;
  readonly evaluateMs: Quantiles;
  /** The time to read one page, over all lists of the world that need no argument. */
  readonly callUs: Quantiles;
  /** The time of `me.profile()`, which is mostly the cost of crossing the sandbox boundary. */
  readonly emptyCallUs: Quantiles;
}

/** A task and the code cells of its solution. */
export interface SolutionProgram {
  readonly taskId: string;
  readonly cells: readonly string[];
}

export async function measureLatencies(
  world: World,
  programs: readonly SolutionProgram[],
  reads: readonly string[],
  effort: MeasurementEffort,
): Promise<Latencies> {
  const coldOpenMs = await measureColdOpen(world, programs);
  const programAt = (index: number) => programs[index % programs.length]!;
  const openTask = (index: number) => world.open(programAt(index).taskId);
  const { rounds, samples } = effort;
  const measureOperation = (
    prepare: typeof openTask,
    use: (episode: Episode, i: number) => Promise<unknown>,
  ) =>
    measureQuantiles(rounds, samples, async (index) => {
      const episode = await prepare(index);
      const ms = await elapsedMs(() => use(episode, index));
      await episode.close();
      return ms;
    });
  return {
    coldOpenMs,
    openMs: await measureOpen(world, programs, effort),
    forkMs: await measureFork(world, programs, reads, effort),
    stepMs: await measureOperation(
      async (index) => logIn(await openTask(index)),
      (episode, i) => runCell(episode, reads[i % reads.length]!),
    ),
    evaluateMs: await measureOperation(
      async (index) => runSolution(await openTask(index), programAt(index)),
      (episode) => episode.evaluate(),
    ),
    callUs: await measureCalls(world, programs, reads, effort),
    emptyCallUs: await measureCalls(world, programs, ["apis.me.profile()"], effort),
  };
}

/** Measures the time to open tasks that were opened before. */
export function measureOpen(
  world: World,
  programs: readonly SolutionProgram[],
  { rounds, samples }: MeasurementEffort,
): Promise<Quantiles> {
  return measureQuantiles(rounds, samples, async (index) => {
    const start = performance.now();
    const episode = await world.open(programs[index % programs.length]!.taskId);
    const ms = performance.now() - start;
    await episode.close();
    return ms;
  });
}

/**
 * Measures the time to open each task once. Two of the three tasks of a scenario find it already sampled, as in a run.
 */
export async function measureColdOpen(
  world: World,
  programs: readonly SolutionProgram[],
): Promise<Quantiles> {
  const times: number[] = [];
  for (const { taskId } of programs) {
    const start = performance.now();
    const episode = await world.open(taskId);
    times.push(performance.now() - start);
    await episode.close();
  }
  return computeQuantiles(times);
}

const LOG_IN =
  "if (apis.me.listAccounts) for (const { app, password } of apis.me.listAccounts().items) apis[app].login({ password })";

/** Runs the first cell, which creates the REPL and logs in to every app. */
async function logIn(episode: Episode): Promise<Episode> {
  await runCell(episode, LOG_IN);
  return episode;
}

async function runSolution(episode: Episode, { cells }: SolutionProgram): Promise<Episode> {
  for (const cell of cells) await episode.step(cell);
  return episode;
}

const LETTERS = 100_000;
const CHECK_CELL =
  "print(text.length, text.slice(-3), rows[99].name, (total += 1), typeof apis.me.profile)";
const EXPECTED_OUTPUT = `${LETTERS} 789 row 99 4951 function\n`;

/**
 * Measures the time of a fork after four cells with 100 KB of data, and checks that both episodes still hold all of it.
 */
export async function measureFork(
  world: World,
  programs: readonly SolutionProgram[],
  reads: readonly string[],
  { rounds, samples }: MeasurementEffort,
): Promise<Quantiles> {
  return measureQuantiles(rounds, samples, async (index) => {
    const episode = await logIn(await world.open(programs[index % programs.length]!.taskId));
    await runCell(episode, `let text = "0123456789".repeat(${LETTERS / 10})`);
    await runCell(
      episode,
      'const rows = Array.from({ length: 100 }, (_, i) => ({ i, name: "row " + i }))',
    );
    await runCell(
      episode,
      `let total = rows.reduce((sum, { i }) => sum + i, 0); ${reads[index % reads.length]}`,
    );
    const start = performance.now();
    const fork = await episode.fork();
    const ms = performance.now() - start;
    for (const side of [fork, episode]) {
      const { stdout } = await runCell(side, CHECK_CELL);
      assert(
        stdout === EXPECTED_OUTPUT,
        `expected both episodes to hold the variables after a fork, got ${stdout}`,
      );
      await side.close();
    }
    return ms;
  });
}

/** Measures the microseconds of one call, with `callsPerCell` calls in a cell. */
export async function measureCalls(
  world: World,
  programs: readonly SolutionProgram[],
  calls: readonly string[],
  { rounds, samples, callsPerCell }: MeasurementEffort,
): Promise<Quantiles> {
  const repeatCall = (call: string) => `for (let i = 0; i < ${callsPerCell}; i++) ${call}`;
  return measureQuantiles(rounds, samples, async (index) => {
    const episode = await logIn(await world.open(programs[index % programs.length]!.taskId));
    const idle = await elapsedMs(() => episode.step("0"));
    const ms = await elapsedMs(() => runCell(episode, repeatCall(calls[index % calls.length]!)));
    await episode.close();
    return ((ms - idle) * 1000) / callsPerCell;
  });
}

async function runCell(episode: Episode, code: string) {
  const result = await episode.step(code);
  if (result.status === "ok") return result;
  throw new BowlineError("world", `the benchmark's cell failed: ${code}: ${result.text}`);
}

/**
 * Returns calls of every list of the world that answers without arguments, as code, shuffled so that the apps are
 * mixed. The result is never empty.
 */
export async function listReadCalls(world: World, moduleUrl: string): Promise<string[]> {
  const definition = (await loadModule(moduleUrl))["default"] as WorldDefinition;
  const lists = definition.apps.flatMap((app) =>
    Object.entries(app.apis)
      .filter(([, { params }]) => "page" in params.shape && params.safeParse({}).success)
      .map(([api]) => `apis.${app.name}.${api}({})`),
  );
  const [task] = world.tasks("train", 1);
  assert(task, "the world has a task to train on");
  const episode = await logIn(await world.open(task.id));
  const answering: string[] = [];
  for (const list of lists) if ((await episode.step(list)).status === "ok") answering.push(list);
  await episode.close();
  return answering.length > 0 ? new Rng(1).shuffle(answering) : ["apis.docs.listApps({})"];
}
