/**
 * What an iteration of LOOP costs on this machine, phase by phase, for models of several sizes: rollouts, the learner's
 * log-probs, gradients, optimizer steps, publishing, a checkpoint.
 *
 * The engine's work is that of `src/methods/learning/clipped.ts` with the `starter` setting's epochs, minibatches and
 * optimizer. Two things are made up: rollouts replay recorded solutions, and the cotangent of every sampled token is a small constant, because
 * replayed groups all succeed and the filter would leave nothing to learn from.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeMachine, type Machine, Rng, residentMemoryMb } from "../core/index.ts";
import { createOnnxEngine, type ModelConfig, matrixProductGflops } from "../engine/index.ts";
import type { Engine, Rollout, Row } from "../spec/index.ts";
import { optimizerStep, resolveConfig, resolveWorld } from "../train/index.ts";
import { openWorld } from "../world/index.ts";
import { forwardFlops, trainingFlops } from "./flops.ts";
import { elapsedMs, median, rounded } from "./quantiles.ts";
import { type RolloutLoad, recordLoad, runLoad } from "./rollout-load.ts";
import { benchModel, SIZES, type Size, sizesUpTo } from "./shapes.ts";

export interface TrainBenchOptions {
  readonly world: string;
  readonly seed: number;
  readonly threads?: number;
  /** The largest model, in millions of parameters; default 100. */
  readonly maxMillions?: number;
  /** One small model, a few seconds. */
  readonly quick?: boolean;
  readonly onPhase?: (what: string) => void;
}

export const PHASES = [
  "rollouts",
  "evaluate",
  "accumulate",
  "update",
  "publish",
  "checkpoint",
] as const;
export type BenchPhase = (typeof PHASES)[number];

export interface IterationSpeed {
  readonly params: number;
  readonly hiddenSize: number;
  readonly layers: number;
  readonly rollouts: number;
  /** Of all rows, prompts and observations included; nothing is padded. */
  readonly tokens: number;
  readonly seconds: number;
  /** Milliseconds; they sum to `seconds` but for what happens between them. */
  readonly phasesMs: Readonly<Record<BenchPhase, number>>;
  /** Tokens of all rows through one whole iteration. */
  readonly tokensPerSecond: number;
  /** Tokens through gradients: `tokens` times the epochs. */
  readonly gradientTokensPerSecond: number;
  /** Of `evaluate` and `accumulate` together, in 10^9 operations that had to be done a second. */
  readonly learningGflops: number;
  readonly shareOfPeak: number;
  readonly peakGflops: number;
  readonly rssMb: number;
}

export interface TrainBench {
  readonly machine: Machine;
  readonly threads: number;
  readonly world: string;
  readonly quick: boolean;
  readonly peakGflops: number;
  readonly epochs: number;
  readonly minibatch: number;
  readonly iterations: readonly IterationSpeed[];
}

const GROUP = 6;
const TASKS = 16;
const PEAK_SIZE = 1024;
const CONFIG = resolveConfig({ recipe: "starter" });
const ALGO = CONFIG.algo;

export async function benchTrain(options: TrainBenchOptions): Promise<TrainBench> {
  const { seed, quick = false, threads = 2, onPhase = () => {} } = options;
  const { name, url } = resolveWorld(options.world);
  const sizes = quick ? [SIZES[0]] : sizesUpTo(options.maxMillions ?? 100);
  const world = await openWorld(url, { seed, workers: 2 });
  const product = await matrixProductGflops(PEAK_SIZE, threads);
  try {
    onPhase("recording solutions");
    const load = await recordLoad(world, quick ? 3 : TASKS);
    const iterations: IterationSpeed[] = [];
    for (const size of sizes) {
      onPhase(`d ${size[0]}, ${size[1]} layers`);
      const rounds = quick ? 1 : 3;
      iterations.push(await measureSize(size, load, { threads, rounds, peak: product.measure }));
    }
    return {
      machine: describeMachine(),
      threads,
      world: name,
      quick,
      peakGflops: rounded(median(iterations.map(({ peakGflops }) => peakGflops))),
      epochs: ALGO.epochs,
      minibatch: ALGO.minibatch,
      iterations,
    };
  } finally {
    await product.close();
    await world.close();
  }
}

interface Measuring {
  readonly threads: number;
  readonly rounds: number;
  readonly peak: () => Promise<number>;
}

