/**
 * Measures what rollouts cost on this machine: complete episodes of several turns per second, with the same environment
 * and models of several sizes. It also measures the two parts of the engine's work separately: prefill and decoding.
 *
 * Results are medians over rounds. The machine's own matrix-product peak is measured with every size, in the same run.
 */

import { describeMachine, type Machine, residentMemoryMb } from "../core/index.ts";
import { benchmarkMatrixProduct, createOnnxEngine } from "../engine/index.ts";
import type { Dials, Engine, Rollout } from "../spec/index.ts";
import { resolveWorld } from "../train/index.ts";
import { openWorld } from "../world/index.ts";
import {
  type DecodeSpeed,
  measureDecode,
  measurePrefill,
  type PrefillSpeed,
} from "./decode-speed.ts";
import { countForwardFlops } from "./flops.ts";
import { median, roundToThousandths } from "./quantiles.ts";
import {
  type LoadResult,
  type RolloutLoad,
  recordRolloutLoad,
  runRolloutLoad,
} from "./rollout-load.ts";
import { createBenchModel, SIZES, type Size, sizesUpTo } from "./shapes.ts";

export interface RolloutBenchOptions {
  /** The name of a built-in world or the path of a module. Its tasks need solutions. */
  readonly world: string;
  readonly seed: number;
  readonly dials?: Partial<Dials>;
  readonly threads?: number;
  /** The size of the largest model in millions of parameters. The default is 100. */
  readonly maxMillions?: number;
  /** The number of episodes that are open at the same time. The default is 256. */
  readonly episodes?: number;
  /** When true, one small model is measured in a few seconds. */
  readonly quick?: boolean;
  readonly onPhase?: (what: string) => void;
}

export interface RolloutSpeed {
  readonly params: number;
  readonly hiddenSize: number;
  readonly layers: number;
  /** The number of rollouts in each round. It is smaller for slow models. */
  readonly rollouts: number;
  readonly rolloutsPerSecond: number;
  readonly sampledTokensPerSecond: number;
  /** The share of the time in which the engine was idle, because every open episode was running code. */
  readonly waitShare: number;
  /** The resident memory of the process with all its workers, after the rollouts. */
  readonly rssMb: number;
  /** The matrix-product peak that was measured just before. */
  readonly peakGflops: number;
}

/** Describes the load: recorded solutions, each replayed `groupSize` times. Turns and tokens are means per rollout. */
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

/** The group size K of the paper. */
const GROUP_SIZE = 6;
const DEFAULT_EPISODES = 256;
const DEFAULT_MILLIONS = 100;
const PEAK_SIZE = 1024;
const BATCHES = [1, 16, 64, 256];
const PREFILLED_ROWS = 8;
/** The number of seconds that a measurement may take at the peak speed. Longer ones are left out of the table. */
const MAX_SECONDS = 8;

export async function benchRollout(options: RolloutBenchOptions): Promise<RolloutBench> {
  const { seed, dials, quick = false, threads = 2, onPhase = () => {} } = options;
  const { name, url } = resolveWorld(options.world);
  const episodes = options.episodes ?? (quick ? 24 : DEFAULT_EPISODES);
  const sizes = quick ? [SIZES[0]] : sizesUpTo(options.maxMillions ?? DEFAULT_MILLIONS);
  const world = await openWorld(url, { seed, workers: 2, dials: { ...dials } });
  const product = await benchmarkMatrixProduct(PEAK_SIZE, threads);
  try {
    onPhase("recording solutions");
    const load = await recordRolloutLoad(world, Math.ceil(episodes / GROUP_SIZE));
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
      peakGflops: roundToThousandths(median(found.map(({ peakGflops }) => peakGflops))),
      load: summarizeLoad(found[0]!.played, load, episodes),
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
  const model = createBenchModel(size, { vocabularySize: load.vocabularySize, contextLength });
  const flops = countForwardFlops(model, { tokens: 1, rowLength: context, headTokens: 1 });
  const isAffordable = (tokens: number) => tokens * flops <= MAX_SECONDS * peakGflops * 1e9;
  const engine = await createOnnxEngine({ model, seed: 1, threads, maxLiveRows: 256 });
  try {
    const rowTokens = GROUP_SIZE * load.contextLength * rounds;
    const programs = halveUntil(load.programs, ({ length }) => isAffordable(length * rowTokens));
    const rollouts = await measureRollouts(engine, { ...load, programs }, plan.episodes, rounds);
    const decode: DecodeSpeed[] = [];
    for (const batch of quick ? BATCHES.slice(0, 2) : BATCHES) {
      if (isAffordable(batch * 40 * rounds)) {
        decode.push(await measureDecode(engine, { batch, context, rounds }));
      }
    }
    const batch = isAffordable(PREFILLED_ROWS * context * rounds) ? PREFILLED_ROWS : 1;
    const prefill = [await measurePrefill(engine, { batch, context, rounds })];
    const speeds = [{ ...describeShape(engine, size), ...rollouts.speed, peakGflops }];
    return { peakGflops, played: rollouts.played, rollouts: speeds, decode, prefill };
  } finally {
    await engine.close();
  }
}

const describeShape = ({ info }: Engine, [hiddenSize, layers]: Size) => ({
  params: info.parameters,
  hiddenSize,
  layers,
});

/** Halves a list until it fits, but keeps at least two items. */
function halveUntil<T>(items: readonly T[], fits: (items: readonly T[]) => boolean): readonly T[] {
  let some = items;
  while (some.length > 2 && !fits(some)) some = some.slice(0, Math.ceil(some.length / 2));
  return some;
}

/** Measures rollouts. One small group runs first, so that graphs are built before anything is timed. */
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
  await runRolloutLoad(engine, warmUp, { groupSize: 2, episodes, round: 0 });
  const results: LoadResult[] = [];
  for (let round = 1; round <= rounds; round++) {
    await engine.publish(); // Publishing drops the cached prefixes, as happens after every iteration.
    results.push(await runRolloutLoad(engine, load, { groupSize: GROUP_SIZE, episodes, round }));
  }
  const played = results[0]!.rollouts;
  const seconds = median(results.map((result) => result.seconds));
  const speed = {
    rollouts: played.length,
    rolloutsPerSecond: roundToThousandths(played.length / seconds),
    sampledTokensPerSecond: Math.round(countSampledTokens(played) / seconds),
    waitShare: roundToThousandths(median(results.map(({ waitShare }) => waitShare))),
    rssMb: residentMemoryMb(),
  };
  return { speed, played };
}

function summarizeLoad(
  played: readonly Rollout[],
  { programs }: RolloutLoad,
  episodes: number,
): LoadSummary {
  const meanOverRollouts = (pick: (rollout: Rollout) => number) =>
    roundToThousandths(played.reduce((sum, rollout) => sum + pick(rollout), 0) / played.length);
  return {
    tasks: programs.length,
    groupSize: GROUP_SIZE,
    episodes: Math.min(episodes, played.length),
    turns: meanOverRollouts(({ turns }) => turns.length),
    sampledTokens: roundToThousandths(countSampledTokens(played) / played.length),
    rowTokens: meanOverRollouts(({ tokens }) => tokens!.ids.length),
  };
}

function countSampledTokens(rollouts: readonly Rollout[]): number {
  return rollouts.reduce(
    (sum, { tokens }) => sum + tokens!.mask.reduce((a: number, sampled) => a + sampled, 0),
    0,
  );
}
