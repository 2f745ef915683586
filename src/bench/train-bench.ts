/**
 * Measures what an iteration of LOOP costs on this machine, phase by phase, for models of several sizes: rollouts, the
 * learner's log-probs, gradients, optimizer steps, publishing, a checkpoint.
 *
 * The engine does the work of `src/methods/learning/clipped.ts` with the epochs, minibatches and optimizer of the
 * `starter` setting. Two things are artificial. Rollouts replay recorded solutions. And the derivative for every
 * sampled token is a small constant, because replayed groups always succeed, so the filter would leave nothing to learn
 * from.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeMachine, type Machine, Rng, residentMemoryMb } from "../core/index.ts";
import { benchmarkMatrixProduct, createOnnxEngine, type ModelConfig } from "../engine/index.ts";
import type { Engine, Rollout, Row } from "../spec/index.ts";
import { optimizerStep, resolveConfig, resolveWorld } from "../train/index.ts";
import { openWorld } from "../world/index.ts";
import { countForwardFlops, countTrainingFlops } from "./flops.ts";
import { elapsedMs, median, roundToThousandths } from "./quantiles.ts";
import { type RolloutLoad, recordRolloutLoad, runRolloutLoad } from "./rollout-load.ts";
import { createBenchModel, SIZES, type Size, sizesUpTo } from "./shapes.ts";

export interface TrainBenchOptions {
  readonly world: string;
  readonly seed: number;
  readonly threads?: number;
  /** The size of the largest model in millions of parameters. The default is 100. */
  readonly maxMillions?: number;
  /** When true, one small model is measured in a few seconds. */
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
  /** The tokens of all rows, including prompts and observations. Nothing is padded. */
  readonly tokens: number;
  readonly seconds: number;
  /** The milliseconds of each phase. They sum to `seconds` except for the time between phases. */
  readonly phasesMs: Readonly<Record<BenchPhase, number>>;
  /** Tokens of all rows divided by the time of one whole iteration. */
  readonly tokensPerSecond: number;
  /** Tokens of gradient passes per second: `tokens` times the epochs, divided by the time of `accumulate`. */
  readonly gradientTokensPerSecond: number;
  /** The necessary operations of `evaluate` and `accumulate` together, in 10^9 per second. */
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

const GROUP_SIZE = 6;
const TASKS = 16;
const PEAK_SIZE = 1024;
const CONFIG = resolveConfig({ recipe: "starter" });
const ALGO = CONFIG.algo;

export async function benchTrain(options: TrainBenchOptions): Promise<TrainBench> {
  const { seed, quick = false, threads = 2, onPhase = () => {} } = options;
  const { name, url } = resolveWorld(options.world);
  const sizes = quick ? [SIZES[0]] : sizesUpTo(options.maxMillions ?? 100);
  const world = await openWorld(url, { seed, workers: 2 });
  const product = await benchmarkMatrixProduct(PEAK_SIZE, threads);
  try {
    onPhase("recording solutions");
    const load = await recordRolloutLoad(world, quick ? 3 : TASKS);
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
      peakGflops: roundToThousandths(median(iterations.map(({ peakGflops }) => peakGflops))),
      epochs: ALGO.epochs,
      minibatch: ALGO.minibatch,
      iterations,
    };
  } finally {
    await product.close();
    await world.close();
  }
}

interface SizeOptions {
  readonly threads: number;
  readonly rounds: number;
  readonly peak: () => Promise<number>;
}

/**
 * Measures one model size. The first iteration builds the graphs and is not counted. The peak is measured before each
 * of the other iterations.
 */
