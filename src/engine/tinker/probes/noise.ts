/** By how much the same pass twice differs. Dropout, and sums in varying order, make a pass noisy. */

import type { Trainer } from "./probe-trainer.ts";
import type { Example } from "./probed-model.ts";
import { maxGap } from "./rows.ts";

/** Passes are averaged where single ones differ by more, nats. */
const MAX_QUIET_GAP_NATS = 1e-3;
const AVERAGED_PASSES = 4;

export interface Noise {
  /** Largest difference of a token's log-prob to the first pass, nats. */
  readonly gap: number;
  readonly passes: number;
}

/** The trainer knows it from then on, and averages where it has to. */
export async function measureNoise({
  trainer,
  example,
}: {
  readonly trainer: Trainer;
  readonly example: Example;
}): Promise<Noise> {
  const passes: (readonly number[])[] = [];
  for (let i = 0; i < 4; i++) passes.push((await trainer.readLogprobs([example]))[0]!);
  const gap = Math.max(...passes.slice(1).map((pass) => maxGap(pass, passes[0]!)));
  trainer.noise = gap;
  trainer.repeats = gap > MAX_QUIET_GAP_NATS ? AVERAGED_PASSES : 1;
  return { gap, passes: passes.length };
}
