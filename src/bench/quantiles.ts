/**
 * Computes the median and the 99th percentile of times. Each is the median over rounds, so that one slow second of the
 * machine changes neither.
 */

/** The median and the 99th percentile, in the unit at the end of the field's name. */
export interface Quantiles {
  readonly p50: number;
  readonly p99: number;
}

/**
 * Takes `samples` measurements in each of `rounds` rounds. `sample` gets a running index and returns the time that it
 * measured.
 */
export async function measureQuantiles(
  rounds: number,
  samples: number,
  sample: (index: number) => Promise<number>,
): Promise<Quantiles> {
  const roundQuantiles: Quantiles[] = [];
  for (let round = 0; round < rounds; round++) {
    const times: number[] = [];
    for (let i = 0; i < samples; i++) times.push(await sample(round * samples + i));
    roundQuantiles.push(computeQuantiles(times));
  }
  return {
    p50: roundToThousandths(median(roundQuantiles.map(({ p50 }) => p50))),
    p99: roundToThousandths(median(roundQuantiles.map(({ p99 }) => p99))),
  };
}

export function computeQuantiles(times: readonly number[]): Quantiles {
  return {
    p50: roundToThousandths(quantile(times, 0.5)),
    p99: roundToThousandths(quantile(times, 0.99)),
  };
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Returns a quantile, interpolated linearly between neighbours. `values` must not be empty. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!];
  return low + (high - low) * (at - Math.floor(at));
}

/** Rounds to three digits after the point, which is a microsecond when the unit is a millisecond. */
export function roundToThousandths(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** Returns the milliseconds that `run` takes. */
export async function elapsedMs(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}
