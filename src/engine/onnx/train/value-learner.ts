/**
 * What learns values: the head's graphs, its gradient, its optimizer. The trainer hands it the last residual stream of
 * the asked tokens and knows no more; the policy's own backward pass never sees it.
 *
 * It is fed data and not a value inside the policy's graph, so that the same head serves the whole graph and the layered
 * pass, and so that with it or without, the policy's gradient is the same bit by bit.
 */
import type { OptimizerStep } from "../../../spec/index.ts";
import { buildGradients, type Feeds, floatOutput, Graph, Session, tensor } from "../graph/index.ts";
import { buildValueHead, type ValueHeadStore } from "../model/index.ts";
import { stepAdamW, createOptimizerState, gradientNorm, type OptimizerState } from "./adamw.ts";

const NORM_WEIGHT = "model.norm.weight";
/** Before the name of a weight: the output that holds its gradient. */
const GRADIENT_PREFIX = "d:";

/** Inputs beside the head's weights: `stream` (n, hidden), the norm's gain, and with `backward` `cotangents` (n). */
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
  for (const [i, { name }] of weights.entries()) graph.addOutput(GRADIENT_PREFIX + name, derivatives[i]!);
  return graph;
}

export class ValueLearner {
  readonly head: ValueHeadStore;
  readonly optimizer: OptimizerState;
  /** What was accumulated since the last update, laid out like the head. */
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

  /** `stream` (n, hidden) to values (n). `policy` has the gain of its last norm. */
  async evaluate(stream: Float32Array, policy: Feeds): Promise<Float32Array> {
    return floatOutput(await this.#run(stream, policy), "values");
  }

  /** Adds d(sum of cotangent * value)/d(head) to the gradient; the values are those of `evaluate`, bit by bit. */
  async accumulate(
    stream: Float32Array,
    policy: Feeds,
    cotangents: Float32Array,
  ): Promise<Float32Array> {
    const results = await this.#run(stream, policy, cotangents);
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

  /** Clips by `norm` and steps; the gradient stays. */
  step(step: OptimizerStep, norm: number): void {
    stepAdamW(this.head, this.gradient, this.optimizer, step, norm);
  }

  discard(): void {
    this.gradient.fill(0);
  }

  async close(): Promise<void> {
    for (const session of this.#sessions.values()) await (await session).close();
    this.#sessions.clear();
  }

  async #run(stream: Float32Array, policy: Feeds, cotangents?: Float32Array) {
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
