/**
 * What rollouts cost on this machine: whole multi-turn episodes a second, with the same environment and weights of
 * several sizes, and the two parts of the engine's work on their own, prefill and decoding.
 *
 * Medians over rounds; the machine's own matrix-product peak is measured beside every size, in the same run.
 */

import { describeMachine, type Machine, residentMemoryMb } from "../core/index.ts";
import { createOnnxEngine, matrixProductGflops } from "../engine/index.ts";
import type { Dials, Engine, Rollout } from "../spec/index.ts";
import { resolveWorld } from "../train/index.ts";
import { openWorld } from "../world/index.ts";
import {
  type DecodeSpeed,
  measureDecode,
  measurePrefill,
  type PrefillSpeed,
} from "./decode-speed.ts";
import { forwardFlops } from "./flops.ts";
import { median, rounded } from "./quantiles.ts";
import { type LoadResult, type RolloutLoad, recordLoad, runLoad } from "./rollout-load.ts";
import { benchModel, SIZES, type Size, sizesUpTo } from "./shapes.ts";

export interface RolloutBenchOptions {
  /** A built-in world or the path of a module; its tasks need solutions. */
  readonly world: string;
  readonly seed: number;
  readonly dials?: Partial<Dials>;
  readonly threads?: number;
  /** The largest model, in millions of parameters; default 100. */
  readonly maxMillions?: number;
  /** Live at once; default 256. */
  readonly episodes?: number;
  /** One small model, a few seconds. */
  readonly quick?: boolean;
  readonly onPhase?: (what: string) => void;
}

export interface RolloutSpeed {
  readonly params: number;
  readonly hiddenSize: number;
  readonly layers: number;
  /** Played in each round: fewer where a model is slow. */
  readonly rollouts: number;
  readonly rolloutsPerSecond: number;
  readonly sampledTokensPerSecond: number;
  /** Share of the time in which the engine had nothing to do, because every live episode was being stepped. */
  readonly waitShare: number;
  /** Of the process with all its workers, after the rollouts. */
  readonly rssMb: number;
  /** Measured beside it. */
  readonly peakGflops: number;
}

/** Recorded solutions, each replayed `groupSize` times; tokens and turns are means of a rollout. */
export interface LoadSummary {
  readonly tasks: number;
  readonly groupSize: number;
  readonly episodes: number;
  readonly turns: number;
  readonly sampledTokens: number;
  readonly rowTokens: number;
}

export interface RolloutBench {
  readonly machine: Machine;
  readonly threads: number;
  readonly world: string;
  readonly seed: number;
  readonly quick: boolean;
  readonly peakGflops: number;
  readonly load: LoadSummary;
  readonly rollouts: readonly RolloutSpeed[];
  readonly decode: readonly DecodeSpeed[];
  readonly prefill: readonly PrefillSpeed[];
}

/** K of the paper. */
const GROUP = 6;
const DEFAULT_EPISODES = 256;
const DEFAULT_MILLIONS = 100;
const PEAK_SIZE = 1024;
const BATCHES = [1, 16, 64, 256];
const PREFILLED_ROWS = 8;
/** A measurement that would take longer at the peak is left out of the table. */
const LONGEST_SECONDS = 8;

export async function benchRollout(options: RolloutBenchOptions): Promise<RolloutBench> {
  const { seed, dials, quick = false, threads = 2, onPhase = () => {} } = options;
  const { name, url } = resolveWorld(options.world);
  const episodes = options.episodes ?? (quick ? 24 : DEFAULT_EPISODES);
  const sizes = quick ? [SIZES[0]] : sizesUpTo(options.maxMillions ?? DEFAULT_MILLIONS);
  const world = await openWorld(url, { seed, workers: 2, dials: { ...dials } });
  const product = await matrixProductGflops(PEAK_SIZE, threads);
  try {
    onPhase("recording solutions");
    const load = await recordLoad(world, Math.ceil(episodes / GROUP));
    const found: SizeResult[] = [];
    for (const size of sizes) {
      const peakGflops = await product.measure();
      onPhase(`d ${size[0]}, ${size[1]} layers`);
      found.push(await measureSize({ size, load, episodes, quick, threads, peakGflops }));
    }
    return {
      machine: describeMachine(),
      threads,
      world: name,
      seed,
      quick,
      peakGflops: rounded(median(found.map(({ peakGflops }) => peakGflops))),
      load: summaryOf(found[0]!.played, load, episodes),
      rollouts: found.flatMap(({ rollouts }) => rollouts),
      decode: found.flatMap(({ decode }) => decode),
      prefill: found.flatMap(({ prefill }) => prefill),
    };
  } finally {
    await product.close();
    await world.close();
  }
}

