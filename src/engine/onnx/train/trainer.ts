/**
 * The learning half of the engine: evaluate, accumulate and update over one set of weights. With LoRA the weights are
 * frozen, and gradient, moments and steps are those of the adapter alone.
 *
 * Graphs are built on first use (evaluation or accumulation, with or without entropies) and have symbolic sizes, so
 * that one session serves every shape. Gradients are summed microbatch by microbatch in a fixed order. `session.run`
 * blocks, so a Trainer belongs in a worker.
 */
import { BowlineError } from "../../../core/index.ts";
import type {
  Cotangents,
  GroupSteps,
  OptimizerStep,
  Row,
  TokenOutputs,
  UpdateResult,
} from "../../../spec/index.ts";
import {
  allocateOnDevice,
  type Feeds,
  floatOutput,
  hasDeviceMemory,
  Session,
  type Tensor,
  tensor,
} from "../graph/index.ts";
import {
  type AdapterStore,
  type ParameterStore,
  queryBlocks,
  rotaryFeeds,
  type TensorStore,
  type ValueHeadStore,
} from "../model/index.ts";
import type { OptimizerState } from "./adamw.ts";
import { CausalMasks } from "./causal-masks.ts";
import { requireFiniteNorm, requirePositiveTemperature, requireTrainable } from "./checks.ts";
import { pickOutputs, uniqueTokenFeeds } from "./device-pass.ts";
import { createTrainedState, hostGradient } from "./host-state.ts";
import {
  defaultMicrobatchTokens,
  estimateSharedScoreBytes,
  estimateWholeGraphBytes,
  type LayeredOptions,
  MAX_WHOLE_GRAPH_BYTES,
} from "./layered/index.ts";
import {
  addSharedPrefixCotangents,
  type LayerwiseInputs,
  LayerwisePass,
  type SharedPrefix,
  sharedPrefixPart,
} from "./layerwise-pass.ts";
import {
  buildFittingMicrobatches,
  type Microbatch,
  outputPlaces,
  requiredLengths,
  tokenPositions,
} from "./microbatch.ts";
import {
  allocateOutputs,
  type BatchCotangents,
  cotangentFeeds,
  gatherCotangents,
  isPolicyZero,
  multiplyByRatios,
  type PassOutputs,
  readPassOutputs,
  requireMatchingCotangents,
  writeRowOutputs,
} from "./outputs.ts";
import { findPrefixGroups, groupWithoutPrefix } from "./prefix-groups.ts";
import type { TrainedState } from "./trained-state.ts";
import { buildTrainingGraph, EMBEDDED_GRADIENT } from "./training-graph.ts";
import { ValueLearner } from "./value-learner.ts";

export interface TrainerOptions {
  /** Default: 2. */
  readonly threads?: number;
  /**
   * Default: 1536, or 768 on a quantised base, and on a device up to 4096. Fewer tokens fit the cache better; more
   * tokens spread the fixed cost of a run.
   */
  readonly tokensPerMicrobatch?: number;
  /** The LoRA adapter, which is trained instead of the weights. */
  readonly adapter?: AdapterStore | undefined;
  /** A critic's value head, which has its own optimizer. */
  readonly valueHead?: ValueHeadStore | undefined;
  /**
   * `whole` is one graph for all layers and fastest. `layered` computes one layer at a time in bounded memory. The
   * default `auto` uses the whole graph while a microbatch's activations fit.
   */
  readonly training?: "auto" | "whole" | "layered";
  /** The chunk sizes of the layered path. */
  readonly layered?: Pick<LayeredOptions, "tokensPerChunk" | "scoreElements" | "logitElements">;
  /** Whether shared prefixes of rows are computed once. Default: true. False is for comparison. */
  readonly sharePrefixes?: boolean;
}

/**
 * How long a thread without work spins before it sleeps. On idle cores a small step takes 175 ms, against 206 when
 * threads sleep at once. On busy cores it costs a few percent of processor time; endless spinning costs half.
 */
const SPIN_MICROSECONDS = 50;

/** Above this estimate of scores over a shared prefix a microbatch goes layer by layer, to save memory. */
const MAX_SHARED_SCORE_BYTES = 352 * 2 ** 20;

export interface TrainerEvaluateOptions {
  readonly temperature?: number;
  readonly entropies?: boolean;
  /** Adds values to the outputs. This works only with the live weights. */
  readonly values?: boolean;
  /** Evaluates other weights of the same config, such as a frozen reference. */
  readonly parameters?: ParameterStore | undefined;
  /** Evaluates another adapter of the same config. "off" evaluates the base. */
  readonly adapter?: AdapterStore | "off" | undefined;
}

