/**
 * A session: what models and samplers belong to, kept alive by a heartbeat.
 *
 * Servers unload the models of a session that was silent for some minutes, so the heartbeat goes on whatever the program
 * waits for. A heartbeat that the server does not know means that the session, and all in it, is gone.
 */
import type { Gate } from "../../../core/index.ts";
import {
  createModelResponseSchema,
  createSamplingSessionResponseSchema,
  createSessionResponseSchema,
  heartbeatResponseSchema,
  type LoraConfig,
} from "../wire/index.ts";
import { type ClientCore, parseAnswer } from "./core.ts";
import type { Bounds } from "./datums.ts";
import type { DialectChooser } from "./dialect.ts";
import { TinkerError } from "./errors.ts";
import { type ModelIds, TinkerModel } from "./model.ts";
import { TinkerSampler } from "./sampler.ts";

export const HEARTBEAT_MS = 10_000;
/** What we speak; the hosted service refuses clients that are too old. */
export const SDK_VERSION = "0.38.0";

export interface SessionParts {
  readonly core: ClientCore;
  readonly dialect: DialectChooser;
  readonly gate: Gate;
  readonly repeatable: () => boolean;
  readonly newId: () => string;
}

export interface NewModel extends Bounds {
  readonly baseModel: string;
  readonly lora: LoraConfig;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export class TinkerSession {
  readonly id: string;
  readonly #parts: SessionParts;
  readonly #stop: () => void;
  #models: number;
  #samplers: number;
  #lost = false;
  #beating = false;

  private constructor(id: string, counters: SessionCounters, parts: SessionParts) {
    this.id = id;
    this.#parts = parts;
    this.#models = counters.models;
    this.#samplers = counters.samplers;
    this.#stop = parts.core.clock.every(HEARTBEAT_MS, () => {
      void this.beat();
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
    const session = await core.call("/create_session", body, createSessionResponseSchema, {
      headers,
    });
    if (session.error_message) {
      throw new TinkerError(
        "rejected",
        `create_session: ${core.parts.transport.redact(session.error_message)}`,
      );
    }
    for (const text of [session.info_message, session.warning_message]) {
      if (text) core.parts.onEvent({ type: "session", text: core.parts.transport.redact(text) });
    }
    return new TinkerSession(session.session_id, { models: 0, samplers: 0 }, parts);
  }

  /** A session that an earlier program opened. Undefined: the server no longer has it. */
  static async attach(
    parts: SessionParts,
    id: string,
    counters: SessionCounters,
  ): Promise<TinkerSession | undefined> {
    const session = new TinkerSession(id, counters, parts);
    await session.beat();
    if (!session.#lost) return session;
    session.close();
    return undefined;
  }

  /** True once a heartbeat was answered with "unknown session". */
  get lost(): boolean {
    return this.#lost;
  }

  get counters(): SessionCounters {
    return { models: this.#models, samplers: this.#samplers };
  }

  async createModel({ baseModel, lora, metadata, ...bounds }: NewModel): Promise<TinkerModel> {
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
    const { model_id } = await core.run(call);
    return this.model({ id: model_id, epoch, nextSeq: 1 }, bounds);
  }

  /** A model that is there already. */
  model(ids: Omit<ModelIds, "sessionId">, bounds: Bounds): TinkerModel {
    const { core, dialect, repeatable } = this.#parts;
    return new TinkerModel({ ...ids, sessionId: this.id }, { core, dialect, bounds, repeatable });
  }

  /** The present weights of `model`, for as long as the session lives. */
  async samplerOf(model: TinkerModel, bounds: Bounds): Promise<TinkerSampler> {
    const saved = await model.saveForSampler({ sessionSeq: this.#samplers++ });
    if (saved.sampling_session_id) {
      return this.sampler(saved.sampling_session_id, model.epoch, bounds);
    }
    if (saved.path) return this.openSampler({ modelPath: saved.path }, bounds);
    throw new TinkerError(
      "malformed",
      "/save_weights_for_sampler: the answer has neither a sampling_session_id nor a path",
    );
  }

  async openSampler(
    from: { readonly baseModel: string } | { readonly modelPath: string },
    bounds: Bounds,
  ): Promise<TinkerSampler> {
    const which =
      "baseModel" in from ? { base_model: from.baseModel } : { model_path: from.modelPath };
    const { sampling_session_id } = await this.#parts.core.call(
      "/create_sampling_session",
      {
        session_id: this.id,
        sampling_session_seq_id: this.#samplers++,
        ...which,
        type: "create_sampling_session",
      },
      createSamplingSessionResponseSchema,
      { headers: { "X-Idempotency-Key": this.#parts.newId() } },
    );
    return this.sampler(sampling_session_id, this.#parts.newId(), bounds);
  }

  /** A sampler that is there already. */
  sampler(id: string, epoch: string, bounds: Bounds): TinkerSampler {
    const { core, gate } = this.#parts;
    return new TinkerSampler(id, epoch, { core, gate, bounds });
  }

  /** One heartbeat. Only "unknown session" means anything; a server that is away for a moment may come back. */
  async beat(): Promise<void> {
    if (this.#beating || this.#lost) return;
    this.#beating = true;
    const { core } = this.#parts;
    try {
      const answer = await core.parts.transport.send({
        path: "/session_heartbeat",
        body: { session_id: this.id, type: "session_heartbeat" },
        timeoutMs: HEARTBEAT_MS,
      });
      this.#lost = answer.status === 404 || answer.status === 410;
      if (answer.status < 300) parseAnswer("/session_heartbeat", answer, heartbeatResponseSchema);
    } catch {
      // The next beat tries again.
    } finally {
      this.#beating = false;
    }
  }

  /** Ends the heartbeat; the server ends the session in its own time. */
  close(): void {
    this.#stop();
  }
}

/** How many models and samplers the session has had. */
export interface SessionCounters {
  readonly models: number;
  readonly samplers: number;
}