interface SizePlan {
  readonly size: Size;
  readonly load: RolloutLoad;
  readonly episodes: number;
  readonly quick: boolean;
  readonly threads: number;
  readonly peakGflops: number;
}

interface SizeResult {
  readonly peakGflops: number;
  readonly played: readonly Rollout[];
  readonly rollouts: readonly RolloutSpeed[];
  readonly decode: readonly DecodeSpeed[];
  readonly prefill: readonly PrefillSpeed[];
}

async function measureSize(plan: SizePlan): Promise<SizeResult> {
  const { size, load, quick, threads, peakGflops } = plan;
  const context = quick ? 64 : 512;
  const rounds = quick ? 1 : 3;
  const contextLength = Math.max(load.contextLength, context + 64);
  const model = benchModel(size, { vocabularySize: load.vocabularySize, contextLength });
  const flops = forwardFlops(model, { tokens: 1, rowLength: context, asked: 1 });
  const affordable = (tokens: number) => tokens * flops <= LONGEST_SECONDS * peakGflops * 1e9;
  const engine = await createOnnxEngine({ model, seed: 1, threads, maxLiveRows: 256 });
  try {
    const rowTokens = GROUP * load.contextLength * rounds;
    const programs = halvedUntil(load.programs, ({ length }) => affordable(length * rowTokens));
    const rollouts = await measureRollouts(engine, { ...load, programs }, plan.episodes, rounds);
    const decode: DecodeSpeed[] = [];
    for (const batch of quick ? BATCHES.slice(0, 2) : BATCHES) {
      if (affordable(batch * 40 * rounds)) {
        decode.push(await measureDecode(engine, { batch, context, rounds }));
      }
    }
    const batch = affordable(PREFILLED_ROWS * context * rounds) ? PREFILLED_ROWS : 1;
    const prefill = [await measurePrefill(engine, { batch, context, rounds })];
    const speeds = [{ ...shapeOf(engine, size), ...rollouts.speed, peakGflops }];
    return { peakGflops, played: rollouts.played, rollouts: speeds, decode, prefill };
  } finally {
    await engine.close();
  }
}

const shapeOf = ({ info }: Engine, [hiddenSize, layers]: Size) => ({
  params: info.parameters,
  hiddenSize,
  layers,
});

/** At least two are left. */
function halvedUntil<T>(items: readonly T[], fits: (items: readonly T[]) => boolean): readonly T[] {
  let some = items;
  while (some.length > 2 && !fits(some)) some = some.slice(0, Math.ceil(some.length / 2));
  return some;
}

/** One small group first, so that graphs are built before anything is timed. */
async function measureRollouts(
  engine: Engine,
  load: RolloutLoad,
  episodes: number,
  rounds: number,
): Promise<{
  readonly speed: Omit<RolloutSpeed, "params" | "hiddenSize" | "layers" | "peakGflops">;
  readonly played: readonly Rollout[];
}> {
  const warmUp = { ...load, programs: load.programs.slice(0, 1) };
  await runLoad(engine, warmUp, { groupSize: 2, episodes, round: 0 });
  const results: LoadResult[] = [];
  for (let round = 1; round <= rounds; round++) {
    await engine.publish(); // Kept prefixes are forgotten, as after every iteration.
    results.push(await runLoad(engine, load, { groupSize: GROUP, episodes, round }));
  }
  const played = results[0]!.rollouts;
  const seconds = median(results.map((result) => result.seconds));
  const speed = {
    rollouts: played.length,
    rolloutsPerSecond: rounded(played.length / seconds),
    sampledTokensPerSecond: Math.round(sampledTokens(played) / seconds),
    waitShare: rounded(median(results.map(({ waitShare }) => waitShare))),
    rssMb: residentMemoryMb(),
  };
  return { speed, played };
}

function summaryOf(
  played: readonly Rollout[],
  { programs }: RolloutLoad,
  episodes: number,
): LoadSummary {
  const mean = (of: (rollout: Rollout) => number) =>
    rounded(played.reduce((sum, rollout) => sum + of(rollout), 0) / played.length);
  return {
    tasks: programs.length,
    groupSize: GROUP,
    episodes: Math.min(episodes, played.length),
    turns: mean(({ turns }) => turns.length),
    sampledTokens: rounded(sampledTokens(played) / played.length),
    rowTokens: mean(({ tokens }) => tokens!.ids.length),
  };
}

function sampledTokens(rollouts: readonly Rollout[]): number {
  return rollouts.reduce(
    (sum, { tokens }) => sum + tokens!.mask.reduce((a: number, sampled) => a + sampled, 0),
    0,
  );
}
