/**
 * Llama 3's rescaling of rotary frequencies, which a GGUF file holds as its result: `rope_freqs.weight`, a divisor for each
 * pair. From these the parameters are found again, as far as they matter: those that give the same divisors.
 */
import type { RopeScaling } from "../../model/index.ts";
import { scaleRotaryFrequency } from "../../model/rope-scaling.ts";

/** Those of all published models; the length comes first that they have. */
const [LOW, HIGH] = [1, 4];
const LENGTHS = [8192, ...Array.from({ length: 17 }, (_, i) => 2 ** (i + 4))];
const TOLERANCE = 1e-4;

/** The divisor of each pair. */
export function ropeFactors(headSize: number, theta: number, scaling: RopeScaling): Float32Array {
  return Float32Array.from({ length: headSize / 2 }, (_, pair) => {
    const frequency = theta ** ((-2 * pair) / headSize);
    return frequency / scaleRotaryFrequency(frequency, scaling);
  });
}

/** "none": all divisors are 1. Undefined: they are not those of Llama 3. */
export function scalingFrom(
  factors: Float32Array,
  headSize: number,
  theta: number,
): RopeScaling | "none" | undefined {
  if (factors.length !== headSize / 2) return undefined;
  if (factors.every((factor) => factor === 1)) return "none";
  const factor = Number(factors.reduce((a, b) => Math.max(a, b), 0).toPrecision(6));
  if (!(factor > 1 && Number.isFinite(factor))) return undefined;
  const candidates = LENGTHS.map((originalContextLength) => ({
    factor,
    lowFrequencyFactor: LOW,
    highFrequencyFactor: HIGH,
    originalContextLength,
  }));
  return candidates.find((scaling) => {
    const expected = ropeFactors(headSize, theta, scaling);
    return factors.every((found, i) => Math.abs(found / expected[i]! - 1) < TOLERANCE);
  });
}
