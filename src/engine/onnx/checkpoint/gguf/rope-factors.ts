/**
 * Llama 3's rescaling of rotary frequencies. A GGUF file holds only its result: `rope_freqs.weight`, a divisor for
 * each pair. This file recovers parameters that give the same divisors.
 */
import type { RopeScaling } from "../../model/index.ts";
import { scaleRotaryFrequency } from "../../model/rope-scaling.ts";

/** The factors of all published models, and possible context lengths with the usual one first. */
const [LOW_FREQUENCY_FACTOR, HIGH_FREQUENCY_FACTOR] = [1, 4];
const ORIGINAL_LENGTHS = [8192, ...Array.from({ length: 17 }, (_, i) => 2 ** (i + 4))];
const TOLERANCE = 1e-4;

/** Returns the divisor of each rotary pair. */
export function computeRopeFactors(
  headSize: number,
  theta: number,
  scaling: RopeScaling,
): Float32Array {
  return Float32Array.from({ length: headSize / 2 }, (_, pair) => {
    const frequency = theta ** ((-2 * pair) / headSize);
    return frequency / scaleRotaryFrequency(frequency, scaling);
  });
}

/** Finds parameters with these divisors: "none" when all are 1, undefined when they are not Llama 3's. */
export function recoverRopeScaling(
  factors: Float32Array,
  headSize: number,
  theta: number,
): RopeScaling | "none" | undefined {
  if (factors.length !== headSize / 2) return undefined;
  if (factors.every((factor) => factor === 1)) return "none";
  const factor = Number(factors.reduce((a, b) => Math.max(a, b), 0).toPrecision(6));
  if (!(factor > 1 && Number.isFinite(factor))) return undefined;
  const candidates = ORIGINAL_LENGTHS.map((originalContextLength) => ({
    factor,
    lowFrequencyFactor: LOW_FREQUENCY_FACTOR,
    highFrequencyFactor: HIGH_FREQUENCY_FACTOR,
    originalContextLength,
  }));
  return candidates.find((scaling) => {
    const expected = computeRopeFactors(headSize, theta, scaling);
    return factors.every((found, i) => Math.abs(found / expected[i]! - 1) < TOLERANCE);
  });
}
