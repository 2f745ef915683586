/**
 * The few sessions of the layered path, made on first use, and how they serve every layer: a graph of one layer speaks
 * of layer 0 and is fed with the weights of another.
 */
import {
  type Feeds,
  floatOutput,
  type Graph,
  Session,
  type TensorData,
} from "../../graph/index.ts";
import type { LoraConfig, ModelConfig } from "../../model/index.ts";
import { GRADIENT_PREFIX } from "../training-graph.ts";
import { addInto } from "./row-loops.ts";

export type GraphBuilder = (config: ModelConfig, lora: LoraConfig | undefined) => Graph;
export type Results = Readonly<Record<string, TensorData>>;

/** Where gradients go: the array to which one weight's or adapter input's gradient is added. */
export type FindGradient = (name: string) => Float32Array;

export class LayerSessions {
  readonly #config: ModelConfig;
  readonly #lora: LoraConfig | undefined;
  readonly #threads: number | undefined;
  readonly #sessions = new Map<string, Promise<Session>>();

  constructor(config: ModelConfig, lora: LoraConfig | undefined, threads: number | undefined) {
    this.#config = config;
    this.#lora = lora;
    this.#threads = threads;
  }

  /**
   * Without arenas: each would keep the most that its session ever needed, 400 MB together at half a billion
   * parameters, to save 5% of the time.
   */
  get(name: string, build: GraphBuilder): Promise<Session> {
    const session =
      this.#sessions.get(name) ??
      Session.create(build(this.#config, this.#lora), {
        ...(this.#threads ? { threads: this.#threads } : {}),
        spin: false,
        arena: false,
      });
    this.#sessions.set(name, session);
    return session;
  }

  async close(): Promise<void> {
    for (const session of this.#sessions.values()) await (await session).close();
    this.#sessions.clear();
  }
}

/** Graphs of one layer speak of layer 0; they are fed with the weights of `layer`. */
export function weightFeeds(session: Session, weights: Feeds, layer: number): Feeds {
  const entries = session.inputNames.flatMap((name) => {
    const weight = weights[ofLayer(name, layer)];
    return weight ? [[name, weight] as const] : [];
  });
  return Object.fromEntries(entries);
}

function ofLayer(name: string, layer: number): string {
  return name.replace("layers.0.", `layers.${layer}.`);
}

/** Adds a graph's gradients of layer 0 to those of `layer`. */
export function addGradients(results: Results, gradientOf: FindGradient, layer = 0): void {
  for (const name of Object.keys(results)) {
    if (!name.startsWith(GRADIENT_PREFIX)) continue;
    const target = gradientOf(ofLayer(name.slice(GRADIENT_PREFIX.length), layer));
    addInto(target, 0, floatOutput(results, name));
  }
}
