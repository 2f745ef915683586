/**
 * Llama 3's longer context: slow rotary frequencies are slowed further, fast ones keep telling neighbours apart.
 *
 * A pair that turns fewer than `lowFrequencyFactor` times in an original context is divided by `factor`; one that turns
 * more than `highFrequencyFactor` times is left alone; between them the two are mixed linearly in the number of turns.
 * The arithmetic is that of `_compute_llama3_parameters` in transformers (there in 32 bits, here in 64).
 */
import type { RopeScaling } from "./config.ts";

/** `frequency` in radians a token, before and after. */
export function scaleFrequency(frequency: number, scaling: RopeScaling): number {
  const { factor, lowFrequencyFactor, highFrequencyFactor, originalContextLength } = scaling;
  const turns = (originalContextLength * frequency) / (2 * Math.PI);
  if (turns > highFrequencyFactor) return frequency;
  if (turns < lowFrequencyFactor) return frequency / factor;
  const smooth = (turns - lowFrequencyFactor) / (highFrequencyFactor - lowFrequencyFactor);
  return ((1 - smooth) * frequency) / factor + smooth * frequency;
}
