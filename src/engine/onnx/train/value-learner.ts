/**
 * Trains a value head: its graphs, its gradient and its optimizer. The trainer passes it only the last residual
 * stream at the requested tokens, and the policy's own backward pass never sees it.
 *
 * The head gets the residual stream as data and not as a value inside the policy's graph. So the same head serves the
 * whole graph and the layered pass, and the policy's gradient has the same bits with and without a head.
 */
import {
  buildGradients,
  type Feeds,
  floatOutput,
  Graph,
  hasDeviceMemory,
  Session,
  type Tensor,
  tensor,
} from "../graph/index.ts";
import { buildValueHead, type ValueHeadStore } from "../model/index.ts";
import type { OptimizerState } from "./adamw.ts";
import { addGradientOutputs, declareSums, GRADIENT_PREFIX } from "./gradient-sums.ts";
import { createTrainedState, HostState, hostGradient } from "./host-state.ts";
import type { TrainedState } from "./trained-state.ts";

const NORM_WEIGHT = "model.norm.weight";

/**
 * Builds the graph of a value head. Its inputs, in addition to the head's weights, are `stream` (n, hidden), the
 * norm's gain and, with `backward`, `cotangents` (n). On a device it adds to the gradients so far.
 */
export function buildValueGraph(store: ValueHeadStore, backward: boolean): Graph {
  const graph = new Graph(backward ? "accumulate values" : "values");
  const { hiddenSize } = store.model;
  const stream = graph.addInput("stream", "float32", ["n", hiddenSize]);
  const gain = graph.addInput(NORM_WEIGHT, "float32", [hiddenSize]);
  const { values, weights } = buildValueHead(graph, { stream, gain }, store);
  graph.addOutput("values", values);
  if (!backward) return graph;
  const cotangent = graph.addInput("cotangents", "float32", ["n"]);
  const sums = hasDeviceMemory() ? declareSums(graph, weights) : undefined;
  const derivatives = buildGradients([{ output: values, cotangent }], weights, sums);
  addGradientOutputs(graph, weights, derivatives);
  return graph;
}

/** Evaluates and trains a critic's value head. */
export class ValueLearner {
  readonly head: ValueHeadStore;
  readonly state: TrainedState;
  readonly #weights: Feeds;
  readonly #threads: number;
  readonly #sessions = new Map<boolean, Promise<Session>>();

  constructor(head: ValueHeadStore, threads: number) {
    this.head = head;
    this.state = createTrainedState(head);
    this.#weights = head.feeds();
    this.#threads = threads;
  }

  get optimizer(): OptimizerState {
    return this.state.optimizer;
  }

  /**
   * The gradient accumulated since the last update, with the layout of the head. It must be in this thread's memory.
   */
  get gradient(): Float32Array {
    return hostGradient(this.state);
  }

  /** Computes values (n) from `stream` (n, hidden). `policy` holds the gain of the policy's last norm. */
  async evaluate(stream: Float32Array | Tensor, policy: Feeds): Promise<Float32Array> {
    return floatOutput(await this.#runGraph(stream, policy), "values");
  }

  /** Adds d(sum of cotangent * value)/d(head) to the gradient. Returns the values of `evaluate`, bit by bit. */
  async accumulate(
    stream: Float32Array | Tensor,
    policy: Feeds,
    cotangents: Float32Array,
  ): Promise<Float32Array> {
    const results = await this.#runGraph(stream, policy, cotangents);
    if (!(this.state instanceof HostState)) return floatOutput(results, "values");
    for (const { name, offset } of this.head.parameters) {
      const own = floatOutput(results, GRADIENT_PREFIX + name);
      for (let i = 0; i < own.length; i++) {
        this.gradient[offset + i] = this.gradient[offset + i]! + own[i]!;
      }
    }
    return floatOutput(results, "values");
  }

  async close(): Promise<void> {
    await this.state.close();
    for (const session of this.#sessions.values()) await (await session).close();
    this.#sessions.clear();
  }

  async #runGraph(stream: Float32Array | Tensor, policy: Feeds, cotangents?: Float32Array) {
    const { hiddenSize } = this.head.model;
    const session = await this.#getSession(cotangents !== undefined);
    const isInThisThread = stream instanceof Float32Array;
    const feeds = {
      ...this.#weights,
      [NORM_WEIGHT]: policy[NORM_WEIGHT]!,
      stream: isInThisThread ? tensor(stream, [stream.length / hiddenSize, hiddenSize]) : stream,
      ...(cotangents && { cotangents: tensor(cotangents, [cotangents.length]) }),
    };
    if (this.state instanceof HostState) return session.run(feeds);
    const { sums, gradients } = await this.state.getGradientFeeds();
    const written = cotangents ? gradients : {};
    return session.run({ ...feeds, ...sums }, undefined, written);
  }

  #getSession(backward: boolean): Promise<Session> {
    const session =
      this.#sessions.get(backward) ??
      Session.create(buildValueGraph(this.head, backward), { threads: this.#threads, spin: false });
    this.#sessions.set(backward, session);
    return session;
  }
}
