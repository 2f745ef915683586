/**
 * Running graphs: a thin wrapper over an ONNX Runtime session, on the thread's execution provider (provider.ts).
 *
 * Inputs are read in place (a typed array that is fed again after it was written gives the new values); every
 * output arrives in a fresh buffer. `run` blocks its thread although it returns a promise.
 */
import { assert, BowlineError, messageOf } from "../../../core/index.ts";
import type { Graph } from "./graph.ts";
import {
  kernels,
  type RuntimeOptions,
  type RuntimeSession,
  type Tensor,
  type TensorData,
} from "./kernels.ts";
import { executionProviders } from "./provider.ts";

export type Feeds = Readonly<Record<string, Tensor>>;

export interface SessionOptions {
  /** Threads inside one operation; default 2. */
  readonly threads?: number;
  /** `basic` folds constants and merges equal nodes; higher levels fuse differently in different graphs. */
  readonly optimization?: "disabled" | "basic" | "extended" | "all";
  /** Keeps freed memory for the next run; on by default. */
  readonly arena?: boolean;
  /** Plans one block of memory for static shapes; off by default, because ours vary. */
  readonly memoryPattern?: boolean;
  /**
   * Threads wait for work by spinning, which is faster on idle cores and wasteful on shared ones; default on. A number
   * is how many microseconds they spin before they sleep.
   */
  readonly spin?: boolean | number;
  /** Fixes symbolic sizes. */
  readonly sizes?: Readonly<Record<string, number>>;
  /** Writes a Chrome trace of every node's time under this prefix when the session ends. */
  readonly profile?: string;
}

export class Session {
  readonly #session: RuntimeSession;
  readonly name: string;

  private constructor(session: RuntimeSession, name: string) {
    this.#session = session;
    this.name = name;
  }

  static async create(graph: Graph, options: SessionOptions = {}): Promise<Session> {
    const { InferenceSession } = kernels();
    try {
      return new Session(
        await InferenceSession.create(graph.encode(), ortOptions(options)),
        graph.name,
      );
    } catch (cause) {
      throw new BowlineError("engine", `cannot build graph ${graph.name}: ${messageOf(cause)}`, {
        cause,
      });
    }
  }

  get inputNames(): readonly string[] {
    return this.#session.inputNames;
  }

  /**
   * Outputs by name; `fetch` limits which are copied out, not what is computed. An output named in `into` is written
   * there as well, in place, even over an input that the same run reads: the node that makes it must read an element
   * before it writes it, as sums do.
   */
  async run(
    feeds: Feeds,
    fetch?: readonly string[],
    into: Feeds = {},
  ): Promise<Readonly<Record<string, TensorData>>> {
    try {
      const names = fetch ?? this.#session.outputNames;
      const results = await this.#session.run(
        feeds,
        Object.fromEntries(names.map((name) => [name, into[name] ?? null])),
      );
      return Object.fromEntries(
        Object.entries(results).map(([name, tensor]) => [name, tensor.data as TensorData]),
      );
    } catch (cause) {
      throw new BowlineError("engine", `graph ${this.name} failed: ${messageOf(cause)}`, { cause });
    }
  }

  async close(): Promise<void> {
    await this.#session.release();
  }
}

function ortOptions(options: SessionOptions): RuntimeOptions {
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
        // A masked softmax leaves 4e-39 where zero is meant, and arithmetic on such numbers is ten times slower.
        set_denormal_as_zero: "1",
        intra_op: spinning(options.spin ?? true),
      },
    },
    ...(options.sizes ? { freeDimensionOverrides: options.sizes } : {}),
    ...(options.profile ? { enableProfiling: true, profileFilePrefix: options.profile } : {}),
  };
}

function spinning(spin: boolean | number): Record<string, string> {
  if (typeof spin === "boolean") return { allow_spinning: spin ? "1" : "0" };
  return { allow_spinning: "1", spin_duration_us: String(spin) };
}

/** A float32 output. */
export function floats(results: Readonly<Record<string, TensorData>>, name: string): Float32Array {
  const data = results[name];
  assert(data instanceof Float32Array, `output ${name} is not float32`);
  return data;
}

/** A tensor over `data` without copying it. */
export function tensor(data: TensorData, dims: readonly number[]): Tensor {
  const { Tensor } = kernels();
  if (data instanceof Float32Array) return new Tensor("float32", data, dims);
  if (data instanceof Int32Array) return new Tensor("int32", data, dims);
  if (data instanceof BigInt64Array) return new Tensor("int64", data, dims);
  return new Tensor("bool", data, dims);
}
