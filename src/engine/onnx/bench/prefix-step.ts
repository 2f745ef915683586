/**
 * Measures a LoRA step over rows with a shared prefix, computed once or in each row, for `bench prefix`. Weights and
 * tokens come from a seed, so every process has the same.
 */
import { Rng } from "../../../core/index.ts";
import type { Row } from "../../../spec/index.ts";
import {
  AdapterStore,
  initializeAdapter,
  initializeParameters,
  type ModelConfig,
  ParameterStore,
  parseLoraOptions,
  parseModelConfig,
} from "../model/index.ts";
import { Trainer } from "../train/index.ts";

/** The work that `bench prefix` measures. */
export interface PrefixWork {
  readonly model: ModelConfig;
  readonly rows: number;
  /** The number of tokens that all rows begin with. */
  readonly shared: number;
  /** The number of tokens that each row has after them. Every second one is requested. */
  readonly own: number;
  readonly threads: number;
  /** Whether the shared tokens are computed once. */
  readonly once: boolean;
}

/** The result of `measurePrefixStep`. */
export interface PrefixStepResult {
  /** The time of forward and backward for all rows. */
  readonly seconds: number;
  /** The peak resident memory without one copy of the weights, in MB of 2^20 bytes. */
  readonly peakMb: number;
  /** The gradient of the adapter. */
  readonly gradient: Float32Array;
}

const SEED = 1;

/** Runs and measures one step. Run it in its own process, because it reports the process's peak memory. */
export async function measurePrefixStep(work: PrefixWork): Promise<PrefixStepResult> {
  const config = parseModelConfig(work.model);
  const parameters = new ParameterStore(config);
  initializeParameters(parameters, SEED);
  const trainer = new Trainer(parameters, {
    threads: work.threads,
    adapter: createAdapter(config),
    sharePrefixes: work.once,
  });
  const rows = createRows(work, config.vocabularySize);
  const cotangents = rows.map(({ at }) => ({ logprobs: Array.from(at, () => 1 / at.length) }));
  const start = performance.now();
  await trainer.accumulate(rows, cotangents);
  const seconds = (performance.now() - start) / 1000;
  await trainer.close();
  const peakMb = process.resourceUsage().maxRSS / 1024 - parameters.data.byteLength / 2 ** 20;
  return { seconds, peakMb, gradient: trainer.gradient };
}

/** Returns an adapter that is not at its initial values, so that both factors have a gradient. */
function createAdapter(config: ModelConfig): AdapterStore {
  const options = { rank: 16, alpha: 32, targetModules: "all-linear" };
  const adapter = new AdapterStore(config, parseLoraOptions(options, config));
  initializeAdapter(adapter, SEED);
  const rng = new Rng(SEED);
  for (const { offset, size } of adapter.parameters) {
    for (let i = offset; i < offset + size; i++) adapter.data[i]! += 0.01 * rng.normal();
  }
  return adapter;
}

function createRows({ rows, shared, own }: PrefixWork, vocabularySize: number): Row[] {
  const rng = new Rng(SEED);
  const randomTokens = (length: number) =>
    Array.from({ length }, () => rng.integer(0, vocabularySize - 1));
  const prefix = randomTokens(shared);
  const at = Array.from({ length: Math.floor(own / 2) }, (_, i) => shared + 1 + 2 * i);
  return Array.from({ length: rows }, () => ({ tokens: [...prefix, ...randomTokens(own)], at }));
}
