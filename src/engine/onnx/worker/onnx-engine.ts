/** The embedded engine as the rest of the program sees it: it checks its input and passes it to the worker. */
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
import { type DeviceTraffic, type Provider, shareDeviceTurns } from "../graph/index.ts";
import {
  BASE_TYPES,
  type BaseType,
  type ModelConfig,
  parseLoraOptions,
  parseModelConfig,
  parseValueHeadOptions,
  type ValueHeadOptions,
} from "../model/index.ts";
import { requireTrustedProvider } from "../provider-check/index.ts";
import type { EngineSetup } from "./protocol.ts";
import { startWorker, type WorkerLink } from "./worker-link.ts";

/** The options of an embedded engine. */
export interface OnnxEngineOptions {
  readonly model: ModelConfig;
  /** The seed of the initial weights and of sampling, an integer. */
  readonly seed: number;
  /** The threads of every operation. Default: 2, or 1 on a single core. Another number rounds differently. */
  readonly threads?: number;
  /**
   * The number of rows whose keys and values are kept, busy or idle. Default: 512, but at any time only as many as
   * need a gibibyte, where common prefixes count once.
   */
  readonly maxLiveRows?: number;
  /** Where operations run. Default: "cpu". A provider that does not work here is an error and is never replaced. */
  readonly provider?: Provider;
  /** Trains low-rank updates of these projections, as in PEFT, and freezes the weights. Absent: trains all weights. */
  readonly lora?: LoraOptions | undefined;
  /**
   * How the frozen weights are stored: float32 (the default), or eight or four bits in blocks of 32. Without `lora`
   * such an engine only samples and evaluates.
   */
  readonly base?: BaseType | undefined;
  /** Adds a critic's value head on the last hidden state, which gives `values`. When absent, there is none. */
  readonly valueHead?: ValueHeadOptions | undefined;
  /**
   * A Hugging Face folder or a GGUF file of this model, which is read instead of making weights from the seed. An
   * adapter in the folder is not read; `load` does that.
   */
  readonly weights?: string | undefined;
}

/**
 * The embedded engine, which also writes files for other programs. An export replaces the folder or file as a whole.
 */
export interface OnnxEngine extends Engine {
  /**
   * Writes the adapter in PEFT's layout, with the name of its base (`findBaseName`), in float32 (`F32`, the default)
   * or bfloat16. Throws an `engine` error when all weights are trained.
   */
  exportAdapter(directory: string, dtype?: WrittenType): Promise<void>;
  /** Writes a whole Hugging Face checkpoint with the adapter merged in. No second copy is held in memory. */
  exportMerged(directory: string, dtype?: WrittenType): Promise<void>;
  /** Writes one GGUF file for llama.cpp: the whole model, or the adapter for its base. */
  exportGguf(path: string, options: GgufExport): Promise<void>;
  /** Returns the bytes that crossed to the device and back since the engine started. Both are 0 on the CPU. */
  readTraffic(): Promise<DeviceTraffic>;
}

const MIN_CACHE_BYTES = 2 ** 30;
const DEFAULT_LIVE_ROWS = 512;
/** The number of rows for which there is room at full length, whatever the model. */
const MIN_FULL_ROWS = 8;

/**
 * Starts the worker and initialises the weights. Throws `config` errors for invalid options and `engine` errors on
 * failure. `connect` may run the engine elsewhere than in its own thread.
 */
export async function createOnnxEngine(
  options: OnnxEngineOptions,
  connect: (setup: EngineSetup) => Promise<WorkerLink> = startWorker,
): Promise<OnnxEngine> {
  const model = parseModelConfig(options.model);
  const setup = {
    model,
    seed: requireWholeNumber("seed", options.seed, Number.MIN_SAFE_INTEGER),
    threads: requireWholeNumber(
      "threads",
      options.threads ?? Math.min(2, availableParallelism()),
      1,
    ),
    maxLiveRows: requireWholeNumber("maxLiveRows", options.maxLiveRows ?? DEFAULT_LIVE_ROWS, 1),
    maxCacheBytes: options.maxLiveRows === undefined ? defaultCacheBytes(model) : undefined,
    provider: options.provider ?? "cpu",
    lora: options.lora && parseLoraOptions(options.lora, model),
    base: requireBaseType(options.base ?? "f32"),
    valueHead: options.valueHead && parseValueHeadOptions(options.valueHead, model),
    weights: options.weights,
  };
  await requireTrustedProvider(setup.provider);
  if (setup.provider !== "cpu") shareDeviceTurns();
  const link = await connect(setup);
  if (setup.weights !== undefined) await loadOrTerminate(link, setup.weights);
  const base = setup.base === "f32" ? undefined : await link.call("describeBase", {});
  return createEngineOverLink(link, model, {
    name: "onnx",
    ...(base && { base }),
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
      filteredSamples: true,
      // Other devices have no double precision, which ratios need.
      ratioCotangents: setup.provider === "cpu",
    },
  });
}

/** Loads a folder. When that fails, ends the thread and throws the error unchanged. */
async function loadOrTerminate(link: WorkerLink, directory: string): Promise<void> {
  try {
    await link.call("load", { directory, moments: "kept", asModel: true });
  } catch (error) {
    await link.terminate();
    throw error;
  }
}

function createEngineOverLink(link: WorkerLink, model: ModelConfig, info: EngineInfo): OnnxEngine {
  let closed: Promise<void> | undefined;
  return {
    info,
    async sample(requests, signal) {
      requests.forEach((request, index) => {
        checkSampleRequest(request, index, model);
      });
      let cancel = () => {};
      // The abort state travels with the request, because a cancellation sent after it may arrive after the first
      // token.
      const call = { requests: requests.map(copyRequest), aborted: signal?.aborted ?? false };
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
      const wiredCotangents = checkCotangents(rows, cotangents, info.capabilities);
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
    exportGguf: (path, options) => link.call("exportGguf", { path, options }),
    readTraffic: () => link.call("readTraffic", {}),
    close() {
      closed ??= link
        .call("close", {})
        .catch(() => undefined) // A dead worker counts as closed.
        .then(() => link.terminate());
      return closed;
    },
  };
}

/** Returns a copy with only the fields of the contract, so that nothing else is sent to the thread. */
function copyRequest(request: SampleRequest): SampleRequest {
  const { tokens, stream, maxTokens, temperature, stopIds, filter, cacheKey } = request;
  const plain = { tokens: [...tokens], stream, maxTokens, temperature, stopIds: [...stopIds] };
  return {
    ...plain,
    ...(filter && { filter: { ...filter } }),
    ...(cacheKey !== undefined && { cacheKey }),
  };
}

function defaultCacheBytes(model: ModelConfig): number {
  const rowBytes = model.layers * model.kvHeads * model.headSize * model.contextLength * 2 * 4;
  return Math.max(MIN_CACHE_BYTES, MIN_FULL_ROWS * rowBytes);
}

function requireBaseType(base: BaseType): BaseType {
  if (BASE_TYPES.includes(base)) return base;
  throw new BowlineError(
    "config",
    `engine.base: expected one of ${BASE_TYPES.join(", ")}, got ${String(base)}`,
  );
}

function requireWholeNumber(name: string, value: number, minimum: number): number {
  if (Number.isSafeInteger(value) && value >= minimum) return value;
  throw new BowlineError("config", `engine.${name} must be a whole number, but it is ${value}`);
}
