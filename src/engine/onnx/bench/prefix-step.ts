/**
 * One step of LoRA over rows that begin alike, with what they share computed once or in each: what `bench prefix` times.
 * Weights and tokens come from a seed, so every process has the same.
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

export interface PrefixWork {
  readonly model: ModelConfig;
  readonly rows: number;
  /** Tokens that all rows begin with. */
  readonly shared: number;
  /** Tokens that each row has besides; every second one is asked for. */
  readonly own: number;
  readonly threads: number;
  /** Whether the shared tokens are computed once. */
  readonly once: boolean;
}

export interface PrefixStep {
  /** Forward and backward, all rows. */
  readonly seconds: number;
  /** The most that was resident, less one copy of the weights, in MB of 2^20 bytes. */
  readonly peakMb: number;
  /** Of the adapter. */
  readonly gradient: Float32Array;
}

const SEED = 1;

/** In a process of its own: the peak is the process's. */
export async function prefixStep(work: PrefixWork): Promise<PrefixStep> {
  const config = parseModelConfig(work.model);
  const parameters = new ParameterStore(config);
  initializeParameters(parameters, SEED);
  const trainer = new Trainer(parameters, {
    threads: work.threads,
    adapter: adapterOf(config),
    sharePrefixes: work.once,
  });
  const rows = rowsOf(work, config.vocabularySize);
  const cotangents = rows.map(({ at }) => ({ logprobs: Array.from(at, () => 1 / at.length) }));
  const start = performance.now();
  await trainer.accumulate(rows, cotangents);
  const seconds = (performance.now() - start) / 1000;
  await trainer.close();
  const peakMb = process.resourceUsage().maxRSS / 1024 - parameters.data.byteLength / 2 ** 20;
  return { seconds, peakMb, gradient: trainer.gradient };
}

/** Away from where training begins, so that both factors have a gradient. */
function adapterOf(config: ModelConfig): AdapterStore {
  const options = { rank: 16, alpha: 32, targetModules: "all-linear" };
  const adapter = new AdapterStore(config, parseLoraOptions(options, config));
  initializeAdapter(adapter, SEED);
  const rng = new Rng(SEED);
  for (const { offset, size } of adapter.parameters) {
    for (let i = offset; i < offset + size; i++) adapter.data[i]! += 0.01 * rng.normal();
  }
  return adapter;
}

function rowsOf({ rows, shared, own }: PrefixWork, vocabularySize: number): Row[] {
  const rng = new Rng(SEED);
  const draw = (length: number) => Array.from({ length }, () => rng.integer(0, vocabularySize - 1));
  const prefix = draw(shared);
  const at = Array.from({ length: Math.floor(own / 2) }, (_, i) => shared + 1 + 2 * i);
  return Array.from({ length: rows }, () => ({ tokens: [...prefix, ...draw(own)], at }));
}
