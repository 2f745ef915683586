/**
 * Models in training: their names, the order of their requests, and what each request does.
 *
 * A model's id and its requests' ids follow from the numbers that clients give (`{session}:train:{n}`, `{model}:{seq}`),
 * as on the hosted service. A model belongs to a session; one whose session has been silent gives way when room is
 * needed. Models do not outlive the server, checkpoints do: create_model and load_weights bring a model back.
 */
import { hash32 } from "../../core/index.ts";
import { ApiError, refuse } from "./api-error.ts";
import type { AdamParams, Backend, BatchResult, ModelOptions } from "./backend.ts";
import { aboutOf, type Checkpoints } from "./checkpoints.ts";
import { digestOf } from "./digest.ts";
import type { Futures } from "./futures.ts";
import type { LossBatch } from "./losses.ts";
import type { Outcome } from "./outcome.ts";
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
  /** After this silence of its session a model gives way. */
  readonly silenceSeconds: number;
}

export interface CreateModel {
  readonly session_id: string;
  readonly model_seq_id: number;
  readonly base_model: string;
  readonly lora_config?:
    | {
        readonly rank: number;
        readonly seed?: number | null | undefined;
        readonly train_mlp: boolean;
        readonly train_attn: boolean;
      }
    | null
    | undefined;
}

export interface CreateByLoading extends Pick<CreateModel, "session_id" | "model_seq_id"> {
  readonly path: string;
  readonly optimizer: boolean;
  readonly base_model?: string | null | undefined;
}

/** The future, and the model's id, which is known at once. */
interface Created {
  readonly request_id: string;
  readonly model_id: string;
}

/** A request of one model: which, its number, and what makes it the same as another. */
export interface Call {
  readonly model_id: string;
  readonly seq_id?: number | null | undefined;
}

export interface Save extends Call {
  readonly path?: string | null | undefined;
  readonly ttl_seconds?: number | null | undefined;
  readonly overwrite?: boolean | null | undefined;
  readonly user_metadata?: Record<string, unknown> | null | undefined;
}

export class Models {
  readonly #parts: ModelParts;
  readonly #models = new Map<string, Model>();
  #unnumbered = 0;

  constructor(parts: ModelParts) {
    this.#parts = parts;
  }

