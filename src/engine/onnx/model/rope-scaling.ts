/**
 * Llama 3's rotary scaling for longer contexts: slow rotary frequencies are slowed further, and fast ones stay as
 * they are so that neighbours remain distinguishable.
 *
 * A pair that turns fewer than `lowFrequencyFactor` times in an original context is divided by `factor`. A pair that
 * turns more than `highFrequencyFactor` times is unchanged. Between them the two are mixed linearly in the number of
 * turns. The arithmetic is that of `_compute_llama3_parameters` in transformers (in 32 bits there, in 64 here).
 */
import type { RopeScaling } from "./config.ts";

/** Returns the scaled rotary frequency. Both frequencies are in radians per token. */
export function scaleRotaryFrequency(frequency: number, scaling: RopeScaling): number {
  const { factor, lowFrequencyFactor, highFrequencyFactor, originalContextLength } = scaling;
  const turns = (originalContextLength * frequency) / (2 * Math.PI);
  if (turns > highFrequencyFactor) return frequency;
  if (turns < lowFrequencyFactor) return frequency / factor;
  const smooth = (turns - lowFrequencyFactor) / (highFrequencyFactor - lowFrequencyFactor);
  return ((1 - smooth) * frequency) / factor + smooth * frequency;
}
