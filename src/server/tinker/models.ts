/**
 * Manages the models in training: their ids, their creation and unloading, and the order of their requests. What a
 * request does is in training.ts.
 *
 * As on the hosted service, the ids of models and requests follow from the numbers that clients choose
 * (`{session}:train:{n}`, `{model}:{seq}`). A model belongs to a session; when room is needed, the models of silent
 * sessions are unloaded. A restart of the server loses models but keeps checkpoints; create_model and load_weights
 * restore a model.
 */
import { hash32 } from "../../core/index.ts";
import { ApiError, throwApiError } from "./api-error.ts";
import type { Backend, ModelOptions } from "./backend.ts";
import type { Checkpoints } from "./checkpoints.ts";
import { digestJson } from "./digest.ts";
import type { Futures } from "./futures.ts";
import { type CreateModelRequest, readModelOptions } from "./model-options.ts";
import { jsonOutcome, type Outcome } from "./outcome.ts";
import type { Sessions } from "./sessions.ts";
import { TrainingQueue } from "./training-queue.ts";

interface Model {
  readonly id: string;
  readonly sessionId: string;
  readonly digest: string;
  readonly requestId: string;
  readonly options: ModelOptions;
  readonly queue: TrainingQueue;
}

export interface ModelParts {
  readonly backend: Backend;
  readonly futures: Futures;
  readonly checkpoints: Checkpoints;
  readonly sessions: Sessions;
  readonly seed: number;
  /** A model may be unloaded when its session has been silent for longer than this. */
  readonly silenceSeconds: number;
}

export interface CreateByLoadingRequest
  extends Pick<CreateModelRequest, "session_id" | "model_seq_id"> {
  readonly path: string;
  readonly optimizer: boolean;
  readonly base_model?: string | null | undefined;
}

/** The id of the future, and the id of the model, which is known at once. */
interface CreatedModel {
  readonly request_id: string;
  readonly model_id: string;
}

/** A request to a model: the model's id and the request's number. */
export interface ModelCall {
  readonly model_id: string;
  readonly seq_id?: number | null | undefined;
}

export class Models {
  readonly #parts: ModelParts;
  readonly #models = new Map<string, Model>();
  #unnumbered = 0;

  constructor(parts: ModelParts) {
    this.#parts = parts;
  }

