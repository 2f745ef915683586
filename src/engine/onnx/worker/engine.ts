/**
 * The embedded engine as the rest of the program sees it: it checks what it is given and passes it to the worker.
 */
import { availableParallelism } from "node:os";
import { BowlineError } from "../../../core/index.ts";
import type { Engine, EngineInfo, LoraOptions, SampleRequest } from "../../../spec/index.ts";
import {
  checkCotangents,
  checkOptimizerSteps,
  checkRow,
  checkSampleRequest,
  checkTemperature,
  requireValueHead,
} from "../../contract/index.ts";
import type { GgufExport, WrittenType } from "../checkpoint/index.ts";
import { type Provider, requireProvider } from "../graph/index.ts";
import {
  type ModelConfig,
  parseLoraOptions,
  parseModelConfig,
  parseValueHeadOptions,
  type ValueHeadOptions,
} from "../model/index.ts";
import type { EngineSetup } from "./protocol.ts";
import { linkWorker, type WorkerLink } from "./worker-link.ts";

/** What an embedded engine is made from. */
export interface OnnxEngineOptions {
  readonly model: ModelConfig;
  /** Of the first weights and of sampling. An integer. */
  readonly seed: number;
  /** Threads of every operation; default 2, or 1 on a single core. Another number rounds differently. */
  readonly threads?: number;
  /**
   * Rows whose keys and values are kept, busy or idle. Default: 512, as many of them at a time as come to need a
   * gibibyte, where what they have in common counts once.
   */
  readonly maxLiveRows?: number;
  /** Where operations run; default "cpu". One that is not there is refused, never replaced. */
  readonly provider?: Provider;
  /** Trains low-rank updates of these projections, as in PEFT; the weights themselves are frozen. Absent: full training. */
  readonly lora?: LoraOptions | undefined;
  /** A critic's value head on the last hidden state, for `values`. Absent: none. */
  readonly valueHead?: ValueHeadOptions | undefined;
  /** A Hugging Face folder or a GGUF file of this model, read in place of making weights from the seed. */
  readonly weights?: string | undefined;
}

/** The embedded engine can also write what other programs load. Each replaces the folder or file as a whole. */
export interface OnnxEngine extends Engine {
  /**
   * The adapter in PEFT's layout, with its base by name (`baseNameOf`); float32 (`F32`, the default) or bfloat16. An
   * `engine` error where all weights are trained.
   */
  exportAdapter(directory: string, dtype?: WrittenType): Promise<void>;
  /** A whole Hugging Face checkpoint, with the adapter merged in; no second copy is held. */
  exportMerged(directory: string, dtype?: WrittenType): Promise<void>;
  /** One GGUF file, for llama.cpp: the whole model, or the adapter for its base. */
  exportGguf(path: string, wanted: GgufExport): Promise<void>;
}

const CACHE_BYTES = 2 ** 30;
const DEFAULT_LIVE_ROWS = 512;
/** Rows for which there is room at full length, whatever the model. */
const LEAST_FULL_ROWS = 8;

/**
 * Starts the worker and initialises the weights. Throws `config` errors on bad options, `engine` errors on failure.
 * `connect` may put the engine elsewhere than in a thread of its own.
 */
export async function createOnnxEngine(
  options: OnnxEngineOptions,
  connect: (setup: EngineSetup) => Promise<WorkerLink> = linkWorker,
): Promise<OnnxEngine> {
  const model = parseModelConfig(options.model);
  const setup = {
    model,
    seed: wholeNumber("seed", options.seed, Number.MIN_SAFE_INTEGER),
    threads: wholeNumber("threads", options.threads ?? Math.min(2, availableParallelism()), 1),
    maxLiveRows: wholeNumber("maxLiveRows", options.maxLiveRows ?? DEFAULT_LIVE_ROWS, 1),
    maxCacheBytes: options.maxLiveRows === undefined ? cacheBytes(model) : undefined,
    provider: options.provider ?? "cpu",
    lora: options.lora && parseLoraOptions(options.lora, model),
    valueHead: options.valueHead && parseValueHeadOptions(options.valueHead, model),
    weights: options.weights,
  };
  await requireProvider(setup.provider);
  const link = await connect(setup);
  if (setup.weights !== undefined) await loadOrEnd(link, setup.weights);
  return engineOver(link, model, {
    name: "onnx",
    vocabularySize: model.vocabularySize,
    contextLength: model.contextLength,
    parameters: link.counts.parameters,
    trainableParameters: link.counts.trainableParameters,
    threads: setup.threads,
    capabilities: {
      entropy: true,
      value: setup.valueHead !== undefined,
      snapshot: true,
      gradientClip: true,
      discard: true,
    },
  });
}

