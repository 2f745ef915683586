/**
 * The learning half of the engine: evaluate, accumulate, update, over one set of weights. With LoRA these are frozen,
 * and gradient, moments and steps are those of the adapter alone.
 *
 * Graphs are built on first use (evaluation or accumulation, with or without entropies) and have symbolic sizes,
 * so one session serves every shape. Gradients arrive in fresh buffers and are summed here, microbatch by
 * microbatch in a fixed order. `session.run` blocks, so a Trainer belongs in a worker.
 */
import { BowlineError } from "../../../core/index.ts";
import type { Cotangents, OptimizerStep, Row, TokenOutputs } from "../../../spec/index.ts";
import { type Feeds, floats, Session, tensor } from "../graph/index.ts";
import {
  type AdapterStore,
  causalMask,
  type ParameterStore,
  rotaryFeeds,
  type TensorStore,
} from "../model/index.ts";
import { adamw, createOptimizerState, gradientNorm, type OptimizerState } from "./adamw.ts";
import {
  type LayeredCotangents,
  type LayeredInputs,
  type LayeredOptions,
  LayeredPass,
  wholeGraphBytes,
} from "./layered/index.ts";
import { askedPlaces, type Microbatch, microbatches } from "./microbatch.ts";
import { EMBEDDED, GRADIENT, SUM, trainingGraph } from "./training-graph.ts";

export interface TrainerOptions {
  /** Default 2. */
  readonly threads?: number;
  /** Default 2048: the activations of a small model then stay near the cache. */
  readonly tokensPerMicrobatch?: number;
  /** LoRA: what is trained, in place of the weights. */
  readonly adapter?: AdapterStore | undefined;
  /**
   * `whole`: one graph for all layers, fastest. `layered`: one layer at a time, in bounded memory. Default `auto`:
   * whole while a microbatch's activations fit.
   */
  readonly training?: "auto" | "whole" | "layered";
  /** How finely the layered path cuts. */
  readonly layered?: Pick<LayeredOptions, "tokensPerPiece" | "scoreElements" | "logitElements">;
}

/** Above this estimate of its activations a microbatch goes layer by layer. */
const WHOLE_GRAPH_BYTES = 3 * 2 ** 30;

export interface TrainerEvaluateOptions {
  readonly temperature?: number;
  readonly entropies?: boolean;
  /** Evaluates other weights of the same config, such as a frozen reference. */
  readonly parameters?: ParameterStore | undefined;
  /** Evaluates another adapter of the same config; "off": the base. */
  readonly adapter?: AdapterStore | "off" | undefined;
}

type Results = Awaited<ReturnType<Session["run"]>>;
type Kind = `${"evaluate" | "evaluate base" | "accumulate"}${"" | "+entropies"}`;

export class Trainer {
  readonly parameters: ParameterStore;
  readonly adapter: AdapterStore | undefined;
  /** The adapter, or without one the weights. */
  readonly trained: TensorStore;
  readonly optimizer: OptimizerState;
  readonly #gradient: Float32Array;
  /** Whether anything was written to the gradient since it was zero. */
  #accumulated = false;
  readonly #threads: number;
  readonly #tokensPerMicrobatch: number;
  readonly #sessions = new Map<Kind, Promise<Session>>();
  readonly #masks = new Map<number, Float32Array>();
  readonly #rotary: Feeds;
  readonly #weights: Feeds;
  /** The gradient as inputs and as outputs of a graph, which adds to it in place. */
  readonly #sums: Feeds;
  readonly #gradients: Feeds;
  readonly #training: "auto" | "whole" | "layered";
  readonly #layeredOptions: LayeredOptions;
  /** With the adapter and without. */
  readonly #layered = new Map<boolean, LayeredPass>();
  /** Where the gradient of a parameter or of an adapter's input lies. */
  readonly #places: ReadonlyMap<string, { readonly offset: number; readonly size: number }>;

