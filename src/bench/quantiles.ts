/**
 * Times as their median and 99th percentile, each the median over rounds: one busy second of the machine moves neither.
 */

/** In the unit that the field's name ends with. */
export interface Quantiles {
  readonly p50: number;
  readonly p99: number;
}

/** Runs `rounds` times `samples` measurements; `sample` gets a running index and returns its own time. */
export async function measure(
  rounds: number,
  samples: number,
  sample: (index: number) => Promise<number>,
): Promise<Quantiles> {
  const found: Quantiles[] = [];
  for (let round = 0; round < rounds; round++) {
    const times: number[] = [];
    for (let i = 0; i < samples; i++) times.push(await sample(round * samples + i));
    found.push(quantiles(times));
  }
  return {
    p50: rounded(median(found.map(({ p50 }) => p50))),
    p99: rounded(median(found.map(({ p99 }) => p99))),
  };
}

export function quantiles(times: readonly number[]): Quantiles {
  return { p50: rounded(quantile(times, 0.5)), p99: rounded(quantile(times, 0.99)) };
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Linear between neighbours. `values` has at least one. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!];
  return low + (high - low) * (at - Math.floor(at));
}

/** Three digits after the point: a microsecond, where the unit is a millisecond. */
export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** Milliseconds that `run` takes. */
export async function elapsedMs(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}
