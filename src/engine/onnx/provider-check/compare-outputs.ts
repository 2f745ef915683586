/** Compares what two providers computed, and says in a sentence what deviates. */
import type { Outputs } from "./operator-cases.ts";

/** The largest difference, as a share of an output's own size, that is rounding and no fault. */
export const MAX_DEVIATION = 1e-3;

/** An output in which a provider differs from the CPU. */
export interface Deviation {
  /** The operator, or the part of the engine. */
  readonly of: string;
  readonly output: string;
  /** The norm of the difference over the norm of the CPU's output. */
  readonly relative: number;
}

/** Returns how far each output is from the CPU's. Integers are equal (0) or not (1). */
export function measureDeviations(of: string, cpu: Outputs, other: Outputs): Deviation[] {
  return Object.entries(cpu).map(([output, expected]) => {
    const found = other[output];
    const isComparable =
      found?.constructor === expected.constructor && found.length === expected.length;
    const relative = isComparable ? relativeDistance(expected, found) : Number.MAX_VALUE;
    return { of, output, relative };
  });
}

function relativeDistance(expected: Outputs[string], found: Outputs[string]): number {
  if (!(expected instanceof Float32Array)) {
    return expected.every((value: number | bigint, i: number) => value === found[i]) ? 0 : 1;
  }
  let [difference, size] = [0, 0];
  for (let i = 0; i < expected.length; i++) {
    difference += (Number(found[i]) - expected[i]!) ** 2;
    size += expected[i]! ** 2;
  }
  const distance = Math.sqrt(difference / Math.max(size, Number.MIN_VALUE));
  return Number.isFinite(distance) ? distance : Number.MAX_VALUE;
}

/** Returns the outputs that deviate by more than rounding, the operators first. */
export function findFaults(deviations: readonly Deviation[]): Deviation[] {
  return deviations.filter(({ relative }) => relative > MAX_DEVIATION);
}

export function describeFault({ of, output, relative }: Deviation): string {
  const size = relative < Number.MAX_VALUE ? relative.toPrecision(2) : "more than any number";
  return `${of}: ${output} differs by ${size} of its size (expected at most ${MAX_DEVIATION})`;
}