/** The first iteration builds the graphs and does not count; the peak is measured before each of the others. */
async function measureSize(
  size: Size,
  load: RolloutLoad,
  { threads, rounds, peak }: Measuring,
): Promise<IterationSpeed> {
  const model = benchModel(size, load);
  const engine = await createOnnxEngine({ model, seed: 1, threads });
  const folder = mkdtempSync(join(tmpdir(), "bowline-bench-"));
  try {
    await runIteration(engine, load, { round: 0, folder });
    const peaks: number[] = [];
    const found: Iteration[] = [];
    for (let round = 1; round <= rounds; round++) {
      peaks.push(await peak());
      found.push(await runIteration(engine, load, { round, folder }));
    }
    const shape = { params: engine.info.parameters, hiddenSize: size[0], layers: size[1] };
    return { ...shape, ...summarize(found, model, median(peaks)) };
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Iteration {
  readonly phasesMs: Record<BenchPhase, number>;
  readonly seconds: number;
  readonly rollouts: readonly Rollout[];
}

async function runIteration(
  engine: Engine,
  load: RolloutLoad,
  { round, folder }: { readonly round: number; readonly folder: string },
): Promise<Iteration> {
  const phasesMs = Object.fromEntries(PHASES.map((phase) => [phase, 0])) as Iteration["phasesMs"];
  const timed: Timed = async (phase, run) => {
    const start = performance.now();
    const value = await run();
    phasesMs[phase] += performance.now() - start;
    return value;
  };
  let rollouts: readonly Rollout[] = [];
  const ms = await elapsedMs(async () => {
    const plan = { groupSize: GROUP, episodes: 256, round };
    rollouts = (await timed("rollouts", () => runLoad(engine, load, plan))).rollouts;
    await learningPasses(engine, rollouts.map(rowOf), new Rng(round), timed);
    await timed("publish", () => engine.publish());
    await timed("checkpoint", () => engine.save(join(folder, "engine")));
  });
  return { phasesMs, seconds: ms / 1000, rollouts };
}

type Timed = <T>(phase: BenchPhase, run: () => Promise<T>) => Promise<T>;

/** What `clipped.ts` asks of the engine; rows of the first minibatch are not evaluated twice. */
async function learningPasses(
  engine: Engine,
  rows: readonly Row[],
  rng: Rng,
  timed: Timed,
): Promise<void> {
  const { epochs, minibatch } = ALGO;
  const step = optimizerStep(1, CONFIG);
  await timed("evaluate", () => engine.evaluate(rows));
  for (let epoch = 0; epoch < epochs; epoch++) {
    const order = rng.child(epoch).shuffle(rows);
    for (let at = 0; at < order.length; at += minibatch) {
      const part = order.slice(at, at + minibatch);
      if (epoch + at > 0) await timed("evaluate", () => engine.evaluate(part));
      const cotangents = part.map((row) => ({
        logprobs: new Float32Array(row.at.length).fill(-1 / minibatch / row.at.length),
      }));
      await timed("accumulate", () => engine.accumulate(part, cotangents));
      await timed("update", () => engine.update(step));
    }
  }
}

function rowOf({ tokens }: Rollout): Row {
  const { ids, mask } = tokens!;
  return { tokens: ids, at: ids.flatMap((_, position) => (mask[position] ? [position] : [])) };
}

function summarize(found: readonly Iteration[], model: ModelConfig, peakGflops: number) {
  const middle = (of: (iteration: Iteration) => number) => rounded(median(found.map(of)));
  const phasesMs = Object.fromEntries(
    PHASES.map((phase) => [phase, middle((iteration) => iteration.phasesMs[phase])]),
  ) as Iteration["phasesMs"];
  const rows = found[0]!.rollouts.map(({ tokens }) => tokens!);
  const tokens = rows.reduce((sum, { ids }) => sum + ids.length, 0);
  const seconds = middle((iteration) => iteration.seconds);
  const learningGflops =
    learningFlops(rows, model) / (phasesMs.evaluate + phasesMs.accumulate) / 1e6;
  return {
    rollouts: rows.length,
    tokens,
    seconds,
    phasesMs,
    tokensPerSecond: Math.round(tokens / seconds),
    gradientTokensPerSecond: Math.round((1000 * tokens * ALGO.epochs) / phasesMs.accumulate),
    learningGflops: rounded(learningGflops),
    shareOfPeak: rounded(learningGflops / peakGflops),
    peakGflops: rounded(peakGflops),
    rssMb: residentMemoryMb(),
  };
}

/**
 * A pass for the old log-probs, and in each epoch a pass forward and one forward and backward; the first minibatch of
 * all needs no pass of its own.
 */
function learningFlops(
  rows: readonly { readonly ids: readonly number[]; readonly mask: readonly (0 | 1)[] }[],
  model: ModelConfig,
): number {
  const { epochs, minibatch } = ALGO;
  const passes = 1 + epochs - Math.min(1, minibatch / rows.length);
  return rows.reduce((sum, { ids, mask }) => {
    const asked = mask.reduce((a: number, sampled) => a + sampled, 0);
    const batch = { tokens: ids.length, rowLength: ids.length, asked };
    return sum + passes * forwardFlops(model, batch) + epochs * trainingFlops(model, batch);
  }, 0);
}