  /** Creates a model. A repeated call with the same body returns the same model. */
  createModel(request: CreateModelRequest): CreatedModel {
    const resolveOptions = () => {
      this.requireBaseModel(request.base_model);
      return readModelOptions(request, this.#adapterSeed(request));
    };
    return this.#startModel(request, digestJson(request), resolveOptions, async (id) => {
      return jsonOutcome({ model_id: id, type: "create_model" });
    });
  }

  /** Creates a model with the shape and the weights of a checkpoint. */
  createModelByLoading(request: CreateByLoadingRequest): CreatedModel {
    const { backend, checkpoints } = this.#parts;
    const { path, optimizer, base_model } = request;
    const resolveOptions = () => {
      const { record, weights } = checkpoints.read(path, "weights");
      this.requireBaseModel(base_model ?? record.base_model);
      return { ...weights, seed: this.#adapterSeed(request) };
    };
    return this.#startModel(request, digestJson(request), resolveOptions, async (id) => {
      const { weights } = checkpoints.read(path, "weights");
      await backend.loadTraining(id, weights.directory, { optimizer });
      return jsonOutcome({ model_id: id, type: "load_weights", path });
    });
  }

  /** Starts the model's engine and then runs `finish`. The model's requests wait for both. */
  #startModel(
    { session_id, model_seq_id }: Pick<CreateModelRequest, "session_id" | "model_seq_id">,
    digest: string,
    resolveOptions: () => ModelOptions,
    finish: (id: string) => Promise<Outcome>,
  ): CreatedModel {
    const { sessions, backend, futures } = this.#parts;
    sessions.recordActivity(session_id);
    const id = `${session_id}:train:${model_seq_id}`;
    const before = this.#models.get(id);
    if (before) {
      if (before.digest === digest) return { request_id: before.requestId, model_id: id };
      throwApiError(
        409,
        `model_seq_id ${model_seq_id} belongs to a different model; use another number`,
      );
    }
    const options = resolveOptions();
    const requestId = `${id}:create`;
    let ready: Promise<unknown> = Promise.resolve();
    futures.start(requestId, () => {
      const work = this.#unloadSilentModels()
        .then(() => backend.createModel(id, options))
        .then(() => finish(id));
      ready = work.catch(() => this.#models.delete(id));
      return work;
    });
    const queue = new TrainingQueue(ready);
    this.#models.set(id, { id, sessionId: session_id, digest, requestId, options, queue });
    return { request_id: requestId, model_id: id };
  }

  describeModel(id: string): Readonly<Record<string, unknown>> {
    const { options } = this.#requireModel(id);
    const { base } = this.#parts.backend;
    return {
      type: "get_info",
      model_id: id,
      model_name: base.name,
      model_data: {
        arch: "decoder",
        model_name: base.name,
        ...(base.tokenizerDirectory && { tokenizer_id: base.tokenizerDirectory }),
      },
      is_lora: options.rank > 0,
      lora_rank: options.rank,
    };
  }

  /** Returns the model's options. Throws a 400 when there is no such model. */
  getOptions(id: string): ModelOptions {
    return this.#requireModel(id).options;
  }

  getSessionId(id: string): string {
    return this.#requireModel(id).sessionId;
  }

  requireBaseModel(name: string): void {
    const { base } = this.#parts.backend;
    if (name !== base.name) {
      throwApiError(
        400,
        `unknown base model ${JSON.stringify(name)}: this server has ${base.name}`,
      );
    }
  }

  /** Returns whether this would be the model's first request. */
  isFirstRequest({ model_id, seq_id }: ModelCall): boolean {
    return this.#requireModel(model_id).queue.isFirst(seq_id ?? undefined);
  }

  /**
   * Queues work of a model and returns the future's id. A repeated call with the same number and `body` returns the
   * same future. `reserve` is called before the request is accepted, and may throw to refuse the request.
   */
  submitWork(
    call: ModelCall,
    body: unknown,
    work: (id: string) => Promise<Outcome>,
    reserve: () => void = () => {},
  ): string {
    const model = this.#requireModel(call.model_id);
    const { futures, sessions } = this.#parts;
    sessions.recordActivity(model.sessionId);
    const number = call.seq_id ?? undefined;
    const digest = digestJson(body);
    const before = model.queue.findRepeated(number, digest);
    if (before !== undefined) return before;
    if (futures.isFull) throw new ApiError(429, "too many requests are pending; try again later");
    reserve();
    const requestId = `${model.id}:${number ?? `unnumbered-${++this.#unnumbered}`}`;
    futures.start(requestId, () =>
      runInQueue(model.queue, number, { digest, requestId }, () => work(model.id)),
    );
    return requestId;
  }

  /** Unloads the model after its earlier requests. A repeated call returns the same future. */
  unload(id: string): string {
    const requestId = `${id}:unload`;
    const { futures, backend, sessions } = this.#parts;
    if (futures.status(requestId) !== "unknown") return requestId;
    const { sessionId, queue } = this.#requireModel(id);
    sessions.recordActivity(sessionId);
    futures.start(requestId, () => {
      return runInQueue(queue, undefined, { digest: "", requestId }, async () => {
        this.#models.delete(id);
        await backend.unloadModel(id);
        return jsonOutcome({ type: "unload_model", model_id: id });
      });
    });
    return requestId;
  }

  /** Says what a model's future waits for. Returns undefined when it is being worked on. */
  describeWait(requestId: string): string | undefined {
    const model = this.#models.get(requestId.slice(0, requestId.lastIndexOf(":")));
    const missing = model?.queue.missingNumber;
    return missing === undefined ? undefined : `waiting for seq_id ${missing}`;
  }

  #requireModel(id: string): Model {
    return (
      this.#models.get(id) ??
      throwApiError(
        400,
        `Model ${id} is not loaded; call create_model, then load_weights with a checkpoint`,
      )
    );
  }

  /**
   * Returns the seed of a model whose client names none. It is the same in every session, so that a run can be
   * repeated.
   */
  #adapterSeed({ model_seq_id }: Pick<CreateModelRequest, "model_seq_id">): number {
    return hash32(`train:${model_seq_id}`, this.#parts.seed);
  }

  /** Unloads the models of silent sessions to make room. */
  async #unloadSilentModels(): Promise<void> {
    const { sessions, silenceSeconds, backend } = this.#parts;
    const silent = [...this.#models.values()].filter(({ sessionId }) => {
      return sessions.secondsSinceActivity(sessionId) > silenceSeconds;
    });
    for (const { id } of silent) {
      this.#models.delete(id);
      await backend.unloadModel(id).catch(() => {});
    }
  }
}

function runInQueue(
  queue: TrainingQueue,
  number: number | undefined,
  request: { readonly digest: string; readonly requestId: string },
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    queue.enqueue(number, request, () => work().then(resolve, reject));
  });
}
