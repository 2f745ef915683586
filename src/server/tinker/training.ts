/** Runs the requests of models in training: gradients, optimizer steps, and saving and loading weights. */
import { tinkerWire } from "../../engine/index.ts";
import { throwApiError } from "./api-error.ts";
import type { AdamParams, Backend, BatchResult, ModelOptions } from "./backend.ts";
import { type CheckpointRecord, type Checkpoints, describeWeights } from "./checkpoints.ts";
import type { LossBatch } from "./losses.ts";
import type { ModelCall, Models } from "./models.ts";
import { jsonOutcome } from "./outcome.ts";

export interface SaveCall extends ModelCall {
  readonly path?: string | null | undefined;
  readonly ttl_seconds?: number | null | undefined;
  readonly overwrite?: boolean | null | undefined;
  readonly user_metadata?: Record<string, unknown> | null | undefined;
}

export interface TrainingParts {
  readonly backend: Backend;
  readonly checkpoints: Checkpoints;
  readonly models: Models;
}

/** Its methods queue a request in its model's order and return the id of the future. */
export class Training {
  readonly #parts: TrainingParts;
  #unnamed = 0;

  constructor(parts: TrainingParts) {
    this.#parts = parts;
  }

  forwardBackward(call: ModelCall, batch: LossBatch, forwardOnly: boolean): string {
    const { backend, models } = this.#parts;
    return models.submitWork(call, { forwardOnly, batch }, async (id) => {
      const result = await (forwardOnly
        ? backend.forward(id, batch)
        : backend.forwardBackward(id, batch));
      return { type: "forward_backward", value: toForwardBackwardOutput(result) };
    });
  }

  optimStep(call: ModelCall, adam: AdamParams): string {
    const { backend, models } = this.#parts;
    return models.submitWork(call, { adam }, async (id) => {
      const metrics = await backend.optimStep(id, adam);
      return jsonOutcome({ type: "optim_step", metrics });
    });
  }

  saveWeights(call: SaveCall): string {
    const { backend, checkpoints, models } = this.#parts;
    const options = models.getOptions(call.model_id);
    const name = call.path ?? `seq-${call.seq_id ?? `unnumbered-${++this.#unnamed}`}`;
    const target = { modelId: call.model_id, kind: "weights", name } as const;
    const about = {
      ...describeWeights(backend.base.name, options),
      ...(call.user_metadata && { user_metadata: call.user_metadata }),
    };
    const ttlSeconds = call.ttl_seconds ?? undefined;
    const work = async (id: string) => {
      const path = await checkpoints.write(target, about, ttlSeconds, (folder) =>
        backend.saveTraining(id, folder),
      );
      return jsonOutcome({ type: "save_weights", path });
    };
    return models.submitWork(call, { save: call }, work, () =>
      checkpoints.reserve(target, call.overwrite ?? false),
    );
  }

  /** Loads weights. This must be the model's first request, because the model would lose what it has learned. */
  loadWeights(call: ModelCall, path: string, optimizer: boolean): string {
    const { backend, checkpoints, models } = this.#parts;
    const options = models.getOptions(call.model_id);
    const work = async (id: string) => {
      const { weights } = checkpoints.read(path, "weights");
      await backend.loadTraining(id, weights.directory, { optimizer });
      return jsonOutcome({ type: "load_weights", path });
    };
    return models.submitWork(call, { load: path, optimizer }, work, () => {
      if (!models.isFirstRequest(call)) {
        const number = call.seq_id ?? "of later requests";
        throwApiError(
          400,
          `LoadWeights is not permitted with seq_id ${number}: it must be the model's first request`,
        );
      }
      requireSameShape(checkpoints.read(path, "weights").record, options, path);
    });
  }
}

function requireSameShape(
  record: Pick<CheckpointRecord, "lora_rank" | "train_mlp" | "train_attn">,
  options: ModelOptions,
  path: string,
): void {
  const [theirs, ours] = [
    [record.lora_rank, record.train_mlp, record.train_attn],
    [options.rank, options.trainMlp, options.trainAttention],
  ].map(([rank, mlp, attention]) => `rank ${rank}, train_mlp ${mlp}, train_attn ${attention}`);
  if (theirs !== ours) throwApiError(400, `${path} has ${theirs}, but the model has ${ours}`);
}

function toForwardBackwardOutput({ logprobs, losses, loss, skipped }: BatchResult) {
  return {
    loss_fn_output_type: "TorchLossReturn",
    loss_fn_outputs: logprobs.map((values, i) => ({
      logprobs: tinkerWire.floatTensor(values),
      elementwise_loss: tinkerWire.floatTensor(losses[i]!),
    })),
    metrics: { "loss:sum": loss, ...(skipped > 0 && { "skipped_targets:sum": skipped }) },
  };
}
