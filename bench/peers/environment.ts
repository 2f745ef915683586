/**
 * Compares a whole iteration of Bowline in a world of several turns with one of TRL's GRPOTrainer, whose environment
 * factory plays the same world through `bowline serve --openenv`.
 *
 * Both programs start from the policy that one warm start made, and both sample until a turn ends by itself. So numbers
 * of tokens differ a little, and they are reported. The learning rate is so small that the policies stay as they are.
 * Bowline runs `train()` with the method `loop` and keeps every rollout; everything that it writes counts.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type Collected, type Iteration, loop } from "../../src/methods/index.ts";
import { resolveConfig, train } from "../../src/train/index.ts";
import { compareMedians, type SideBySide } from "./alternate.ts";
import { ITERATION_SIZES, type TrlContext, type Turn } from "./grpo.ts";

const WORLD = "everyday/starter";
const LIMITS = {
  turns: 8,
  turnTokens: 96,
  rowTokens: 256,
  promptTokens: 48,
  observationCharacters: 300,
  observationLines: 12,
};
/** The number of training scenarios of both programs, of three tasks each. The served world has as many. */
const SCENARIOS = 120;
const LEARNING_RATE = 1e-7;
const WARM_DEMONSTRATIONS = 3000;
const TICKS_PER_SECOND = 100;

export interface EnvironmentComparison {
  readonly world: string;
  readonly hiddenSize: number;
  readonly params: number;
  /** Medians of the tokens of an iteration's rows, of Bowline and of TRL. */
  readonly tokens: SideBySide;
  /** Medians of the sampled tokens. */
  readonly sampled: SideBySide;
  /** Seconds of an iteration. */
  readonly iteration: SideBySide;
  /** Microseconds of an iteration for each token that was sampled. */
  readonly perSampledToken: SideBySide;
  /** Seconds of processor time. TRL's include the server of the world, where the system has /proc. */
  readonly processor: SideBySide;
  readonly peerMicrobatch: number;
}

export async function compareEnvironment(
  context: TrlContext,
  hiddenSizes: readonly number[],
): Promise<EnvironmentComparison[]> {
  const found: EnvironmentComparison[] = [];
  for (const hiddenSize of hiddenSizes) {
    context.onPhase(`environment: d ${hiddenSize}`);
    found.push(await compareSize(hiddenSize, context));
  }
  return found;
}

/** Thrown when enough iterations were measured, so that `train()` ends there. */
class EnoughRounds extends Error {}

async function compareSize(
  hiddenSize: number,
  context: TrlContext,
): Promise<EnvironmentComparison> {
  const peerMicrobatch = 32;
  const folder = mkdtempSync(join(tmpdir(), "bowline-peers-"));
  const server = await startServer();
  const turns = createTurnTaking(context, server, {
    folder,
    peerMicrobatch,
    rounds: context.rounds + 1,
  });
  try {
    const method = { ...loop, name: "loop-by-turns", collect: turns.collect };
    const overrides = runFields(hiddenSize, context);
    const config = resolveConfig({ recipe: "starter", method, overrides });
    await train(config, { out: join(folder, "run"), method }).catch((error: unknown) => {
      if (!(error instanceof EnoughRounds)) throw error;
    });
    return { ...describeTurns(turns), hiddenSize, world: WORLD, peerMicrobatch };
  } finally {
    server.process.kill("SIGINT");
    rmSync(folder, { recursive: true, force: true });
  }
}

function runFields(hiddenSize: number, { threads }: TrlContext) {
  const { group, minibatch, epochs, rollouts } = ITERATION_SIZES;
  return {
    "model.hiddenSize": hiddenSize,
    "engine.threads": threads,
    "world.trainScenarios": SCENARIOS,
    "warm.demonstrations": WARM_DEMONSTRATIONS,
    "warm.epochs": 1,
    "algo.iterations": 100,
    "algo.tasksPerIteration": rollouts / group,
    "algo.groupSize": group,
    "algo.minibatch": minibatch,
    "algo.epochs": epochs,
    "algo.advantageThreshold": 0,
    "algo.taskSampling": "uniform",
    "optimizer.learningRate": LEARNING_RATE,
    "evaluation.scores": ["dev"],
    "evaluation.scenarios": 1,
    "evaluation.every": 0,
  };
}

interface WorldServer {
  readonly process: ChildProcess;
  readonly url: string;
}

