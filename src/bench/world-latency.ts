/**
 * How long one operation of an episode takes, as its caller sees it: over one worker thread, one after the other.
 *
 * A call of an API from the agent's code is measured inside a cell that makes many, less what an empty cell takes.
 */
import { assert, BowlineError, loadModule, Rng } from "../core/index.ts";
import type { Episode, World } from "../spec/index.ts";
import type { WorldDefinition } from "../world/index.ts";
import { elapsedMs, measure, type Quantiles, quantiles } from "./quantiles.ts";

export interface Effort {
  readonly rounds: number;
  /** Measurements a round. */
  readonly samples: number;
  /** Calls in a cell; the sandbox allows 500. */
  readonly callsPerCell: number;
}

export interface Latencies {
  /** First open of a task: its scenario is sampled and its goal computed. */
  readonly coldOpenMs: Quantiles;
  /** Open of a task whose start state is ready. */
  readonly openMs: Quantiles;
  readonly forkMs: Quantiles;
  readonly stepMs: Quantiles;
  readonly evaluateMs: Quantiles;
  /** A read of one page, over all lists of the world that need no argument. */
  readonly callUs: Quantiles;
  /** `me.profile()`: the crossing alone. */
  readonly emptyCallUs: Quantiles;
}

/** A task and the cells of its solution. */
export interface Program {
  readonly taskId: string;
  readonly cells: readonly string[];
}

export async function measureLatencies(
  world: World,
  programs: readonly Program[],
  reads: readonly string[],
  effort: Effort,
): Promise<Latencies> {
  const coldOpenMs = await measureColdOpen(world, programs);
  const at = (index: number) => programs[index % programs.length]!;
  const fresh = (index: number) => world.open(at(index).taskId);
  const { rounds, samples } = effort;
  const timed = (prepare: typeof fresh, use: (episode: Episode, i: number) => Promise<unknown>) =>
    measure(rounds, samples, async (index) => {
      const episode = await prepare(index);
      const ms = await elapsedMs(() => use(episode, index));
      await episode.close();
      return ms;
    });
  return {
    coldOpenMs,
    openMs: await measureOpen(world, programs, effort),
    forkMs: await measureFork(world, programs, reads, effort),
    stepMs: await timed(
      async (index) => started(await fresh(index)),
      (episode, i) => run(episode, reads[i % reads.length]!),
    ),
    evaluateMs: await timed(
      async (index) => solved(await fresh(index), at(index)),
      (episode) => episode.evaluate(),
    ),
    callUs: await measureCalls(world, programs, reads, effort),
    emptyCallUs: await measureCalls(world, programs, ["apis.me.profile()"], effort),
  };
}

/** Open of tasks that were opened before. */
export function measureOpen(
  world: World,
  programs: readonly Program[],
  { rounds, samples }: Effort,
): Promise<Quantiles> {
  return measure(rounds, samples, async (index) => {
    const start = performance.now();
    const episode = await world.open(programs[index % programs.length]!.taskId);
    const ms = performance.now() - start;
    await episode.close();
    return ms;
  });
}

/** Each task once. Two of the three tasks of a scenario find it sampled, as they do in a run. */
export async function measureColdOpen(
  world: World,
  programs: readonly Program[],
): Promise<Quantiles> {
  const times: number[] = [];
  for (const { taskId } of programs) {
    const start = performance.now();
    const episode = await world.open(taskId);
    times.push(performance.now() - start);
    await episode.close();
  }
  return quantiles(times);
}

const LOG_IN =
  "if (apis.me.listAccounts) for (const { app, password } of apis.me.listAccounts().items) apis[app].login({ password })";

/** Past its first cell, which makes the REPL; with a session in every app. */
async function started(episode: Episode): Promise<Episode> {
  await run(episode, LOG_IN);
  return episode;
}

async function solved(episode: Episode, { cells }: Program): Promise<Episode> {
  for (const cell of cells) await episode.step(cell);
  return episode;
}

const LETTERS = 100_000;
const PROOF =
  "print(text.length, text.slice(-3), rows[99].name, (total += 1), typeof apis.me.profile)";
const PROVED = `${LETTERS} 789 row 99 4951 function\n`;

/** The cost of a fork after four cells with 100 KB of data; that both sides still hold all of it is looked up. */
export async function measureFork(
  world: World,
  programs: readonly Program[],
  reads: readonly string[],
  { rounds, samples }: Effort,
): Promise<Quantiles> {
  return measure(rounds, samples, async (index) => {
    const episode = await started(await world.open(programs[index % programs.length]!.taskId));
    await run(episode, `let text = "0123456789".repeat(${LETTERS / 10})`);
    await run(
      episode,
      'const rows = Array.from({ length: 100 }, (_, i) => ({ i, name: "row " + i }))',
    );
    await run(
      episode,
      `let total = rows.reduce((sum, { i }) => sum + i, 0); ${reads[index % reads.length]}`,
    );
    const start = performance.now();
    const fork = await episode.fork();
    const ms = performance.now() - start;
    for (const side of [fork, episode]) {
      const { stdout } = await run(side, PROOF);
      assert(stdout === PROVED, `a fork holds the variables, got ${stdout}`);
      await side.close();
    }
    return ms;
  });
}

/** Microseconds of one call, over cells of `callsPerCell` calls. */
export async function measureCalls(
  world: World,
  programs: readonly Program[],
  calls: readonly string[],
  { rounds, samples, callsPerCell }: Effort,
): Promise<Quantiles> {
  const loop = (call: string) => `for (let i = 0; i < ${callsPerCell}; i++) ${call}`;
  return measure(rounds, samples, async (index) => {
    const episode = await started(await world.open(programs[index % programs.length]!.taskId));
    const idle = await elapsedMs(() => episode.step("0"));
    const ms = await elapsedMs(() => run(episode, loop(calls[index % calls.length]!)));
    await episode.close();
    return ((ms - idle) * 1000) / callsPerCell;
  });
}

async function run(episode: Episode, code: string) {
  const result = await episode.step(code);
  if (result.status === "ok") return result;
  throw new BowlineError("world", `the benchmark's cell failed: ${code}: ${result.text}`);
}

/** Calls of every list of the world that answers without arguments, as code, in an order that mixes the apps; never empty. */
export async function listReads(world: World, moduleUrl: string): Promise<string[]> {
  const definition = (await loadModule(moduleUrl))["default"] as WorldDefinition;
  const lists = definition.apps.flatMap((app) =>
    Object.entries(app.apis)
      .filter(([, { params }]) => "page" in params.shape && params.safeParse({}).success)
      .map(([api]) => `apis.${app.name}.${api}({})`),
  );
  const [task] = world.tasks("train", 1);
  assert(task, "the world has a task to train on");
  const episode = await started(await world.open(task.id));
  const answering: string[] = [];
  for (const list of lists) if ((await episode.step(list)).status === "ok") answering.push(list);
  await episode.close();
  return answering.length > 0 ? new Rng(1).shuffle(answering) : ["apis.docs.listApps({})"];
}