async function measureSize(
  size: Size,
  load: RolloutLoad,
  { threads, rounds, peak }: SizeOptions,
): Promise<IterationSpeed> {
  const model = createBenchModel(size, load);
  const engine = await createOnnxEngine({ model, seed: 1, threads });
  const folder = mkdtempSync(join(tmpdir(), "bowline-bench-"));
  try {
    await runIteration(engine, load, { round: 0, folder });
    const peaks: number[] = [];
    const found: MeasuredIteration[] = [];
    for (let round = 1; round <= rounds; round++) {
      peaks.push(await peak());
      found.push(await runIteration(engine, load, { round, folder }));
    }
    const shape = { params: engine.info.parameters, hiddenSize: size[0], layers: size[1] };
    return { ...shape, ...summarizeIterations(found, model, median(peaks)) };
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface MeasuredIteration {
  readonly phasesMs: Record<BenchPhase, number>;
  readonly seconds: number;
  readonly rollouts: readonly Rollout[];
}

async function runIteration(
  engine: Engine,
  load: RolloutLoad,
  { round, folder }: { readonly round: number; readonly folder: string },
): Promise<MeasuredIteration> {
  const phasesMs = Object.fromEntries(
    PHASES.map((phase) => [phase, 0]),
  ) as MeasuredIteration["phasesMs"];
  const timed: TimePhase = async (phase, run) => {
    const start = performance.now();
    const value = await run();
    phasesMs[phase] += performance.now() - start;
    return value;
  };
  let rollouts: readonly Rollout[] = [];
  const ms = await elapsedMs(async () => {
    const plan = { groupSize: GROUP_SIZE, episodes: 256, round };
    rollouts = (await timed("rollouts", () => runRolloutLoad(engine, load, plan))).rollouts;
    await runLearningPasses(engine, rollouts.map(createTrainingRow), new Rng(round), timed);
    await timed("publish", () => engine.publish());
    await timed("checkpoint", () => engine.save(join(folder, "engine")));
  });
  return { phasesMs, seconds: ms / 1000, rollouts };
}

type TimePhase = <T>(phase: BenchPhase, run: () => Promise<T>) => Promise<T>;

/** Makes the engine calls that `clipped.ts` makes. The rows of the first minibatch are not evaluated twice. */
async function runLearningPasses(
  engine: Engine,
  rows: readonly Row[],
  rng: Rng,
  timed: TimePhase,
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

function createTrainingRow({ tokens }: Rollout): Row {
  const { ids, mask } = tokens!;
  return { tokens: ids, at: ids.flatMap((_, position) => (mask[position] ? [position] : [])) };
}

function summarizeIterations(
  found: readonly MeasuredIteration[],
  model: ModelConfig,
  peakGflops: number,
) {
  const medianOf = (pick: (iteration: MeasuredIteration) => number) =>
    roundToThousandths(median(found.map(pick)));
  const phasesMs = Object.fromEntries(
    PHASES.map((phase) => [phase, medianOf((iteration) => iteration.phasesMs[phase])]),
  ) as MeasuredIteration["phasesMs"];
  const rows = found[0]!.rollouts.map(({ tokens }) => tokens!);
  const tokens = rows.reduce((sum, { ids }) => sum + ids.length, 0);
  const seconds = medianOf((iteration) => iteration.seconds);
  const learningGflops =
    countLearningFlops(rows, model) / (phasesMs.evaluate + phasesMs.accumulate) / 1e6;
  return {
    rollouts: rows.length,
    tokens,
    seconds,
    phasesMs,
    tokensPerSecond: Math.round(tokens / seconds),
    gradientTokensPerSecond: Math.round((1000 * tokens * ALGO.epochs) / phasesMs.accumulate),
    learningGflops: roundToThousandths(learningGflops),
    shareOfPeak: roundToThousandths(learningGflops / peakGflops),
    peakGflops: roundToThousandths(peakGflops),
    rssMb: residentMemoryMb(),
  };
}

/**
 * Counts the operations of learning: one forward pass for the old log-probs, and in each epoch a forward pass and a
 * forward and backward pass. The very first minibatch needs no forward pass of its own.
 */
function countLearningFlops(
  rows: readonly { readonly ids: readonly number[]; readonly mask: readonly (0 | 1)[] }[],
  model: ModelConfig,
): number {
  const { epochs, minibatch } = ALGO;
  const passes = 1 + epochs - Math.min(1, minibatch / rows.length);
  return rows.reduce((sum, { ids, mask }) => {
    const headTokens = mask.reduce((a: number, sampled) => a + sampled, 0);
    const batch = { tokens: ids.length, rowLength: ids.length, headTokens };
    return (
      sum + passes * countForwardFlops(model, batch) + epochs * countTrainingFlops(model, batch)
    );
  }, 0);
}