  /** Repeated with the same body: the same model. */
  create(request: CreateModel): Created {
    const optionsOf = () => {
      this.requireBase(request.base_model);
      return modelOptions(request, this.#adapterSeed(request));
    };
    return this.#open(request, digestOf(request), optionsOf, async (id) => {
      return json({ model_id: id, type: "create_model" });
    });
  }

  /** A new model in the shape of a checkpoint, with its weights. */
  createByLoading(request: CreateByLoading): Created {
    const { backend, checkpoints } = this.#parts;
    const { path, optimizer, base_model } = request;
    const optionsOf = () => {
      const { record, weights } = checkpoints.read(path, "weights");
      this.requireBase(base_model ?? record.base_model);
      return { ...weights, seed: this.#adapterSeed(request) };
    };
    return this.#open(request, digestOf(request), optionsOf, async (id) => {
      const { weights } = checkpoints.read(path, "weights");
      await backend.loadTraining(id, weights.directory, { optimizer });
      return json({ model_id: id, type: "load_weights", path });
    });
  }

  /** `finish` runs when the engine is there; the model's requests wait for both. */
  #open(
    { session_id, model_seq_id }: Pick<CreateModel, "session_id" | "model_seq_id">,
    digest: string,
    optionsOf: () => ModelOptions,
    finish: (id: string) => Promise<Outcome>,
  ): Created {
    const { sessions, backend, futures } = this.#parts;
    sessions.touch(session_id);
    const id = `${session_id}:train:${model_seq_id}`;
    const before = this.#models.get(id);
    if (before) {
      if (before.digest === digest) return { request_id: before.requestId, model_id: id };
      refuse(409, `model_seq_id ${model_seq_id} belongs to another model`);
    }
    const options = optionsOf();
    const requestId = `${id}:create`;
    let ready: Promise<unknown> = Promise.resolve();
    futures.start(requestId, () => {
      const work = this.#makeRoom()
        .then(() => backend.createModel(id, options))
        .then(() => finish(id));
      ready = work.catch(() => this.#models.delete(id));
      return work;
    });
    const queue = new TrainingQueue(ready);
    this.#models.set(id, { id, sessionId: session_id, digest, requestId, options, queue });
    return { request_id: requestId, model_id: id };
  }

  info(id: string): Readonly<Record<string, unknown>> {
    const { options } = this.#get(id);
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

  /** Throws a 400 when there is no such model. */
  optionsOf(id: string): ModelOptions {
    return this.#get(id).options;
  }

  sessionOf(id: string): string {
    return this.#get(id).sessionId;
  }

  requireBase(name: string): void {
    const { base } = this.#parts.backend;
    if (name !== base.name) {
      refuse(400, `unknown base model ${JSON.stringify(name)}: this server has ${base.name}`);
    }
  }

  forwardBackward(call: Call, batch: LossBatch, forwardOnly: boolean): string {
    const { backend } = this.#parts;
    return this.#submit(call, { forwardOnly, batch }, async (id) => {
      const result = await (forwardOnly
        ? backend.forward(id, batch)
        : backend.forwardBackward(id, batch));
      return { type: "forward_backward", value: forwardBackwardOutput(result) };
    });
  }

  optimStep(call: Call, adam: AdamParams): string {
    return this.#submit(call, { adam }, async (id) => {
      const metrics = await this.#parts.backend.optimStep(id, adam);
      return json({ type: "optim_step", metrics });
    });
  }

  saveWeights(call: Save): string {
    const { backend, checkpoints } = this.#parts;
    const { options } = this.#get(call.model_id);
    const name = call.path ?? `seq-${call.seq_id ?? ++this.#unnumbered}`;
    const target = { modelId: call.model_id, kind: "weights", name } as const;
    const reserve = () => checkpoints.reserve(target, call.overwrite ?? false);
    return this.#submit(
      call,
      { save: call },
      reserved(reserve, async (id) => {
        const about = {
          ...aboutOf(backend.base.name, options),
          ...(call.user_metadata && { user_metadata: call.user_metadata }),
        };
        const path = await checkpoints.write(
          target,
          about,
          call.ttl_seconds ?? undefined,
          (folder) => backend.saveTraining(id, folder),
        );
        return json({ type: "save_weights", path });
      }),
    );
  }

  /** Only as a model's first request, as elsewhere: what it had learned would be lost. */
  loadWeights(call: Call, path: string, optimizer: boolean): string {
    const { backend, checkpoints } = this.#parts;
    const { options, queue } = this.#get(call.model_id);
    const first = () => {
      if (!queue.isFirst(call.seq_id ?? undefined)) {
        const number = call.seq_id ?? "of later requests";
        refuse(400, `LoadWeights is not permitted with seq_id ${number}: it must come first`);
      }
      const { record } = checkpoints.read(path, "weights");
      requireAlike(record, options, path);
    };
    return this.#submit(
      call,
      { load: path, optimizer },
      reserved(first, async (id) => {
        const { weights } = checkpoints.read(path, "weights");
        await backend.loadTraining(id, weights.directory, { optimizer });
        return json({ type: "load_weights", path });
      }),
    );
  }

  /** Work in a model's order that somebody else defines. `reserve` runs when it is accepted, not when repeated. */
  submit(
    call: Call,
    body: unknown,
    reserve: () => void,
    work: (id: string) => Promise<Outcome>,
  ): string {
    return this.#submit(call, body, reserved(reserve, work));
  }

  /** After all that came before it. Repeated: the same future. */
  unload(id: string): string {
    const requestId = `${id}:unload`;
    const { futures, backend, sessions } = this.#parts;
    if (futures.state(requestId) !== "unknown") return requestId;
    const { sessionId, queue } = this.#get(id);
    sessions.touch(sessionId);
    futures.start(requestId, () => {
      return inTurn(queue, undefined, { digest: "", requestId }, async () => {
        this.#models.delete(id);
        await backend.unloadModel(id);
        return json({ type: "unload_model", model_id: id });
      });
    });
    return requestId;
  }

  /** Why a future of a model is not done; undefined: it is being worked on. */
  reasonOf(requestId: string): string | undefined {
    const model = this.#models.get(requestId.slice(0, requestId.lastIndexOf(":")));
    const missing = model?.queue.missing;
    return missing === undefined ? undefined : `waiting for seq_id ${missing}`;
  }

  #submit(call: Call, body: unknown, work: Work): string {
    const model = this.#get(call.model_id);
    const { futures, sessions } = this.#parts;
    sessions.touch(model.sessionId);
    const number = call.seq_id ?? undefined;
    const digest = digestOf(body);
    const before = model.queue.repeated(number, digest);
    if (before !== undefined) return before;
    if (futures.isFull) throw new ApiError(429, "too many requests are pending");
    work.reserve?.();
    const requestId = `${model.id}:${number ?? `unnumbered-${++this.#unnumbered}`}`;
    futures.start(requestId, () =>
      inTurn(model.queue, number, { digest, requestId }, () => work(model.id)),
    );
    return requestId;
  }

  #get(id: string): Model {
    return (
      this.#models.get(id) ??
      refuse(400, `Model ${id} is not loaded; create_model, then load_weights of a checkpoint`)
    );
  }

  /** Of models that name none: the same in every session, so that a run can be repeated. */
  #adapterSeed({ model_seq_id }: Pick<CreateModel, "model_seq_id">): number {
    return hash32(`train:${model_seq_id}`, this.#parts.seed);
  }

  /** Models of silent sessions make room, the longest silent first. */
  async #makeRoom(): Promise<void> {
    const { sessions, silenceSeconds, backend } = this.#parts;
    const silent = [...this.#models.values()].filter(({ sessionId }) => {
      return sessions.silence(sessionId) > silenceSeconds;
    });
    for (const { id } of silent) {
      this.#models.delete(id);
      await backend.unloadModel(id).catch(() => {});
    }
  }
}