type GraphKind =
  `${"evaluate" | "evaluate base" | "accumulate"}${"" | "+entropies"}${"" | "+stream"}${"" | "+ratio"}${"" | "+one block"}${"" | "+shared"}`;

/** How a microbatch passes through the policy. */
interface PassOptions {
  readonly weights: Feeds;
  /** Whether the adapter is applied. */
  readonly isAdapted: boolean;
  readonly temperature: number;
  readonly entropies: boolean;
  /** Whether a value head reads the residual stream. */
  readonly stream: boolean;
  /** Whether ratios multiply the cotangents of log-probs. */
  readonly ratio?: boolean;
  /** The prefix that the microbatch's rows share, if any. */
  readonly shared?: SharedPrefix | undefined;
}

/** Microbatches of rows, with the tokens of the prefix that the rows share, if any. */
interface BatchGroup {
  readonly prefix?: Int32Array;
  readonly batches: readonly Microbatch[];
}

/** Evaluates rows, accumulates gradients and updates weights. */
export class Trainer {
  readonly parameters: ParameterStore;
  readonly adapter: AdapterStore | undefined;
  /** The store that is trained: the adapter, or without one the weights. */
  readonly trained: TensorStore;
  /** The gradient and the optimizer. */
  readonly state: TrainedState;
  /** The learner of the value head, if there is one. */
  readonly critic: ValueLearner | undefined;
  /** Whether the gradient was written to since it was last zero. */
  #hasGradient = false;
  readonly #threads: number;
  readonly #tokensPerMicrobatch: number;
  readonly #sessions = new Map<GraphKind, Promise<Session>>();
  readonly #masks = new CausalMasks();
  readonly #rotary: Feeds;
  readonly #weights: Feeds;
  readonly #training: "auto" | "whole" | "layered";
  readonly #layeredOptions: LayeredOptions;
  readonly #sharePrefixes: boolean;
  /** The layered passes with the adapter (true) and without it (false). */
  readonly #layerwisePasses = new Map<boolean, LayerwisePass>();

