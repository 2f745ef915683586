/**
 * The few sessions of the layered path, created on first use. They serve every layer: a graph of one layer uses the
 * names of layer 0 and is fed with the weights of another.
 */
import {
  type Feeds,
  floatOutput,
  type Graph,
  Session,
  type TensorData,
  tensor,
} from "../../graph/index.ts";
import {
  dequantizeRows,
  type LoraConfig,
  type ModelConfig,
  type QuantizedMatrices,
} from "../../model/index.ts";
import { GRADIENT_PREFIX } from "../gradient-sums.ts";
import { addInto } from "./row-loops.ts";

export type GraphBuilder = (config: ModelConfig, lora: LoraConfig | undefined) => Graph;
export type Results = Readonly<Record<string, TensorData>>;

/** Returns the array to which the gradient of a weight or an adapter input is added. */
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
   * Returns the session of a graph. Sessions have no memory arenas, because each arena would keep the most that its
   * session ever needed, 400 MB together at half a billion parameters, to save 5% of the time.
   */
  getSession(name: string, build: GraphBuilder): Promise<Session> {
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

/** Returns feeds of the weights of `layer` for a graph that uses the names of layer 0. */
export function layerWeightFeeds(session: Session, weights: Feeds, layer: number): Feeds {
  const entries = session.inputNames.flatMap((name) => {
    const weight = weights[nameInLayer(name, layer)];
    return weight ? [[name, weight] as const] : [];
  });
  return Object.fromEntries(entries);
}

/**
 * The matrices of a quantised base as floats, one layer at a time, in buffers that the next layer overwrites. Making
 * them takes about a nanosecond a number, where a product of hundreds of tokens takes several times as long.
 */
export class LayerMatrices {
  readonly #quantized: QuantizedMatrices;
  readonly #buffers = new Map<string, Float32Array>();

  constructor(quantized: QuantizedMatrices) {
    this.#quantized = quantized;
  }

  /** Returns feeds of a layer's matrices for a graph that uses the names of layer 0. They hold until the next call. */
  feeds(session: Session, layer: number): Feeds {
    const names = session.inputNames.filter((name) => this.#quantized.has(name));
    return Object.fromEntries(
      names.map((name) => {
        const matrix = this.#quantized.get(nameInLayer(name, layer));
        const { rows, columns } = matrix;
        const buffer = this.#buffers.get(name) ?? new Float32Array(rows * columns);
        this.#buffers.set(name, buffer);
        return [name, tensor(dequantizeRows(matrix, buffer), [rows, columns])];
      }),
    );
  }
}

function nameInLayer(name: string, layer: number): string {
  return name.replace("layers.0.", `layers.${layer}.`);
}

/** Adds a graph's gradients, which have the names of layer 0, to those of `layer`. */
export function addLayerGradients(results: Results, findGradient: FindGradient, layer = 0): void {
  for (const name of Object.keys(results)) {
    if (!name.startsWith(GRADIENT_PREFIX)) continue;
    const target = findGradient(nameInLayer(name.slice(GRADIENT_PREFIX.length), layer));
    addInto(target, 0, floatOutput(results, name));
  }
}
