/**
 * Trains a value head: its graphs, its gradient and its optimizer. The trainer passes it only the last residual
 * stream at the requested tokens, and the policy's own backward pass never sees it.
 *
 * The head gets the residual stream as data and not as a value inside the policy's graph. So the same head serves the
 * whole graph and the layered pass, and the policy's gradient has the same bits with and without a head.
 */
import type { OptimizerStep } from "../../../spec/index.ts";
import { buildGradients, type Feeds, floatOutput, Graph, Session, tensor } from "../graph/index.ts";
import { buildValueHead, type ValueHeadStore } from "../model/index.ts";
import { createOptimizerState, gradientNorm, type OptimizerState, stepAdamW } from "./adamw.ts";

const NORM_WEIGHT = "model.norm.weight";
/** The name prefix of the outputs that hold gradients. */
const GRADIENT_PREFIX = "d:";

/**
 * Builds the graph of a value head. Its inputs, in addition to the head's weights, are `stream` (n, hidden), the
 * norm's gain and, with `backward`, `cotangents` (n).
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
  const derivatives = buildGradients([{ output: values, cotangent }], weights);
  for (const [i, { name }] of weights.entries())
    graph.addOutput(GRADIENT_PREFIX + name, derivatives[i]!);
  return graph;
}

/** Evaluates and trains a critic's value head. */
export class ValueLearner {
  readonly head: ValueHeadStore;
  readonly optimizer: OptimizerState;
  /** The gradient accumulated since the last update, with the layout of the head. */
  readonly gradient: Float32Array;
  readonly #weights: Feeds;
  readonly #threads: number;
  readonly #sessions = new Map<boolean, Promise<Session>>();

  constructor(head: ValueHeadStore, threads: number) {
    this.head = head;
    this.optimizer = createOptimizerState(head);
    this.gradient = new Float32Array(head.data.length);
    this.#weights = head.feeds();
    this.#threads = threads;
  }

  /** Computes values (n) from `stream` (n, hidden). `policy` holds the gain of the policy's last norm. */
  async evaluate(stream: Float32Array, policy: Feeds): Promise<Float32Array> {
    return floatOutput(await this.#runGraph(stream, policy), "values");
  }

  /** Adds d(sum of cotangent * value)/d(head) to the gradient. Returns the values of `evaluate`, bit by bit. */
  async accumulate(
    stream: Float32Array,
    policy: Feeds,
    cotangents: Float32Array,
  ): Promise<Float32Array> {
    const results = await this.#runGraph(stream, policy, cotangents);
    for (const { name, offset } of this.head.parameters) {
      const own = floatOutput(results, GRADIENT_PREFIX + name);
      for (let i = 0; i < own.length; i++) {
        this.gradient[offset + i] = this.gradient[offset + i]! + own[i]!;
      }
    }
    return floatOutput(results, "values");
  }

  gradientNorm(): number {
    return gradientNorm(this.gradient);
  }

  /** Clips by `norm` and makes an optimizer step. The gradient is kept. */
  step(step: OptimizerStep, norm: number): void {
    stepAdamW(this.head, this.gradient, this.optimizer, step, norm);
    this.head.markChanged();
  }

  discard(): void {
    this.gradient.fill(0);
  }

  async close(): Promise<void> {
    for (const session of this.#sessions.values()) await (await session).close();
    this.#sessions.clear();
  }

  async #runGraph(stream: Float32Array, policy: Feeds, cotangents?: Float32Array) {
    const { hiddenSize } = this.head.model;
    const session = await this.#getSession(cotangents !== undefined);
    return session.run({
      ...this.#weights,
      [NORM_WEIGHT]: policy[NORM_WEIGHT]!,
      stream: tensor(stream, [stream.length / hiddenSize, hiddenSize]),
      ...(cotangents && { cotangents: tensor(cotangents, [cotangents.length]) }),
    });
  }

  #getSession(backward: boolean): Promise<Session> {
    const session =
      this.#sessions.get(backward) ??
      Session.create(buildValueGraph(this.head, backward), { threads: this.#threads, spin: false });
    this.#sessions.set(backward, session);
    return session;
  }
}