  constructor(parameters: ParameterStore, options: TrainerOptions = {}) {
    this.parameters = parameters;
    this.adapter = options.adapter;
    this.trained = options.adapter ?? parameters;
    this.state = createTrainedState(this.trained);
    // The whole graph would hold the floats of all layers at once.
    this.#training = parameters.quantized ? "layered" : (options.training ?? "auto");
    const smallChunks = { tokensPerChunk: 512, logitElements: 2 ** 22 };
    this.#layeredOptions = { ...(parameters.quantized && smallChunks), ...options.layered };
    this.#sharePrefixes = options.sharePrefixes ?? true;
    this.#threads = options.threads ?? 2;
    this.critic = options.valueHead && new ValueLearner(options.valueHead, this.#threads);
    this.#tokensPerMicrobatch = options.tokensPerMicrobatch ?? defaultMicrobatchTokens(parameters);
    this.#rotary = rotaryFeeds(parameters.config);
    const matrices = hasDeviceMemory() ? parameters.deviceMatrixFeeds("rows") : {};
    this.#weights = { ...parameters.feeds(), ...matrices, ...this.adapter?.feeds() };
  }

  get optimizer(): OptimizerState {
    return this.state.optimizer;
  }

  /**
   * The gradient accumulated since the last update, with the layout of the trained store. It must be in this thread's
   * memory; `state.readGradient` also reads one on a device.
   */
  get gradient(): Float32Array {
    return hostGradient(this.state);
  }

  async evaluate(
    rows: readonly Row[],
    options: TrainerEvaluateOptions = {},
  ): Promise<TokenOutputs[]> {
    const entropies = options.entropies ?? false;
    const critic = options.values ? this.#requireCritic(options) : undefined;
    const isAdapted = this.adapter !== undefined && options.adapter !== "off";
    const temperature = options.temperature ?? 1;
    const other = options.adapter === "off" ? undefined : options.adapter;
    const weights = { ...this.#weights, ...options.parameters?.feeds(), ...other?.feeds() };
    const outputs = allocateOutputs(rows, { entropies, values: critic !== undefined });
    const pass = { weights, isAdapted, temperature, entropies, stream: critic !== undefined };
    for (const group of this.#groupRows(rows)) {
      const shared = await this.#computePrefix(group, pass);
      for (const batch of group.batches) {
        const passOutputs = await this.#forward(batch, { ...pass, shared });
        const values = await critic?.evaluate(passOutputs.stream!, weights);
        writeRowOutputs(batch, outputs, values ? { ...passOutputs, values } : passOutputs);
      }
      if (shared) this.#getLayerwisePass(pass.isAdapted).freePrefix(shared);
    }
    return outputs;
  }

  /**
   * Adds d(sum of cotangent * output)/d(trained store) to the gradient. Returns the outputs that `evaluate` would
   * give, bit by bit. A microbatch from which only the value head learns costs no backward pass.
   */
  async accumulate(
    rows: readonly Row[],
    cotangents: readonly Cotangents[],
    options: { readonly temperature?: number } = {},
  ): Promise<TokenOutputs[]> {
    requireMatchingCotangents(rows, cotangents);
    requireTrainable(this.parameters, this.adapter);
    this.#hasGradient = true;
    const entropies = cotangents.some((cotangent) => cotangent.entropies !== undefined);
    const critic = cotangents.some(({ values }) => values) ? this.#requireCritic() : undefined;
    const requested = { entropies, values: critic !== undefined };
    const pass = {
      weights: this.#weights,
      isAdapted: this.adapter !== undefined,
      temperature: options.temperature ?? 1,
      entropies,
      stream: critic !== undefined,
    };
    const outputs = allocateOutputs(rows, requested);
    for (const group of this.#groupRows(rows)) {
      const shared = await this.#computePrefix(group, pass);
      const whole = { ...pass, shared };
      let hasPolicyGradient = false;
      for (const batch of group.batches) {
        const ownCotangents = gatherCotangents(batch, cotangents, requested);
        const isPolicyUnchanged = critic !== undefined && isPolicyZero(ownCotangents);
        hasPolicyGradient ||= !isPolicyUnchanged;
        const passOutputs = await (isPolicyUnchanged
          ? this.#forward(batch, whole)
          : this.#backward(batch, whole, ownCotangents));
        const values = await critic?.accumulate(
          passOutputs.stream!,
          this.#weights,
          ownCotangents.values!,
        );
        writeRowOutputs(batch, outputs, values ? { ...passOutputs, values } : passOutputs);
      }
      if (shared && hasPolicyGradient) await this.#accumulatePrefix(shared, pass);
      if (shared) this.#getLayerwisePass(pass.isAdapted).freePrefix(shared);
    }
    return outputs;
  }

  async #forward(batch: Microbatch, pass: PassOptions): Promise<PassOutputs> {
    const { weights } = pass;
    if (this.#usesLayeredPath(batch)) {
      return this.#getLayerwisePass(pass.isAdapted).evaluate(this.#layerwiseInputs(batch, pass));
    }
    const base = this.adapter && !pass.isAdapted ? "evaluate base" : "evaluate";
    const session = await this.#getSession(graphKind(base, batch, pass));
    const stream = await this.#streamOnDevice(batch, pass);
    const feeds = { ...weights, ...(await this.#batchFeeds(batch, pass)) };
    return { ...readPassOutputs(await session.run(feeds, undefined, stream)), ...stream };
  }

  /** Returns where a graph on a device leaves the residual stream for the value head, if there is one. */
  async #streamOnDevice(batch: Microbatch, pass: PassOptions): Promise<{ stream?: Tensor }> {
    if (!hasDeviceMemory() || !pass.stream) return {};
    const dims = [batch.at.length, this.parameters.config.hiddenSize];
    return { stream: await allocateOnDevice(dims) };
  }

  /** Runs a microbatch forward and backward: returns the outputs of `#forward` and adds to the gradient. */
  async #backward(
    batch: Microbatch,
    pass: PassOptions,
    cotangents: BatchCotangents,
  ): Promise<PassOutputs> {
    const { weights, shared } = pass;
    if (this.#usesLayeredPath(batch)) {
      const inputs = this.#layerwiseInputs(batch, pass);
      const layerwise = this.#getLayerwisePass(pass.isAdapted);
      const own = await multiplyByRatios(cotangents, () => layerwise.evaluate(inputs));
      return layerwise.accumulate(inputs, own);
    }
    const ratio = cotangents.ratio !== undefined;
    const session = await this.#getSession(graphKind("accumulate", batch, { ...pass, ratio }));
    const own = await this.state.getGradientFeeds();
    const prefix = shared && sharedPrefixPart(this.parameters.config, shared).gradients;
    const feeds = { ...weights, ...own.sums, ...prefix?.sums };
    const given = { ...(await this.#batchFeeds(batch, pass)), ...cotangentFeeds(cotangents) };
    const stream = await this.#streamOnDevice(batch, pass);
    const results = await session.run({ ...feeds, ...given }, undefined, {
      ...pickOutputs(session, { ...own.gradients, ...prefix?.gradients }),
      ...stream,
    });
    const embedded = results[EMBEDDED_GRADIENT];
    if (embedded) this.#addEmbeddingGradient(batch, floatOutput(results, EMBEDDED_GRADIENT));
    if (shared) addSharedPrefixCotangents(shared, results);
    return { ...readPassOutputs(results), ...stream };
  }

  /** Returns the learner of the value head. Throws an `engine` error without one, or for weights other than live. */
  #requireCritic({ parameters, adapter }: TrainerEvaluateOptions = {}): ValueLearner {
    if (parameters ?? adapter) {
      throw new BowlineError(
        "engine",
        'values exist for the "live" weights alone, because the value head learns on their hidden states',
      );
    }
    if (this.critic) return this.critic;
    throw new BowlineError(
      "engine",
      "values are requested, but the engine has no value head; create the engine with the option valueHead",
    );
  }

  /**
   * Clips and steps each group that has a step, and clears all gradients. A single step is the policy's. When a
   * gradient is not finite it throws, and weights and gradients stay as they are.
   */
  async update(steps: OptimizerStep | GroupSteps): Promise<UpdateResult> {
    const { policy, value }: GroupSteps = "learningRate" in steps ? { policy: steps } : steps;
    const critic = value ? this.#requireCritic() : this.critic;
    const norm = await this.state.computeNorm();
    const valueNorm = await critic?.state.computeNorm();
    requireFiniteNorm(norm, "gradient norm");
    requireFiniteNorm(valueNorm ?? 0, "gradient norm of the value head");
    if (policy) await this.state.step(policy, norm);
    if (value) await critic!.state.step(value, valueNorm!);
    await this.discard();
    return { gradientNorm: norm, ...(valueNorm !== undefined && { valueNorm }) };
  }

  async discard(): Promise<void> {
    // Pages of zeros that are never written cost no memory: an engine that only samples or evaluates has no gradient.
    if (this.#hasGradient) await this.state.clear();
    if (this.#hasGradient) await this.critic?.state.clear();
    for (const pass of this.#layerwisePasses.values()) pass.freeSpares();
    this.#hasGradient = false;
  }

  /** Brings weights and moments that are newer on a device into this thread's memory, for a checkpoint or an export. */
  async readBack(): Promise<void> {
    await this.state.readBack();
    await this.critic?.state.readBack();
  }

  /** Declares that moments in this thread's memory were written to. */
  markMomentsChanged(): void {
    this.state.markMomentsChanged();
    this.critic?.state.markMomentsChanged();
  }

  async close(): Promise<void> {
    await this.critic?.close();
    for (const session of this.#sessions.values()) await (await session).close();
    this.#sessions.clear();
    for (const pass of this.#layerwisePasses.values()) await pass.close();
    this.#layerwisePasses.clear();
    await this.state.close();
  }

  /** Returns whether a microbatch goes layer by layer. It depends on shapes alone, the same for all passes of a row. */
  #usesLayeredPath(batch: Microbatch): boolean {
    if (this.#training !== "auto") return this.#training === "layered";
    const { config } = this.parameters;
    if (estimateSharedScoreBytes(config, batch) > MAX_SHARED_SCORE_BYTES) return true;
    return estimateWholeGraphBytes(config, batch) > MAX_WHOLE_GRAPH_BYTES;
  }

  #getLayerwisePass(isAdapted: boolean): LayerwisePass {
    const { config, quantized } = this.parameters;
    const lora = isAdapted ? this.adapter?.lora : undefined;
    const options = { ...this.#layeredOptions, threads: this.#threads, lora, quantized };
    const pass =
      this.#layerwisePasses.get(isAdapted) ?? new LayerwisePass(config, options, this.state);
    this.#layerwisePasses.set(isAdapted, pass);
    return pass;
  }

  #layerwiseInputs(batch: Microbatch, pass: PassOptions): LayerwiseInputs {
    const { temperature, entropies, shared } = pass;
    requirePositiveTemperature(temperature);
    return { weights: this.#layerwiseWeights(pass), batch, shared, temperature, entropies };
  }

  #layerwiseWeights({ weights }: PassOptions): Feeds {
    return { ...weights, ...this.#rotary };
  }

  async #computePrefix(
    { prefix }: BatchGroup,
    pass: PassOptions,
  ): Promise<SharedPrefix | undefined> {
    if (!prefix) return undefined;
    const layerwise = this.#getLayerwisePass(pass.isAdapted);
    return layerwise.computePrefix(this.#layerwiseWeights(pass), prefix);
  }

  async #accumulatePrefix(shared: SharedPrefix, pass: PassOptions): Promise<void> {
    const layerwise = this.#getLayerwisePass(pass.isAdapted);
    await layerwise.accumulatePrefix(this.#layerwiseWeights(pass), shared);
  }

  /** Adds gradients of embedded tokens to the embedding table. The graph itself adds those of the weights. */
  #addEmbeddingGradient(batch: Microbatch, rows: Float32Array): void {
    const width = this.parameters.config.hiddenSize;
    const table = this.parameters.getParameter("model.embed_tokens.weight").offset;
    const { gradient } = this;
    let from = 0;
    for (const id of batch.tokens) {
      const start = table + id * width;
      for (let i = start; i < start + width; i++) gradient[i] = gradient[i]! + rows[from++]!;
    }
  }

  /** Groups rows by shared prefix, with microbatches of the rest of each row. */
  #groupRows(rows: readonly Row[]): BatchGroup[] {
    const lengths = requiredLengths(rows, this.parameters.config);
    // On a device a second microbatch costs more than going layer by layer.
    const fits = (batch: Microbatch) => hasDeviceMemory() || !this.#usesLayeredPath(batch);
    const groups = this.#sharePrefixes
      ? findPrefixGroups(rows, lengths)
      : [groupWithoutPrefix(lengths)];
    return groups.map((group) => {
      const size = this.#tokensPerMicrobatch;
      const batches = buildFittingMicrobatches(rows, lengths, group, size, fits);
      if (group.prefix === 0) return { batches };
      const { tokens } = rows[group.rows[0]!]!;
      return { batches, prefix: Int32Array.from({ length: group.prefix }, (_, i) => tokens[i]!) };
    });
  }

  #getSession(kind: GraphKind): Promise<Session> {
    const known = this.#sessions.get(kind);
    if (known) return known;
    const graph = buildTrainingGraph(this.parameters.config, {
      entropies: kind.includes("+entropies"),
      stream: kind.includes("+stream"),
      ratio: kind.includes("+ratio"),
      shared: kind.endsWith("+shared"),
      blocks: kind.includes("+one block") ? 1 : undefined,
      backward: kind.startsWith("accumulate"),
      lora: kind.startsWith("evaluate base") ? undefined : this.adapter?.lora,
    });
    const session = Session.create(graph, { threads: this.#threads, spin: SPIN_MICROSECONDS });
    this.#sessions.set(kind, session);
    return session;
  }

  async #batchFeeds(batch: Microbatch, { temperature, shared }: PassOptions): Promise<Feeds> {
    requirePositiveTemperature(temperature);
    const { batch: rows, time } = batch;
    const positions = tokenPositions(batch, this.parameters.config);
    return {
      ...this.#rotary,
      ...(shared && sharedPrefixPart(this.parameters.config, shared).feeds),
      ...(await this.#masks.feeds(time)),
      ...(hasDeviceMemory() && uniqueTokenFeeds(batch.tokens)),
      tokens: tensor(batch.tokens, [rows, time]),
      positions: tensor(positions, [rows, time]),
      at: tensor(batch.at, [batch.at.length]),
      places: tensor(outputPlaces(batch), [rows * time]),
      targets: tensor(batch.targets, [batch.targets.length]),
      inverseTemperature: tensor(Float32Array.of(1 / temperature), []),
    };
  }
}

function graphKind<K extends string>(
  base: K,
  { time }: Microbatch,
  { entropies, stream, ratio, shared }: PassOptions,
) {
  const outputs = `${entropies ? "+entropies" : ""}${stream ? "+stream" : ""}` as const;
  const blocks = queryBlocks(time) === 1 ? "+one block" : "";
  return `${base}${outputs}${ratio ? "+ratio" : ""}${blocks}${shared ? "+shared" : ""}` as const;
}
