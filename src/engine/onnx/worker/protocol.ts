/** The messages between the two halves of the engine: requests with an id and an answer, and messages without. */
import type { ErrorCode } from "../../../core/index.ts";
import type {
  EvaluateOptions,
  FrozenBase,
  GroupSteps,
  OptimizerMoments,
  Sample,
  SampleRequest,
  TokenOutputs,
  UpdateResult,
} from "../../../spec/index.ts";
import type { CheckedCotangents, CheckedRow } from "../../contract/index.ts";
import type { GgufExport, WrittenType } from "../checkpoint/index.ts";
import type { DeviceTraffic, Provider } from "../graph/index.ts";
import type { BaseType, LoraConfig, ModelConfig, ValueHeadConfig } from "../model/index.ts";

/** The options that the worker gets at its start. */
export interface EngineSetup {
  readonly model: ModelConfig;
  readonly seed: number;
  readonly threads: number;
  readonly maxLiveRows: number;
  /** The most bytes that their keys and values may need. When absent, only the number of rows is limited. */
  readonly maxCacheBytes?: number | undefined;
  readonly provider: Provider;
  readonly lora?: LoraConfig | undefined;
  /** How the frozen weights are stored. Default: f32. */
  readonly base?: BaseType | undefined;
  readonly valueHead?: ValueHeadConfig | undefined;
  /** The folder that will be loaded first. When absent, weights are made from the seed. */
  readonly weights?: string | undefined;
}

/** Each request type with its arguments and its answer. */
export interface EngineCalls {
  /** `aborted` means that the request was cancelled before it was sent. */
  sample: {
    args: { requests: readonly SampleRequest[]; aborted: boolean };
    answer: readonly Sample[];
  };
  evaluate: {
    args: {
      rows: readonly CheckedRow[];
      temperature: number;
      entropies: boolean;
      values: boolean;
      weights: NonNullable<EvaluateOptions["weights"]>;
    };
    answer: readonly TokenOutputs[];
  };
  accumulate: {
    args: {
      rows: readonly CheckedRow[];
      cotangents: readonly CheckedCotangents[];
      temperature: number;
    };
    answer: readonly TokenOutputs[];
  };
  update: { args: { steps: GroupSteps }; answer: UpdateResult };
  discard: { args: object; answer: undefined };
  publish: { args: object; answer: number };
  snapshot: { args: object; answer: undefined };
  save: { args: { directory: string }; answer: undefined };
  /** With `asModel`, a folder that also holds an adapter is read as a model. */
  load: {
    args: { directory: string; moments: OptimizerMoments; asModel?: boolean };
    answer: undefined;
  };
  exportAdapter: { args: { directory: string; dtype?: WrittenType }; answer: undefined };
  exportMerged: { args: { directory: string; dtype?: WrittenType }; answer: undefined };
  exportGguf: { args: { path: string; options: GgufExport }; answer: undefined };
  /** Answers how a quantised base is stored, or undefined for float32. */
  describeBase: { args: object; answer: FrozenBase | undefined };
  readTraffic: { args: object; answer: DeviceTraffic };
  close: { args: object; answer: undefined };
}
export type EngineCallType = keyof EngineCalls;

export type WorkerRequest = {
  [T in EngineCallType]: { readonly type: T; readonly id: number } & EngineCalls[T]["args"];
}[EngineCallType];

/**
 * Messages to the worker. `cancel` ends a `sample` request early, and `release` drops a prefix. Neither is answered.
 */
export type MessageToWorker =
  | WorkerRequest
  | { readonly type: "cancel"; readonly id: number }
  | { readonly type: "release"; readonly cacheKey: string };

/** An error as plain data. */
export interface WireError {
  /** When absent, the error is a bug and not an expected one. */
  readonly code?: ErrorCode;
  readonly message: string;
}

/** The numbers of weights of an engine. */
export interface ParameterCounts {
  /** The number of the model's weights, without an adapter. */
  readonly parameters: number;
  /** The number of weights that updates change: the adapter's, or all. */
  readonly trainableParameters: number;
}

export type MessageFromWorker =
  | ({ readonly type: "ready" } & ParameterCounts)
  | { readonly type: "answer"; readonly id: number; readonly value: unknown }
  | { readonly type: "failure"; readonly id: number; readonly error: WireError };