  constructor(parameters: ParameterStore, options: TrainerOptions = {}) {
    this.parameters = parameters;
    this.adapter = options.adapter;
    this.trained = options.adapter ?? parameters;
    this.optimizer = createOptimizerState(this.trained);
    this.#gradient = new Float32Array(this.trained.data.length);
    this.#training = options.training ?? "auto";
    this.#layeredOptions = options.layered ?? {};
    const { inputs, parameters: parts } = this.trained;
    this.#places = new Map([...inputs, ...parts].map((part) => [part.name, part]));
    this.#threads = options.threads ?? 2;
    this.#tokensPerMicrobatch = options.tokensPerMicrobatch ?? 2048;
    this.#rotary = rotaryFeeds(parameters.config);
    this.#weights = { ...parameters.feeds(), ...this.adapter?.feeds() };
    const gradients = [...inputs, ...parts].map(({ name, shape, offset, size }) => {
      return [name, tensor(this.#gradient.subarray(offset, offset + size), shape)] as const;
    });
    this.#sums = Object.fromEntries(gradients.map(([name, data]) => [SUM + name, data]));
    this.#gradients = Object.fromEntries(gradients.map(([name, data]) => [GRADIENT + name, data]));
  }

  /** What was accumulated since the last update, laid out like what is trained. */
  get gradient(): Float32Array {
    return this.#gradient;
  }

  async evaluate(
    rows: readonly Row[],
    options: TrainerEvaluateOptions = {},
  ): Promise<TokenOutputs[]> {
    const entropies = options.entropies ?? false;
    const adapted = this.adapter !== undefined && options.adapter !== "off";
    const base = this.adapter && !adapted ? "evaluate base" : "evaluate";
    const temperature = options.temperature ?? 1;
    const other = options.adapter === "off" ? undefined : options.adapter;
    const weights = { ...this.#weights, ...options.parameters?.feeds(), ...other?.feeds() };
    const outputs = emptyOutputs(rows, entropies);
    for (const batch of this.#microbatches(rows)) {
      if (this.#goesByLayer(batch)) {
        const inputs = this.#layeredInputs(weights, batch, temperature, entropies);
        collect(batch, outputs, await this.#layeredPass(adapted).evaluate(inputs));
        continue;
      }
      const session = await this.#session(entropies ? `${base}+entropies` : base);
      const results = await session.run({ ...weights, ...this.#feeds(batch, temperature) });
      collect(batch, outputs, tokenOutputs(results));
    }
    return outputs;
  }

  /** Adds d(sum of cotangent * output)/d(what is trained) to the gradient; the outputs are those of `evaluate`, bit by bit. */
  async accumulate(
    rows: readonly Row[],
    cotangents: readonly Cotangents[],
    options: { readonly temperature?: number } = {},
  ): Promise<TokenOutputs[]> {
    checkCotangents(rows, cotangents);
    this.#accumulated = true;
    const entropies = cotangents.some((cotangent) => cotangent.entropies !== undefined);
    const temperature = options.temperature ?? 1;
    const outputs = emptyOutputs(rows, entropies);
    for (const batch of this.#microbatches(rows)) {
      const own = batchCotangents(batch, cotangents, entropies);
      if (this.#goesByLayer(batch)) {
        const inputs = this.#layeredInputs(this.#weights, batch, temperature, entropies);
        const pass = this.#layeredPass(this.adapter !== undefined);
        collect(batch, outputs, await pass.accumulate(inputs, own, this.#gradientOf));
        continue;
      }
      const session = await this.#session(entropies ? "accumulate+entropies" : "accumulate");
      const feeds = { ...this.#weights, ...this.#sums, ...this.#feeds(batch, temperature) };
      const results = await session.run(
        { ...feeds, ...cotangentFeeds(own) },
        undefined,
        this.#gradients,
      );
      collect(batch, outputs, tokenOutputs(results));
      if (!this.adapter) this.#addEmbedded(batch, floats(results, EMBEDDED));
    }
    return outputs;
  }

  /** Global norm of what is accumulated. */
  gradientNorm(): number {
    return gradientNorm(this.#gradient);
  }

  /** Clips, steps, clears the gradient. A gradient that is not finite is refused: weights and gradient stay. */
  update(step: OptimizerStep): { readonly gradientNorm: number } {
    const norm = this.gradientNorm();
    if (!Number.isFinite(norm)) {
      throw new BowlineError(
        "engine",
        `the gradient norm is ${norm}; discard it, the weights are unchanged`,
      );
    }
    adamw(this.trained, this.#gradient, this.optimizer, step, norm);
    this.discard();
    return { gradientNorm: norm };
  }

  discard(): void {
    // Untouched zeros cost no memory: an engine that only samples or evaluates has no gradient.
    if (this.#accumulated) this.#gradient.fill(0);
    this.#accumulated = false;
  }

  async close(): Promise<void> {
    for (const session of this.#sessions.values()) await (await session).close();
    this.#sessions.clear();
    for (const pass of this.#layered.values()) await pass.close();
    this.#layered.clear();
  }

  /** Which path serves depends on shapes alone, so that evaluation and accumulation of a row agree. */
  #goesByLayer(batch: Microbatch): boolean {
    if (this.#training !== "auto") return this.#training === "layered";
    return wholeGraphBytes(this.parameters.config, batch) > WHOLE_GRAPH_BYTES;
  }

  #layeredPass(adapted: boolean): LayeredPass {
    const pass =
      this.#layered.get(adapted) ??
      new LayeredPass(this.parameters.config, {
        ...this.#layeredOptions,
        threads: this.#threads,
        lora: adapted ? this.adapter?.lora : undefined,
      });
    this.#layered.set(adapted, pass);
    return pass;
  }

  #layeredInputs(
    weights: Feeds,
    batch: Microbatch,
    temperature: number,
    entropies: boolean,
  ): LayeredInputs {
    checkTemperature(temperature);
    return { weights: { ...weights, ...this.#rotary }, batch, temperature, entropies };
  }

  #gradientOf = (name: string): Float32Array => {
    const { offset, size } = this.#places.get(name)!;
    return this.#gradient.subarray(offset, offset + size);
  };

  /** The graph has added the gradients of the weights in place; those of embedded tokens are added here. */
  #addEmbedded(batch: Microbatch, rows: Float32Array): void {
    const width = this.parameters.config.hiddenSize;
    const table = this.parameters.parameter("model.embed_tokens.weight").offset;
    const gradient = this.#gradient;
    let from = 0;
    for (const id of batch.tokens) {
      const start = table + id * width;
      for (let i = start; i < start + width; i++) gradient[i] = gradient[i]! + rows[from++]!;
    }
  }

  #microbatches(rows: readonly Row[]): Microbatch[] {
    return microbatches(rows, this.parameters.config, this.#tokensPerMicrobatch);
  }

  #session(kind: Kind): Promise<Session> {
    const known = this.#sessions.get(kind);
    if (known) return known;
    const graph = trainingGraph(this.parameters.config, {
      entropies: kind.endsWith("+entropies"),
      backward: kind.startsWith("accumulate"),
      lora: kind.startsWith("evaluate base") ? undefined : this.adapter?.lora,
    });
    // Training's operations are long, so threads may sleep between them: on busy cores that halves the processor
    // time of a microbatch (223 against 407 ms).
    const session = Session.create(graph, { threads: this.#threads, spin: false });
    this.#sessions.set(kind, session);
    return session;
  }

  #feeds(batch: Microbatch, temperature: number): Feeds {
    checkTemperature(temperature);
    const { batch: rows, time } = batch;
    const positions = BigInt64Array.from({ length: rows * time }, (_, i) => BigInt(i % time));
    return {
      ...this.#rotary,
      tokens: tensor(batch.tokens, [rows, time]),
      positions: tensor(positions, [rows, time]),
      mask: tensor(this.#mask(time), [time, time]),
      at: tensor(batch.at, [batch.at.length]),
      places: tensor(askedPlaces(batch), [rows * time]),
      targets: tensor(batch.targets, [batch.targets.length]),
      inverseTemperature: tensor(Float32Array.of(1 / temperature), []),
    };
  }

  #mask(time: number): Float32Array {
    const mask = this.#masks.get(time) ?? causalMask(time);
    this.#masks.set(time, mask);
    return mask;
  }
}

function checkCotangents(rows: readonly Row[], cotangents: readonly Cotangents[]): void {
  if (rows.length !== cotangents.length) {
    throw new BowlineError(
      "engine",
      `${rows.length} rows came with ${cotangents.length} cotangents`,
    );
  }
  rows.forEach((row, i) => {
    for (const list of [cotangents[i]!.logprobs, cotangents[i]!.entropies ?? row.at]) {
      if (list.length === row.at.length) continue;
      throw new BowlineError(
        "engine",
        `row ${i} asks for ${row.at.length} tokens, but has ${list.length} cotangents`,
      );
    }
  });
}

function checkTemperature(temperature: number): void {
  if (temperature > 0) return;
  throw new BowlineError(
    "engine",
    `temperature must be above 0 to evaluate, but it is ${temperature}`,
  );
}

/** The cotangents of a microbatch's asked tokens; of padding they are zero. */
function batchCotangents(
  batch: Microbatch,
  cotangents: readonly Cotangents[],
  entropies: boolean,
): LayeredCotangents {
  const gathered = (pick: (cotangent: Cotangents) => ArrayLike<number> | undefined) => {
    const out = new Float32Array(batch.at.length);
    for (const { row, places } of batch.slices) {
      const list = pick(cotangents[row]!);
      if (list) for (const [i, place] of places.entries()) out[place] = out[place]! + list[i]!;
    }
    return out;
  };
  return {
    logprobs: gathered((cotangent) => cotangent.logprobs),
    ...(entropies ? { entropies: gathered((cotangent) => cotangent.entropies) } : {}),
  };
}

function cotangentFeeds({ logprobs, entropies }: LayeredCotangents): Feeds {
  return {
    cotangents: tensor(logprobs, [logprobs.length]),
    ...(entropies ? { entropyCotangents: tensor(entropies, [entropies.length]) } : {}),
  };
}

type WritableOutputs = { logprobs: Float32Array; entropies?: Float32Array };

function emptyOutputs(rows: readonly Row[], entropies: boolean): WritableOutputs[] {
  return rows.map(({ at }) => ({
    logprobs: new Float32Array(at.length),
    ...(entropies ? { entropies: new Float32Array(at.length) } : {}),
  }));
}

function tokenOutputs(results: Results): TokenOutputs {
  const logprobs = floats(results, "logprobs");
  return results["entropies"]
    ? { logprobs, entropies: floats(results, "entropies") }
    : { logprobs };
}

/** Gives each row its part of a microbatch's outputs. */
function collect(
  batch: Microbatch,
  outputs: readonly WritableOutputs[],
  { logprobs, entropies }: TokenOutputs,
): void {
  for (const { row, places } of batch.slices) {
    const own = outputs[row]!;
    for (const [i, place] of places.entries()) {
      own.logprobs[i] = logprobs[place]!;
      if (entropies) own.entropies![i] = entropies[place]!;
    }
  }
}
