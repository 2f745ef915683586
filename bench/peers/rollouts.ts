/**
 * Compares Bowline's rollouts of several turns with loops over `generate` of transformers, with the same world, weights
 * and observations.
 *
 * Recorded solutions are replayed (src/bench/rollout-load.ts): a turn samples as many tokens as the solution's code
 * has, and then the episode runs that code. The Python process asks this process to step the episodes, so the time of
 * the environment counts for both. One of the Python loops reads the whole text again in each turn, as trainers for
 * language models do, and the other keeps the KV cache between turns.
 */

import {
  type RecordedSolution,
  type RolloutLoad,
  recordRolloutLoad,
  runRolloutLoad,
} from "../../src/bench/rollout-load.ts";
import { createBenchModel, SIZES, type Size } from "../../src/bench/shapes.ts";
import type { Engine, Episode } from "../../src/spec/index.ts";
import { resolveWorld } from "../../src/train/index.ts";
import { openWorld } from "../../src/world/index.ts";
import { alternate, type SideBySide } from "./alternate.ts";
import { compareProducts, type PeerContext, withEngine } from "./peer-context.ts";

const GROUP = 6;

export interface RolloutComparison {
  readonly hiddenSize: number;
  readonly layers: number;
  readonly params: number;
  readonly rollouts: number;
  readonly world: string;
  /** How many rollouts the Python process puts into one call of `generate`. */
  readonly peerBatch: number;
  /** Seconds for all rollouts, compared with the loop that reads the whole text again in each turn. */
  readonly plain: SideBySide;
  /** Seconds for all rollouts, compared with the loop that keeps the KV cache. */
  readonly cached: SideBySide;
  readonly oursGflops: number;
  readonly theirsGflops: number;
  readonly productRatio: number;
}

export async function compareRollouts(
  context: PeerContext,
  world: string,
  sizes: readonly Size[] = SIZES.slice(0, context.quick ? 1 : 3),
): Promise<RolloutComparison[]> {
  const opened = await openWorld(resolveWorld(world).url, { seed: 1, workers: 2 });
  try {
    const load = await recordRolloutLoad(opened, context.quick ? 3 : 22);
    const found: RolloutComparison[] = [];
    for (const size of sizes) {
      context.onPhase(`rollouts: d ${size[0]}, ${size[1]} layers`);
      const compare = (engine: Engine) => compareSize(engine, size, load, { ...context, world });
      found.push(await withEngine(createBenchModel(size, load), context, compare));
    }
    return found;
  } finally {
    await opened.close();
  }
}

async function compareSize(
  engine: Engine,
  [hiddenSize, layers]: Size,
  load: RolloutLoad,
  context: PeerContext & { readonly world: string },
): Promise<RolloutComparison> {
  const rounds = context.quick ? 1 : 3;
  const programs = Array.from({ length: GROUP }, () => load.programs).flat();
  const timeOurs = async (round: number) => {
    await engine.publish(); // Publishing drops cached prefixes, as after every iteration of training.
    const plan = { groupSize: GROUP, episodes: programs.length, round: round + 1 };
    return (await runRolloutLoad(engine, load, plan)).seconds;
  };
  const timeTheirs = (keepCache: boolean, batch: number) => async () =>
    timePeerRollouts(context, load, programs, { keepCache, batch });
  await timeOurs(-1);
  const peerBatch = await findFastest([64, programs.length], (batch) => timeTheirs(false, batch)());
  const plain = await alternate(rounds, timeOurs, timeTheirs(false, peerBatch));
  const cached = await alternate(
    rounds,
    (round) => timeOurs(rounds + round),
    timeTheirs(true, peerBatch),
  );
  return {
    hiddenSize,
    layers,
    params: engine.info.parameters,
    rollouts: programs.length,
    world: context.world,
    peerBatch,
    plain,
    cached,
    ...(await compareProducts(context)),
  };
}

async function findFastest(
  choices: readonly number[],
  run: (choice: number) => Promise<number>,
): Promise<number> {
  const times: { readonly choice: number; readonly seconds: number }[] = [];
  for (const choice of new Set(choices)) times.push({ choice, seconds: await run(choice) });
  return times.toSorted((a, b) => a.seconds - b.seconds)[0]!.choice;
}

interface StepRequest {
  readonly episodes: readonly number[];
}

/**
 * Returns the seconds of the Python process for all solutions, including the time to open, step, evaluate and close
 * episodes.
 */
async function timePeerRollouts(
  { peer }: PeerContext,
  load: RolloutLoad,
  programs: readonly RecordedSolution[],
  how: { readonly keepCache: boolean; readonly batch: number },
): Promise<number> {
  const { scaffold, renderer } = load.agent;
  const openEpisodes = new Map<number, { readonly episode: Promise<Episode>; turn: number }>();
  const stepEpisode = async (index: number) => {
    const { task, cells, turnTokens } = programs[index]!;
    const state = openEpisodes.get(index) ?? { episode: load.world.open(task.id), turn: 0 };
    openEpisodes.set(index, state);
    const episode = await state.episode;
    const result = await episode.step(cells[state.turn++]!);
    if (!result.finished) {
      const heard = renderer.next(scaffold.observe(task, result));
      return {
        finished: false,
        heard: [...renderer.forcedEnd, ...heard],
        turnTokens: turnTokens[state.turn]!,
      };
    }
    const { passed } = await episode.evaluate();
    await episode.close();
    if (!passed) throw new Error(`the solution of ${task.id} fails when it is replayed`);
    return { finished: true, heard: [], turnTokens: 0 };
  };
  const episodes = programs.map(({ task, turnTokens }) => ({
    prompt: renderer.start(scaffold.start(task)),
    turnTokens: turnTokens[0]!,
  }));
  const { ms } = await peer.call<{ ms: number }>(
    "rollouts",
    { episodes, ...how },
    async (asked) => {
      return { replies: await Promise.all((asked as StepRequest).episodes.map(stepEpisode)) };
    },
  );
  return ms / 1000;
}
