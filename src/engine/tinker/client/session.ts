/**
 * A session holds models and samplers on the server and is kept alive by a heartbeat.
 *
 * Servers unload the models of a session that was silent for some minutes, so the heartbeat runs on a timer. When the
 * server answers a heartbeat with "unknown session", the session and everything in it is gone.
 */
import type { ConcurrencyLimiter } from "../../../core/index.ts";
import {
  createModelResponseSchema,
  createSamplingSessionResponseSchema,
  createSessionResponseSchema,
  heartbeatResponseSchema,
  type LoraConfig,
} from "../wire/index.ts";
import { type ClientCore, parseAnswer } from "./client-core.ts";
import type { TokenBounds } from "./datums.ts";
import type { DialectChooser } from "./dialect.ts";
import { TinkerError } from "./errors.ts";
import { type ModelIds, TinkerModel } from "./model.ts";
import { TinkerSampler } from "./sampler.ts";

export const HEARTBEAT_MS = 10_000;
/** The SDK version that this client reports. The hosted service refuses versions that are too old. */
export const SDK_VERSION = "0.38.0";

export interface SessionParts {
  readonly core: ClientCore;
  readonly dialect: DialectChooser;
  readonly limiter: ConcurrencyLimiter;
  readonly canRepeat: () => boolean;
  readonly newId: () => string;
}

export interface NewModelOptions extends TokenBounds {
  readonly baseModel: string;
  readonly lora: LoraConfig;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export class TinkerSession {
  readonly id: string;
  readonly #parts: SessionParts;
  readonly #stopHeartbeat: () => void;
  #models: number;
  #samplers: number;
  #isLost = false;
  #isBeating = false;

  private constructor(id: string, counters: SessionCounters, parts: SessionParts) {
    this.id = id;
    this.#parts = parts;
    this.#models = counters.models;
    this.#samplers = counters.samplers;
    this.#stopHeartbeat = parts.core.clock.runEvery(HEARTBEAT_MS, () => {
      void this.sendHeartbeat();
    });
  }

  static async open(
    parts: SessionParts,
    options: {
      readonly tags?: readonly string[];
      readonly metadata?: Readonly<Record<string, unknown>>;
    } = {},
  ): Promise<TinkerSession> {
    const { tags = ["bowline"], metadata } = options;
    const body = {
      tags: [...tags],
      ...(metadata && { user_metadata: metadata }),
      sdk_version: SDK_VERSION,
      type: "create_session",
    };
    const headers = { "X-Idempotency-Key": parts.newId() };
    const { core } = parts;
    const session = await core.callDirectly("/create_session", body, createSessionResponseSchema, {
      headers,
    });
    if (session.error_message) {
      throw new TinkerError(
        "rejected",
        `create_session: ${core.retryContext.transport.redactSecrets(session.error_message)}`,
      );
    }
    for (const text of [session.info_message, session.warning_message]) {
      if (text)
        core.retryContext.onEvent({
          type: "session",
          text: core.retryContext.transport.redactSecrets(text),
        });
    }
    return new TinkerSession(session.session_id, { models: 0, samplers: 0 }, parts);
  }

  /** Continues a session that an earlier process opened. Returns undefined when the server no longer has it. */
  static async attach(
    parts: SessionParts,
    id: string,
    counters: SessionCounters,
  ): Promise<TinkerSession | undefined> {
    const session = new TinkerSession(id, counters, parts);
    await session.sendHeartbeat();
    if (!session.#isLost) return session;
    session.close();
    return undefined;
  }

  /** True after the server has answered a heartbeat with "unknown session". */
  get isLost(): boolean {
    return this.#isLost;
  }

  get counters(): SessionCounters {
    return { models: this.#models, samplers: this.#samplers };
  }

  async createModel({
    baseModel,
    lora,
    metadata,
    ...bounds
  }: NewModelOptions): Promise<TinkerModel> {
    const { core, newId } = this.#parts;
    const path = "/create_model";
    const epoch = newId();
    const call = {
      path,
      body: {
        session_id: this.id,
        model_seq_id: this.#models,
        base_model: baseModel,
        ...(metadata && { user_metadata: metadata }),
        lora_config: lora,
        type: "create_model",
      },
      key: `${this.id}/model/${epoch}`,
      requestType: "CreateModel",
      protobuf: false,
      durable: true,
      decode: (answer: Parameters<typeof parseAnswer>[1]) =>
        parseAnswer(path, answer, createModelResponseSchema),
    };
    this.#models += 1;
    const { model_id } = await core.runFuture(call);
    return this.attachModel({ id: model_id, epoch, nextSeq: 1 }, bounds);
  }

  /** Returns a handle to a model that already exists on the server. */
  attachModel(ids: Omit<ModelIds, "sessionId">, bounds: TokenBounds): TinkerModel {
    const { core, dialect, canRepeat } = this.#parts;
    return new TinkerModel({ ...ids, sessionId: this.id }, { core, dialect, bounds, canRepeat });
  }

  /** Makes a sampler of the model's present weights. The sampler lasts as long as the session. */
  async createSampler(model: TinkerModel, bounds: TokenBounds): Promise<TinkerSampler> {
    const saved = await model.saveForSampler({ sessionSeq: this.#samplers++ });
    if (saved.sampling_session_id) {
      return this.attachSampler(saved.sampling_session_id, model.epoch, bounds);
    }
    if (saved.path) return this.openSampler({ modelPath: saved.path }, bounds);
    throw new TinkerError(
      "malformed",
      "/save_weights_for_sampler: the answer has neither a sampling_session_id nor a path",
    );
  }

  /** Opens a sampler of the base model or of saved weights. */
  async openSampler(
    from: { readonly baseModel: string } | { readonly modelPath: string },
    bounds: TokenBounds,
  ): Promise<TinkerSampler> {
    const weights =
      "baseModel" in from ? { base_model: from.baseModel } : { model_path: from.modelPath };
    const { sampling_session_id } = await this.#parts.core.callDirectly(
      "/create_sampling_session",
      {
        session_id: this.id,
        sampling_session_seq_id: this.#samplers++,
        ...weights,
        type: "create_sampling_session",
      },
      createSamplingSessionResponseSchema,
      { headers: { "X-Idempotency-Key": this.#parts.newId() } },
    );
    return this.attachSampler(sampling_session_id, this.#parts.newId(), bounds);
  }

  /** Returns a handle to a sampler that already exists on the server. */
  attachSampler(id: string, epoch: string, bounds: TokenBounds): TinkerSampler {
    const { core, limiter } = this.#parts;
    return new TinkerSampler(id, epoch, { core, limiter, bounds });
  }

  /** Sends one heartbeat. Other errors than "unknown session" are ignored: the server may come back. */
  async sendHeartbeat(): Promise<void> {
    if (this.#isBeating || this.#isLost) return;
    this.#isBeating = true;
    const { core } = this.#parts;
    try {
      const answer = await core.retryContext.transport.send({
        path: "/session_heartbeat",
        body: { session_id: this.id, type: "session_heartbeat" },
        timeoutMs: HEARTBEAT_MS,
      });
      this.#isLost = answer.status === 404 || answer.status === 410;
      if (answer.status < 300) parseAnswer("/session_heartbeat", answer, heartbeatResponseSchema);
    } catch {
      // The next heartbeat tries again.
    } finally {
      this.#isBeating = false;
    }
  }

  /** Stops the heartbeat. The server ends the session after a while. */
  close(): void {
    this.#stopHeartbeat();
  }
}

/** How many models and samplers the session has created so far. */
export interface SessionCounters {
  readonly models: number;
  readonly samplers: number;
}