async function startServer(): Promise<WorldServer> {
  const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
  const episodes = String(ITERATION_SIZES.rollouts + 1);
  const options = ["--port", "0", "--episodes", episodes, "--workers", "2", "--json"];
  const server = spawn(process.execPath, [main, "serve", "--openenv", WORLD, ...options], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(createInterface({ input: server.stdout }), "line")) as [string];
  return { process: server, url: (JSON.parse(line) as { readonly url: string }).url };
}

interface TurnTaking {
  readonly ours: Turn[];
  readonly theirs: Turn[];
  readonly collect: typeof loop.collect;
  readonly parameters: () => number;
}

interface TurnOptions {
  readonly folder: string;
  readonly peerMicrobatch: number;
  /** The number of iterations of each program, the first of which warms it up. */
  readonly rounds: number;
}

/** Returns a `collect` that lets TRL run an iteration before each of Bowline's, and measures both. */
function createTurnTaking(
  context: TrlContext,
  server: WorldServer,
  options: TurnOptions,
): TurnTaking {
  const [ours, theirs]: [Turn[], Turn[]] = [[], []];
  let peer: PeerTurns | undefined;
  let measure: (() => Omit<Turn, "tokens" | "sampled">) | undefined;
  let collected: Collected | undefined;
  let parameters = 0;
  const collect: typeof loop.collect = async (tasks, iteration) => {
    if (measure) ours.push({ ...measure(), ...countTokens(collected!) });
    if (ours.length === options.rounds) throw new EnoughRounds();
    parameters = iteration.engine.info.parameters;
    peer ??= await startPeerTurns(context, server, iteration, options);
    theirs.push(await peer.runIteration());
    measure = startMeasuring();
    collected = await loop.collect(tasks, iteration);
    return collected;
  };
  return { ours, theirs, collect, parameters: () => parameters };
}

/** Starts to measure an iteration of this process. Call the result at its end. */
function startMeasuring() {
  const start = performance.now();
  const processor = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(processor);
    return { ms: performance.now() - start, processorMs: (user + system) / 1000 };
  };
}

function countTokens({ rollouts }: Collected): Pick<Turn, "tokens" | "sampled"> {
  const rows = rollouts.map(({ tokens }) => tokens!);
  const count = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
  return {
    tokens: count(rows.map(({ ids }) => ids.length)),
    sampled: count(rows.map(({ mask }) => count(mask))),
  };
}

interface PeerTurns {
  readonly runIteration: () => Promise<Turn>;
}

/** Starts TRL's training. It waits before each iteration until `runIteration` is called. */
async function startPeerTurns(
  { peer }: TrlContext,
  server: WorldServer,
  { engine }: Pick<Iteration, "engine">,
  { folder, peerMicrobatch, rounds }: TurnOptions,
): Promise<PeerTurns> {
  const directory = join(folder, "model");
  await engine.save(directory);
  let goOn = () => {};
  let announce: (last: Turn | null) => void = () => {};
  const nextQuestion = () => new Promise<Turn | null>((resolve) => (announce = resolve));
  const started = nextQuestion();
  const end = peer.call<Turn>(
    "environment",
    {
      directory,
      tokenizer: join(folder, "run", "checkpoints", "warm", "tokenizer.json"),
      url: server.url,
      tasks: 3 * SCENARIOS,
      iterations: rounds,
      sizes: ITERATION_SIZES,
      learningRate: LEARNING_RATE,
      microbatch: peerMicrobatch,
      limits: LIMITS,
    },
    async (last) => {
      const answer = new Promise<void>((resolve) => (goOn = resolve));
      announce(last as Turn | null);
      await answer;
      return {};
    },
  );
  await Promise.race([started, end]);
  return {
    async runIteration() {
      const serverMs = readProcessorMs(server.process);
      const next = Promise.race([nextQuestion(), end]);
      goOn();
      const turn = (await next)!;
      return {
        ...turn,
        processorMs: turn.processorMs + readProcessorMs(server.process) - serverMs,
      };
    },
  };
}

/** Returns the processor time of another process so far; 0 where the system has no /proc. */
function readProcessorMs({ pid }: ChildProcess): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}

function describeTurns(turns: TurnTaking) {
  // The first iteration of each program warms it up.
  const [ours, theirs] = [turns.ours.slice(1), turns.theirs.slice(1)];
  const compare = (value: (turn: Turn) => number) =>
    compareMedians(ours.map(value), theirs.map(value));
  return {
    params: turns.parameters(),
    tokens: compare(({ tokens }) => tokens),
    sampled: compare(({ sampled }) => sampled),
    iteration: compare(({ ms }) => ms / 1000),
    perSampledToken: compare(({ ms, sampled }) => (1000 * ms) / sampled),
    processor: compare(({ processorMs }) => processorMs / 1000),
  };
}
