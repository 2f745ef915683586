/** What the engine's two halves say to each other: requests with an id, one answer each, and what needs no answer. */
import type { ErrorCode } from "../../../core/index.ts";
import type {
  EvaluateOptions,
  GroupSteps,
  Moments,
  Sample,
  SampleRequest,
  TokenOutputs,
  UpdateResult,
} from "../../../spec/index.ts";
import type { CheckedCotangents, CheckedRow } from "../../contract/index.ts";
import type { GgufExport, WrittenType } from "../checkpoint/index.ts";
import type { Provider } from "../graph/index.ts";
import type { LoraConfig, ModelConfig, ValueHeadConfig } from "../model/index.ts";

/** Given to the worker at its start. */
export interface EngineSetup {
  readonly model: ModelConfig;
  readonly seed: number;
  readonly threads: number;
  readonly maxLiveRows: number;
  /** What their keys and values may come to take; absent: no limit but the rows. */
  readonly maxCacheBytes?: number | undefined;
  readonly provider: Provider;
  readonly lora?: LoraConfig | undefined;
  readonly valueHead?: ValueHeadConfig | undefined;
  /** The folder that will be loaded first; absent: weights are made from the seed. */
  readonly weights?: string | undefined;
}

/** Each request type with its arguments and its answer. */
export interface Calls {
  /** `aborted`: cancelled before it was sent. */
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
  load: { args: { directory: string; moments: Moments }; answer: undefined };
  exportAdapter: { args: { directory: string; dtype?: WrittenType }; answer: undefined };
  exportMerged: { args: { directory: string; dtype?: WrittenType }; answer: undefined };
  exportGguf: { args: { path: string; wanted: GgufExport }; answer: undefined };
  close: { args: object; answer: undefined };
}
export type CallType = keyof Calls;

export type Request = {
  [T in CallType]: { readonly type: T; readonly id: number } & Calls[T]["args"];
}[CallType];

/** `cancel` ends a `sample` request early; `release` forgets a prefix. Neither is answered. */
export type ToWorker =
  | Request
  | { readonly type: "cancel"; readonly id: number }
  | { readonly type: "release"; readonly cacheKey: string };

export interface WireError {
  /** Absent: a bug, not a boundary error. */
  readonly code?: ErrorCode;
  readonly message: string;
}

/** Numbers of weights. */
export interface ParameterCounts {
  /** Of the model, without an adapter. */
  readonly parameters: number;
  /** What updates change: those of the adapter, or all. */
  readonly trainableParameters: number;
}

export type FromWorker =
  | ({ readonly type: "ready" } & ParameterCounts)
  | { readonly type: "answer"; readonly id: number; readonly value: unknown }
  | { readonly type: "failure"; readonly id: number; readonly error: WireError };
