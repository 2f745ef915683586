/**
 * The backend with the embedded engine: one engine per model, with LoRA or full training, and a pool of engines that
 * sample from frozen weights. Each engine is a worker thread with its own copy of the base model.
 */
import { mapConcurrently } from "../../core/index.ts";
import type { ModelConfig, OnnxEngine, OnnxEngineOptions } from "../../engine/index.ts";
import type { LoraOptions, TargetModule } from "../../spec/index.ts";
import { throwApiError } from "./api-error.ts";
import type {
  AdamParams,
  Backend,
  BaseModel,
  BatchResult,
  FrozenWeights,
  ModelOptions,
} from "./backend.ts";
import type { LossBatch } from "./losses.ts";
import { SamplerPool } from "./sampler-pool.ts";
import { runSamplingJob } from "./sampling.ts";
import { collectResult, computeCotangents, planRows } from "./training-rows.ts";

/** An adapter's output is scaled by LORA_ALPHA / rank. Other servers of this protocol use the same value. */
export const LORA_ALPHA = 32;

const ATTENTION: readonly TargetModule[] = ["q_proj", "k_proj", "v_proj", "o_proj"];
const MLP: readonly TargetModule[] = ["gate_proj", "up_proj", "down_proj"];

export interface EmbeddedBackendOptions {
  readonly base: BaseModel;
  readonly model: ModelConfig;
  /** A Hugging Face folder with the base model's weights. */
  readonly directory: string;
  readonly createEngine: (options: OnnxEngineOptions) => Promise<OnnxEngine>;
  /** The number of threads of each engine. */
  readonly threads?: number | undefined;
  /** The seed of sampling. Together with a request's seed it decides what is sampled. */
  readonly seed: number;
  /** The largest number of models at the same time. */
  readonly maxModels: number;
  /** The largest number of engines that sample at the same time. */
  readonly samplerEngines: number;
}

interface Model {
  readonly engine: OnnxEngine;
  readonly isLora: boolean;
  /** How many batches were accumulated since the last step. */
  accumulated: number;
}

export class EmbeddedBackend implements Backend {
  readonly base: BaseModel;
  readonly #options: EmbeddedBackendOptions;
  readonly #models = new Map<string, Promise<Model>>();
  readonly #samplers: SamplerPool;

  constructor(options: EmbeddedBackendOptions) {
    this.base = options.base;
    this.#options = options;
    this.#samplers = new SamplerPool({
      size: options.samplerEngines,
      createEngine: (shape) => this.#createEngine(shape, { seed: options.seed }),
    });
  }

  async createModel(id: string, options: ModelOptions): Promise<void> {
    const { maxModels } = this.#options;
    if (this.#models.size >= maxModels) {
      throwApiError(
        400,
        `Maximum number of models (${maxModels}) reached; unload one first with unload_model`,
      );
    }
    // Full training starts from the base model's weights, so it draws nothing at random.
    const seed = options.rank === 0 ? 0 : options.seed;
    const model = this.#createEngine(options, { seed, maxLiveRows: 1 }).then((engine) => {
      return { engine, isLora: options.rank > 0, accumulated: 0 };
    });
    this.#models.set(id, model);
    await model.catch((error: unknown) => {
      this.#models.delete(id);
      throw error;
    });
  }

  async forward(id: string, batch: LossBatch): Promise<BatchResult> {
    const { engine } = await this.#requireModel(id);
    const plan = planRows(batch);
    return collectResult(batch, plan, await engine.evaluate(plan.map(({ row }) => row)));
  }

  /** Cross entropy takes one pass; the other losses need the present log-probs first. */
  async forwardBackward(id: string, batch: LossBatch): Promise<BatchResult> {
    const model = await this.#requireModel(id);
    const { engine } = model;
    const plan = planRows(batch);
    const rows = plan.map(({ row }) => row);
    const first = batch.loss === "cross_entropy" ? undefined : await engine.evaluate(rows);
    const outputs = await engine.accumulate(rows, computeCotangents(batch, plan, first));
    model.accumulated += 1;
    return collectResult(batch, plan, first ?? outputs);
  }

  async optimStep(id: string, adam: AdamParams): Promise<Record<string, number>> {
    const model = await this.#requireModel(id);
    if (model.accumulated === 0) {
      throwApiError(
        400,
        "optim_step without a gradient: no forward_backward has succeeded since the last step",
      );
    }
    const { gradientNorm } = await model.engine.update({
      learningRate: adam.learning_rate,
      beta1: adam.beta1,
      beta2: adam.beta2,
      epsilon: adam.eps,
      weightDecay: adam.weight_decay,
      maxGradientNorm: adam.grad_clip_norm > 0 ? adam.grad_clip_norm : Infinity,
    });
    model.accumulated = 0;
    return { "grad_norm:mean": gradientNorm, "learning_rate:mean": adam.learning_rate };
  }

  async saveTraining(id: string, directory: string): Promise<void> {
    const { engine, accumulated } = await this.#requireModel(id);
    if (accumulated > 0) {
      throwApiError(
        400,
        "save_weights: there is an accumulated gradient, which a checkpoint cannot hold; call optim_step first",
      );
    }
    await engine.save(directory);
  }

  async loadTraining(id: string, directory: string, options: { optimizer: boolean }) {
    const { engine } = await this.#requireModel(id);
    return engine.load(directory, { moments: options.optimizer ? "kept" : "fresh" });
  }

  async saveSampler(id: string, directory: string): Promise<void> {
    const { engine, isLora } = await this.#requireModel(id);
    await (isLora ? engine.exportAdapter(directory) : engine.exportMerged(directory));
  }

  async unloadModel(id: string): Promise<void> {
    const { engine } = await this.#requireModel(id);
    this.#models.delete(id);
    await engine.close();
  }

  sample(...[weights, job, signal]: Parameters<Backend["sample"]>) {
    return this.#samplers.runWithWeights(weights, (engine) =>
      runSamplingJob(engine, this.base, job, signal),
    );
  }

  async close(): Promise<void> {
    const models = [...this.#models.values()];
    this.#models.clear();
    await mapConcurrently(models, models.length, async (model) => {
      const { engine } = await model.catch(() => ({ engine: undefined }));
      await engine?.close();
    });
    await this.#samplers.close();
  }

  async #requireModel(id: string): Promise<Model> {
    return (await this.#models.get(id)) ?? throwApiError(400, `Model ${id} is not loaded`);
  }

  #createEngine(
    shape: ModelOptions | FrozenWeights | undefined,
    options: Pick<OnnxEngineOptions, "seed" | "maxLiveRows">,
  ): Promise<OnnxEngine> {
    const { model, directory, threads, createEngine } = this.#options;
    return createEngine({
      ...options,
      model,
      weights: directory,
      ...(threads === undefined ? {} : { threads }),
      lora: shape && toLoraOptions(shape),
    });
  }
}

function toLoraOptions(shape: Omit<ModelOptions, "seed">): LoraOptions | undefined {
  const { rank, trainAttention, trainMlp } = shape;
  if (rank === 0) return undefined;
  const targetModules = [...(trainAttention ? ATTENTION : []), ...(trainMlp ? MLP : [])];
  return { rank, alpha: LORA_ALPHA, targetModules };
}
