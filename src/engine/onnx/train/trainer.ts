/**
 * The learning half of the engine: evaluate, accumulate, update, over one set of weights.
 *
 * Graphs are built on first use (evaluation or accumulation, with or without entropies) and have symbolic sizes,
 * so one session serves every shape. Gradients arrive in fresh buffers and are summed here, microbatch by
 * microbatch in a fixed order. `session.run` blocks, so a Trainer belongs in a worker.
 */
import { BowlineError } from "../../../core/index.ts";
import type { Cotangents, OptimizerStep, Row, TokenOutputs } from "../../../spec/index.ts";
import { type Feeds, floats, Session, tensor } from "../graph/index.ts";
import { causalMask, type ParameterStore, rotaryFeeds } from "../model/index.ts";
import { adamw, createOptimizerState, gradientNorm, type OptimizerState } from "./adamw.ts";
import { type Microbatch, microbatches } from "./microbatch.ts";
import { EMBEDDED, GRADIENT, trainingGraph } from "./training-graph.ts";

export interface TrainerOptions {
  /** Default 2. */
  readonly threads?: number;
  /** Default 2048: the activations of a small model then stay near the cache. */
  readonly tokensPerMicrobatch?: number;
}

export interface TrainerEvaluateOptions {
  readonly temperature?: number;
  readonly entropies?: boolean;
  /** Evaluates other weights of the same config, such as a frozen reference. */
  readonly parameters?: ParameterStore;
}

type Results = Awaited<ReturnType<Session["run"]>>;
type Kind = `${"evaluate" | "accumulate"}${"" | "+entropies"}`;

export class Trainer {
  readonly parameters: ParameterStore;
  readonly optimizer: OptimizerState;
  readonly #gradient: Float32Array;
  readonly #threads: number;
  readonly #tokensPerMicrobatch: number;
  readonly #sessions = new Map<Kind, Promise<Session>>();
  readonly #masks = new Map<number, Float32Array>();
  readonly #rotary: Feeds;
  readonly #weights: Feeds;

  constructor(parameters: ParameterStore, options: TrainerOptions = {}) {
    this.parameters = parameters;
    this.optimizer = createOptimizerState(parameters);
    this.#gradient = new Float32Array(parameters.data.length);
    this.#threads = options.threads ?? 2;
    this.#tokensPerMicrobatch = options.tokensPerMicrobatch ?? 2048;
    this.#rotary = rotaryFeeds(parameters.config);
    this.#weights = parameters.feeds();
  }

  /** What was accumulated since the last update, laid out like the weights. */
  get gradient(): Float32Array {
    return this.#gradient;
  }

  async evaluate(
    rows: readonly Row[],
    options: TrainerEvaluateOptions = {},
  ): Promise<TokenOutputs[]> {
    const entropies = options.entropies ?? false;
    const session = await this.#session(entropies ? "evaluate+entropies" : "evaluate");
    const weights = options.parameters?.feeds() ?? this.#weights;
    const outputs = emptyOutputs(rows, entropies);
    for (const batch of this.#microbatches(rows)) {
      const results = await session.run({
        ...weights,
        ...this.#feeds(batch, options.temperature ?? 1),
      });
      collect(batch, outputs, results, entropies);
    }
    return outputs;
  }

  /** Adds d(sum of cotangent * output)/d(weights) to the gradient; the outputs are those of `evaluate`, bit by bit. */
  async accumulate(
    rows: readonly Row[],
    cotangents: readonly Cotangents[],
    options: { readonly temperature?: number } = {},
  ): Promise<TokenOutputs[]> {
    checkCotangents(rows, cotangents);
    const entropies = cotangents.some((cotangent) => cotangent.entropies !== undefined);
    const session = await this.#session(entropies ? "accumulate+entropies" : "accumulate");
    const outputs = emptyOutputs(rows, entropies);
    for (const batch of this.#microbatches(rows)) {
      const results = await session.run({
        ...this.#weights,
        ...this.#feeds(batch, options.temperature ?? 1),
        ...cotangentFeeds(batch, cotangents, entropies),
      });
      collect(batch, outputs, results, entropies);
      this.#addGradients(batch, results);
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
    adamw(this.parameters, this.#gradient, this.optimizer, step, norm);
    this.discard();
    return { gradientNorm: norm };
  }

  discard(): void {
    this.#gradient.fill(0);
  }

  async close(): Promise<void> {
    for (const session of this.#sessions.values()) await (await session).close();
    this.#sessions.clear();
  }

  #addGradients(batch: Microbatch, results: Results): void {
    for (const { name, offset } of this.parameters.parameters) {
      if (results[GRADIENT + name]) addTo(this.#gradient, offset, floats(results, GRADIENT + name));
    }
    const width = this.parameters.config.hiddenSize;
    const table = this.parameters.parameter("model.embed_tokens.weight").offset;
    const rows = floats(results, EMBEDDED);
    for (const [i, id] of batch.tokens.entries()) {
      addTo(this.#gradient, table + id * width, rows.subarray(i * width, (i + 1) * width));
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
    });
    // Training's operations are long, so threads may sleep between them: on busy cores that halves the processor
    // time of a microbatch (223 against 407 ms).
    const session = Session.create(graph, { threads: this.#threads, spin: false });
    this.#sessions.set(kind, session);
    return session;
  }

  #feeds(batch: Microbatch, temperature: number): Feeds {
    if (!(temperature > 0)) {
      throw new BowlineError(
        "engine",
        `temperature must be above 0 to evaluate, but it is ${temperature}`,
      );
    }
    const { batch: rows, time } = batch;
    const positions = BigInt64Array.from({ length: rows * time }, (_, i) => BigInt(i % time));
    return {
      ...this.#rotary,
      tokens: tensor(batch.tokens, [rows, time]),
      positions: tensor(positions, [rows, time]),
      mask: tensor(this.#mask(time), [time, time]),
      at: tensor(batch.at, [batch.at.length]),
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

function cotangentFeeds(
  batch: Microbatch,
  cotangents: readonly Cotangents[],
  entropies: boolean,
): Feeds {
  const gathered = (pick: (cotangent: Cotangents) => ArrayLike<number> | undefined) => {
    const out = new Float32Array(batch.at.length);
    for (const { row, start } of batch.slices) {
      const list = pick(cotangents[row]!);
      if (list) out.set(list, start);
    }
    return tensor(out, [out.length]);
  };
  return {
    cotangents: gathered((cotangent) => cotangent.logprobs),
    ...(entropies ? { entropyCotangents: gathered((cotangent) => cotangent.entropies) } : {}),
  };
}

type WritableOutputs = { logprobs: Float32Array; entropies?: Float32Array };

function emptyOutputs(rows: readonly Row[], entropies: boolean): WritableOutputs[] {
  return rows.map(({ at }) => ({
    logprobs: new Float32Array(at.length),
    ...(entropies ? { entropies: new Float32Array(at.length) } : {}),
  }));
}

function collect(
  batch: Microbatch,
  outputs: readonly WritableOutputs[],
  results: Results,
  entropies: boolean,
): void {
  for (const { row, start, count } of batch.slices) {
    outputs[row]!.logprobs.set(floats(results, "logprobs").subarray(start, start + count));
    if (!entropies) continue;
    outputs[row]!.entropies!.set(floats(results, "entropies").subarray(start, start + count));
  }
}

function addTo(sum: Float32Array, offset: number, values: Float32Array): void {
  for (let i = 0; i < values.length; i++) sum[offset + i] = sum[offset + i]! + values[i]!;
}