interface Work {
  (id: string): Promise<Outcome>;
  /** Throws what refuses the request before it is accepted. */
  reserve?: () => void;
}

function reserved(reserve: () => void, work: (id: string) => Promise<Outcome>): Work {
  return Object.assign((id: string) => work(id), { reserve });
}

function inTurn(
  queue: TrainingQueue,
  number: number | undefined,
  request: { readonly digest: string; readonly requestId: string },
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    queue.add(number, request, () => work().then(resolve, reject));
  });
}

function modelOptions({ lora_config: lora }: CreateModel, seed: number): ModelOptions {
  if (!lora) return { rank: 0, trainMlp: true, trainAttention: true, seed };
  const { rank, train_mlp: trainMlp, train_attn: trainAttention } = lora;
  if (rank > 0 && !trainMlp && !trainAttention) {
    refuse(
      400,
      "lora_config: with train_mlp and train_attn false nothing is trained; the unembedding cannot be",
    );
  }
  return { rank, trainMlp, trainAttention, seed: (lora.seed ?? seed) >>> 0 };
}

function requireAlike(
  record: { lora_rank: number; train_mlp: boolean; train_attn: boolean },
  options: ModelOptions,
  path: string,
): void {
  const [theirs, ours] = [
    [record.lora_rank, record.train_mlp, record.train_attn],
    [options.rank, options.trainMlp, options.trainAttention],
  ].map(([rank, mlp, attention]) => `rank ${rank}, train_mlp ${mlp}, train_attn ${attention}`);
  if (theirs !== ours) refuse(400, `${path} has ${theirs}, but the model has ${ours}`);
}

function forwardBackwardOutput({ logprobs, losses, loss, skipped }: BatchResult) {
  const tensor = (data: Float32Array) => {
    return { data: [...data], dtype: "float32" as const, shape: [data.length] };
  };
  return {
    loss_fn_output_type: "TorchLossReturn",
    loss_fn_outputs: logprobs.map((values, i) => ({
      logprobs: tensor(values),
      elementwise_loss: tensor(losses[i]!),
    })),
    metrics: { "loss:sum": loss, ...(skipped > 0 && { "skipped_targets:sum": skipped }) },
  };
}

export function json(value: Readonly<Record<string, unknown>>): Outcome {
  return { type: "json", value };
}
