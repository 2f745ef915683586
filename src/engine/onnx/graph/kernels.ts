/**
 * ONNX Runtime's kernels, loaded by whoever needs them first. The package `onnxruntime-node` is an optional part of this
 * one: worlds, playing, reports and remote engines work without its 288 MB, and so does every import. What we use of it is
 * declared here, because declarations that named the package would not compile where it is left out.
 */
import { createRequire } from "node:module";
import { BowlineError, messageOf } from "../../../core/index.ts";

export type TensorData = Float32Array | Int32Array | BigInt64Array | Uint8Array;

export interface Tensor {
  readonly type: string;
  readonly data: unknown;
  readonly dims: readonly number[];
}

/** A graph made ready to run. */
export interface RuntimeSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(
    feeds: { readonly [name: string]: Tensor },
    fetches: { readonly [name: string]: Tensor | null },
  ): Promise<{ readonly [name: string]: Tensor }>;
  release(): Promise<void>;
}

/** As onnxruntime's `InferenceSession.SessionOptions`. */
export interface RuntimeOptions {
  readonly executionProviders: string[];
  readonly intraOpNumThreads?: number;
  readonly interOpNumThreads?: number;
  readonly executionMode?: "sequential";
  readonly graphOptimizationLevel?: "disabled" | "basic" | "extended" | "all";
  readonly enableCpuMemArena?: boolean;
  readonly enableMemPattern?: boolean;
  readonly logSeverityLevel?: 3 | 4;
  readonly extra?: Record<string, unknown>;
  readonly freeDimensionOverrides?: Readonly<Record<string, number>>;
  readonly enableProfiling?: boolean;
  readonly profileFilePrefix?: string;
}

/** What we use of `onnxruntime-node`. */
export interface Kernels {
  readonly env: {
    logLevel?: "verbose" | "info" | "warning" | "error" | "fatal";
    readonly versions: { readonly common: string; readonly node?: string };
  };
  readonly InferenceSession: {
    create(model: Uint8Array, options: RuntimeOptions): Promise<RuntimeSession>;
  };
  readonly Tensor: new (
    type: "float32" | "int32" | "int64" | "bool",
    data: TensorData,
    dims: readonly number[],
  ) => Tensor;
  listSupportedBackends(): { readonly name: string }[];
}

const NAME = "onnxruntime-node";
/** As in package.json's `optionalDependencies`. */
const VERSION = "1.30";
/** Its install script fetches parts for GPUs from the network, and is not needed. */
export const INSTALL_KERNELS = `npm install --save-optional --ignore-scripts ${NAME}@${VERSION}`;
const PLATFORMS = ["linux-x64", "linux-arm64", "darwin-arm64", "win32-x64", "win32-arm64"];

let loaded: Kernels | undefined;

/** The runtime, the same in every call. Throws an `engine` error that says how it is installed when it is not there. */
export function kernels(): Kernels {
  loaded ??= loadKernels(createRequire(import.meta.url));
  return loaded;
}

/** `load` is a `require`. */
export function loadKernels(load: (name: string) => unknown): Kernels {
  try {
    return load(NAME) as Kernels;
  } catch (cause) {
    throw new BowlineError("engine", refusal(cause), { cause });
  }
}

function refusal(cause: unknown): string {
  const platform = `${process.platform}-${process.arch}`;
  const needs = "the embedded engine (engine.name onnx) needs the kernels of ONNX Runtime";
  if (!PLATFORMS.includes(platform)) {
    return `${needs}, and ${NAME} has none for ${platform} (it has ${PLATFORMS.join(", ")}); --engine tinker trains on a server`;
  }
  const [why = ""] = messageOf(cause).split("\n");
  const isAbsent = why.startsWith(`Cannot find module '${NAME}'`);
  const state = isAbsent ? `${NAME} is not installed` : `${NAME} cannot be loaded (${why})`;
  return `${needs}, and ${state}; install them with: ${INSTALL_KERNELS}`;
}

/** What `bowline doctor` says of this machine. */
export type KernelState =
  | { readonly installed: true; readonly version: string; readonly providers: readonly string[] }
  | { readonly installed: false; readonly problem: string };

/** Loads the kernels to see whether they load. */
export function kernelState(): KernelState {
  try {
    const { env, listSupportedBackends } = kernels();
    const version = env.versions.node ?? env.versions.common;
    const providers = listSupportedBackends().map(({ name }) => name);
    return { installed: true, version, providers };
  } catch (error) {
    return { installed: false, problem: messageOf(error) };
  }
}