/** The error of a folder that does not fit comes as it is, and no thread is left behind. */
async function loadOrEnd(link: WorkerLink, directory: string): Promise<void> {
  try {
    await link.call("load", { directory, moments: "kept" });
  } catch (error) {
    await link.terminate();
    throw error;
  }
}

function engineOver(link: WorkerLink, model: ModelConfig, info: EngineInfo): OnnxEngine {
  let closed: Promise<void> | undefined;
  return {
    info,
    async sample(requests, signal) {
      requests.forEach((request, index) => {
        checkSampleRequest(request, index, model);
      });
      let cancel = () => {};
      // Said with the request: a cancellation that follows it may come after its first token.
      const call = { requests: requests.map(plainRequest), aborted: signal?.aborted ?? false };
      const samples = link.call("sample", call, (id) => {
        cancel = () => link.post({ type: "cancel", id });
      });
      signal?.addEventListener("abort", cancel, { once: true });
      return samples.finally(() => signal?.removeEventListener("abort", cancel));
    },
    release(cacheKey) {
      link.post({ type: "release", cacheKey });
    },
    async evaluate(rows, options = {}) {
      const { temperature = 1, entropies = false, values = false, weights = "live" } = options;
      checkTemperature(temperature);
      if (values) requireValueHead(info.capabilities, "evaluate: values are asked for");
      const wired = rows.map((row, index) => checkRow(row, index, model));
      return link.call("evaluate", { rows: wired, temperature, entropies, values, weights });
    },
    async accumulate(rows, cotangents, { temperature = 1 } = {}) {
      checkTemperature(temperature);
      if (cotangents.some(({ values }) => values)) {
        requireValueHead(info.capabilities, "accumulate: values have cotangents");
      }
      const wired = rows.map((row, index) => checkRow(row, index, model));
      const wiredCotangents = checkCotangents(rows, cotangents);
      return link.call("accumulate", { rows: wired, cotangents: wiredCotangents, temperature });
    },
    async update(steps) {
      return link.call("update", { steps: checkOptimizerSteps(steps, info.capabilities) });
    },
    discard: () => link.call("discard", {}),
    publish: () => link.call("publish", {}),
    snapshot: () => link.call("snapshot", {}),
    save: (directory) => link.call("save", { directory }),
    load: (directory, { moments = "kept" } = {}) => link.call("load", { directory, moments }),
    exportAdapter: (directory, dtype) =>
      link.call("exportAdapter", { directory, ...(dtype && { dtype }) }),
    exportMerged: (directory, dtype) =>
      link.call("exportMerged", { directory, ...(dtype && { dtype }) }),
    exportGguf: (path, wanted) => link.call("exportGguf", { path, wanted }),
    close() {
      closed ??= link
        .call("close", {})
        .catch(() => undefined) // A dead worker is closed.
        .then(() => link.terminate());
      return closed;
    },
  };
}

/** Only what the contract names crosses the thread, whatever else the caller's object carries. */
function plainRequest(request: SampleRequest): SampleRequest {
  const { tokens, stream, maxTokens, temperature, stopIds, cacheKey } = request;
  const plain = { tokens: [...tokens], stream, maxTokens, temperature, stopIds: [...stopIds] };
  return cacheKey === undefined ? plain : { ...plain, cacheKey };
}

function cacheBytes(model: ModelConfig): number {
  const rowBytes = model.layers * model.kvHeads * model.headSize * model.contextLength * 2 * 4;
  return Math.max(CACHE_BYTES, LEAST_FULL_ROWS * rowBytes);
}

function wholeNumber(name: string, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new BowlineError("config", `engine.${name} must be a whole number, but it is ${value}`);
}
