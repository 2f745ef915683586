/**
 * Runs graphs: a thin wrapper over an ONNX Runtime session on the thread's execution provider (provider.ts).
 *
 * Inputs are read in place: a typed array that was written between two runs gives its new values. Every output
 * arrives in a fresh buffer. `run` blocks its thread although it returns a promise.
 */
import { assert, BowlineError, errorMessage } from "../../../core/index.ts";
import { executionProviders } from "./current-provider.ts";
import { isOnDevice } from "./device-memory.ts";
import { countTraffic } from "./device-traffic.ts";
import { inDeviceTurn } from "./device-turns.ts";
import type { Graph } from "./graph.ts";
import {
  getOnnxRuntime,
  type RuntimeOptions,
  type RuntimeSession,
  type Tensor,
  type TensorData,
} from "./onnx-runtime.ts";
import { toDeviceFeeds } from "./resident.ts";

export type Feeds = Readonly<Record<string, Tensor>>;

export interface SessionOptions {
  /** Threads inside one operation. The default is 2. */
  readonly threads?: number;
  /** `basic` folds constants and merges equal nodes. Higher levels fuse operations differently in different graphs. */
  readonly optimization?: "disabled" | "basic" | "extended" | "all";
  /** Keeps freed memory for the next run. The default is true. */
  readonly arena?: boolean;
  /** Plans one block of memory for static shapes. The default is false because our shapes vary. */
  readonly memoryPattern?: boolean;
  /**
   * Waiting threads spin, which is faster on idle cores and wasteful on shared ones. The default is true. A number is
   * how many microseconds they spin before they sleep.
   */
  readonly spin?: boolean | number;
  /** Gives symbolic sizes fixed numbers. */
  readonly sizes?: Readonly<Record<string, number>>;
  /** Writes a Chrome trace of every node's time under this prefix when the session ends. */
  readonly profile?: string;
}

export class Session {
  readonly #session: RuntimeSession;
  readonly name: string;
  /** The constants that the runtime may read in place as long as the session lives. */
  protected readonly constants: Graph["externalData"];

  private constructor(session: RuntimeSession, name: string, constants: Graph["externalData"]) {
    this.#session = session;
    this.name = name;
    this.constants = constants;
  }

  static async create(graph: Graph, options: SessionOptions = {}): Promise<Session> {
    const { InferenceSession } = getOnnxRuntime();
    try {
      const { externalData } = graph;
      const session = await inDeviceTurn(() =>
        InferenceSession.create(graph.encode(), {
          ...toRuntimeOptions(options),
          ...(externalData.length > 0 && { externalData }),
        }),
      );
      return new Session(session, graph.name, externalData);
    } catch (cause) {
      throw new BowlineError("engine", `cannot build graph ${graph.name}: ${errorMessage(cause)}`, {
        cause,
      });
    }
  }

  get inputNames(): readonly string[] {
    return this.#session.inputNames;
  }

  get outputNames(): readonly string[] {
    return this.#session.outputNames;
  }

  /**
   * Runs the graph and returns its outputs by name. `outputNames` limits which outputs are copied out, not what is
   * computed. An output named in `into` is also written there in place, even over an input that the same run reads.
   * The node that makes this output must then read each element before it writes it, as sums do. An output that is
   * written to a tensor on the device is not among the results.
   */
  async run(
    feeds: Feeds,
    outputNames?: readonly string[],
    into: Feeds = {},
  ): Promise<Readonly<Record<string, TensorData>>> {
    try {
      const names = outputNames ?? this.#session.outputNames;
      const onDevice = await toDeviceFeeds(feeds, this.#session.inputNames);
      const results = await inDeviceTurn(() =>
        this.#session.run(
          onDevice,
          Object.fromEntries(names.map((name) => [name, into[name] ?? null])),
        ),
      );
      const arrived = Object.entries(results).filter(([, tensor]) => !isOnDevice(tensor));
      countTraffic(
        "downloadedBytes",
        arrived.map(([, tensor]) => tensor),
      );
      return Object.fromEntries(arrived.map(([name, tensor]) => [name, tensor.data as TensorData]));
    } catch (cause) {
      throw new BowlineError("engine", `graph ${this.name} failed: ${errorMessage(cause)}`, {
        cause,
      });
    }
  }

  async close(): Promise<void> {
    await inDeviceTurn(() => this.#session.release());
  }
}

function toRuntimeOptions(options: SessionOptions): RuntimeOptions {
  return {
    executionProviders: executionProviders(),
    intraOpNumThreads: options.threads ?? 2,
    interOpNumThreads: 1,
    executionMode: "sequential",
    graphOptimizationLevel: options.optimization ?? "basic",
    enableCpuMemArena: options.arena ?? true,
    enableMemPattern: options.memoryPattern ?? false,
    logSeverityLevel: 3,
    extra: {
      session: {
        // A masked softmax leaves 4e-39 instead of zero, and arithmetic on such denormal numbers is ten times slower.
        set_denormal_as_zero: "1",
        intra_op: toSpinOptions(options.spin ?? true),
      },
    },
    ...(options.sizes ? { freeDimensionOverrides: options.sizes } : {}),
    ...(options.profile ? { enableProfiling: true, profileFilePrefix: options.profile } : {}),
  };
}

function toSpinOptions(spin: boolean | number): Record<string, string> {
  if (typeof spin === "boolean") return { allow_spinning: spin ? "1" : "0" };
  return { allow_spinning: "1", spin_duration_us: String(spin) };
}

/** Returns the output `name` of a run and asserts that it is float32. */
export function floatOutput(
  results: Readonly<Record<string, TensorData>>,
  name: string,
): Float32Array {
  const data = results[name];
  assert(data instanceof Float32Array, `output ${name} is not float32`);
  return data;
}

/** Returns a tensor over `data` without copying it. Bytes are bools, or with `uint8` numbers. */
export function tensor(data: TensorData, dims: readonly number[], bytes = "bool"): Tensor {
  const { Tensor } = getOnnxRuntime();
  if (data instanceof Float32Array) return new Tensor("float32", data, dims);
  if (data instanceof Float64Array) return new Tensor("float64", data, dims);
  if (data instanceof Int32Array) return new Tensor("int32", data, dims);
  if (data instanceof BigInt64Array) return new Tensor("int64", data, dims);
  return new Tensor(bytes === "uint8" ? "uint8" : "bool", data, dims);
}
