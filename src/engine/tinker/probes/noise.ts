/** Measures by how much two equal passes differ. Dropout and sums in varying order make a pass noisy. */

import type { Trainer } from "./probe-trainer.ts";
import type { Example } from "./probed-model.ts";
import { maxDifference } from "./rows.ts";

/** The difference between two passes, in nats, above which passes are averaged. */
const MAX_QUIET_GAP_NATS = 1e-3;
const AVERAGED_PASSES = 4;

export interface Noise {
  /** The largest difference of a token's log-prob from that in the first pass, in nats. */
  readonly gap: number;
  readonly passes: number;
}

/** Measures the noise and tells the trainer. If passes are noisy, the trainer averages all later passes. */
export async function measureNoise({
  trainer,
  example,
}: {
  readonly trainer: Trainer;
  readonly example: Example;
}): Promise<Noise> {
  const passes: (readonly number[])[] = [];
  for (let i = 0; i < 4; i++) passes.push((await trainer.readLogprobs([example]))[0]!);
  const gap = Math.max(...passes.slice(1).map((pass) => maxDifference(pass, passes[0]!)));
  trainer.noise = gap;
  trainer.repeats = gap > MAX_QUIET_GAP_NATS ? AVERAGED_PASSES : 1;
  return { gap, passes: passes.length };
}
