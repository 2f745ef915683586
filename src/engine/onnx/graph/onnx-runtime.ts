/**
 * Loads ONNX Runtime when it is first needed. The package `onnxruntime-node` is an optional dependency: worlds,
 * playing, reports, remote engines and every import work without its 288 MB. The parts of it that we use are declared
 * here, because declarations that named the package would not compile where it is not installed.
 */
import { createRequire } from "node:module";
import { BowlineError, errorMessage } from "../../../core/index.ts";

export type TensorData = Float32Array | Float64Array | Int32Array | BigInt64Array | Uint8Array;

export interface Tensor {
  readonly type: string;
  readonly data: unknown;
  readonly dims: readonly number[];
  /** Where the numbers lie. `data` of a tensor on the device throws. */
  readonly location?: string;
  readonly gpuBuffer?: unknown;
  dispose?(): void;
}

/** The types that tensors on a device may have. */
export type DeviceType = "float32" | "uint8" | "int32" | "int64" | "bool";

/** A graph that ONNX Runtime has loaded and can run. */
export interface RuntimeSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(
    feeds: { readonly [name: string]: Tensor },
    fetches: { readonly [name: string]: Tensor | null },
  ): Promise<{ readonly [name: string]: Tensor }>;
  release(): Promise<void>;
}

/** The options of ONNX Runtime's `InferenceSession.SessionOptions` that we use. */
export interface RuntimeOptions {
  readonly executionProviders: string[];
  readonly intraOpNumThreads?: number;
  readonly interOpNumThreads?: number;
  readonly executionMode?: "sequential";
  readonly graphOptimizationLevel?: "disabled" | "basic" | "extended" | "all";
  readonly enableCpuMemArena?: boolean;
  readonly enableMemPattern?: boolean;
  /** Constants whose bytes are not in the model, by the location that the model gives. */
  readonly externalData?: readonly { readonly path: string; readonly data: Uint8Array }[];
  /** Where outputs stay. The default is the memory of this thread. */
  readonly preferredOutputLocation?: "gpu-buffer";
  readonly logSeverityLevel?: 3 | 4;
  readonly extra?: Record<string, unknown>;
  readonly freeDimensionOverrides?: Readonly<Record<string, number>>;
  readonly enableProfiling?: boolean;
  readonly profileFilePrefix?: string;
}

/** The part of `onnxruntime-node` that we use. */
export interface OnnxRuntime {
  readonly env: {
    logLevel?: "verbose" | "info" | "warning" | "error" | "fatal";
    readonly versions: { readonly common: string; readonly node?: string };
  };
  readonly InferenceSession: {
    create(model: Uint8Array, options: RuntimeOptions): Promise<RuntimeSession>;
  };
  readonly Tensor: {
    new (
      type: "float32" | "float64" | "uint8" | "int32" | "int64" | "bool",
      data: TensorData,
      dims: readonly number[],
    ): Tensor;
    fromGpuBuffer(
      buffer: unknown,
      options: { readonly dataType: DeviceType; readonly dims: readonly number[] },
    ): Tensor;
  };
  listSupportedBackends(): { readonly name: string }[];
}

const PACKAGE = "onnxruntime-node";
/** The same version as in package.json's `optionalDependencies`. */
const PACKAGE_VERSION = "1.30";
/** The command that installs ONNX Runtime. It skips the package's install script, which only fetches GPU parts. */
export const INSTALL_ONNX_RUNTIME = `npm install --save-optional --ignore-scripts ${PACKAGE}@${PACKAGE_VERSION}`;
const SUPPORTED_PLATFORMS = [
  "linux-x64",
  "linux-arm64",
  "darwin-arm64",
  "win32-x64",
  "win32-arm64",
];

let loadedRuntime: OnnxRuntime | undefined;

/** Returns ONNX Runtime, loaded once. Throws an `engine` error with the install command when it cannot be loaded. */
export function getOnnxRuntime(): OnnxRuntime {
  loadedRuntime ??= loadOnnxRuntime(createRequire(import.meta.url));
  return loadedRuntime;
}

/** Loads ONNX Runtime with `requireModule`, which works like `require`. Throws an `engine` error when that fails. */
export function loadOnnxRuntime(requireModule: (name: string) => unknown): OnnxRuntime {
  try {
    return requireModule(PACKAGE) as OnnxRuntime;
  } catch (cause) {
    throw new BowlineError("engine", describeLoadFailure(cause), { cause });
  }
}

function describeLoadFailure(cause: unknown): string {
  const platform = `${process.platform}-${process.arch}`;
  const needs = "the embedded engine (engine.name onnx) needs the kernels of ONNX Runtime";
  if (!SUPPORTED_PLATFORMS.includes(platform)) {
    return `${needs}, and ${PACKAGE} has none for ${platform} (it has ${SUPPORTED_PLATFORMS.join(", ")}); --engine tinker trains on a server`;
  }
  const [why = ""] = errorMessage(cause).split("\n");
  const isAbsent = why.startsWith(`Cannot find module '${PACKAGE}'`);
  const state = isAbsent ? `${PACKAGE} is not installed` : `${PACKAGE} cannot be loaded (${why})`;
  return `${needs}, and ${state}; install them with: ${INSTALL_ONNX_RUNTIME}`;
}

/** Whether ONNX Runtime can be loaded here, and the providers in this build, whether or not there is hardware. */
export type OnnxRuntimeStatus =
  | { readonly installed: true; readonly version: string; readonly providers: readonly string[] }
  | { readonly installed: false; readonly problem: string };

/** Loads ONNX Runtime and reports its version and providers, or why it cannot be loaded. */
export function checkOnnxRuntime(): OnnxRuntimeStatus {
  try {
    const { env, listSupportedBackends } = getOnnxRuntime();
    const version = env.versions.node ?? env.versions.common;
    const providers = listSupportedBackends().map(({ name }) => name);
    return { installed: true, version, providers };
  } catch (error) {
    return { installed: false, problem: errorMessage(error) };
  }
}
