/**
 * The open episodes and their keys. A key identifies an episode, so the URL need not name one. When the URL names an
 * episode, it must be the key's.
 */
import { createHash, randomBytes } from "node:crypto";
import { BowlineError } from "../../core/index.ts";
import type { AgentSession } from "../../spec/index.ts";
import { AnswerMemory, dropOldest, type MemoryLimits } from "./answer-memory.ts";
import { GatewayError } from "./gateway-error.ts";
import { RetryRegistry } from "./retries.ts";

/** A reward that the agent posted. */
export interface PostedReward {
  readonly value: number;
  readonly metrics: Readonly<Record<string, number>>;
}

/** The options for serving a session. */
export interface OpenOptions {
  /** The episode's id in URLs; by default the session's id. */
  readonly id?: string;
  /** The key; by default a random one. */
  readonly key?: string;
  /** The limits on what is remembered for later calls. */
  readonly memoryLimits?: MemoryLimits;
}

/** An episode: a session that the gateway serves. */
export class Episode {
  readonly id: string;
  readonly key: string;
  readonly session: AgentSession;
  readonly memory: AnswerMemory;
  readonly retries = new RetryRegistry();
  readonly completed: Promise<void>;
  postedReward: PostedReward | undefined;
  readonly #closeController = new AbortController();
  #resolveCompleted: () => void = () => {};

  constructor(
    session: AgentSession,
    { id = session.id, key = createKey(), memoryLimits }: OpenOptions,
  ) {
    this.id = id;
    this.key = key;
    this.session = session;
    this.memory = new AnswerMemory(memoryLimits);
    this.completed = new Promise((resolve) => {
      this.#resolveCompleted = resolve;
    });
  }

  /** Aborts when the episode is closed, which ends running calls. */
  get closedSignal(): AbortSignal {
    return this.#closeController.signal;
  }

  complete(): void {
    this.#resolveCompleted();
  }

  close(): void {
    this.#closeController.abort(
      new GatewayError(403, "session_closed", `the session ${this.id} is closed`),
    );
    this.#resolveCompleted();
  }
}

/** How many keys of closed episodes are remembered, so that their calls get the right error. */
const MAX_CLOSED_KEYS = 4096;

export class Episodes {
  readonly #byKey = new Map<string, Episode>();
  readonly #ids = new Set<string>();
  /** The ids of closed episodes by the digest of their key. */
  readonly #closed = new Map<string, string>();

  /** Throws a `config` error when another open episode has the id or the key. */
  open(session: AgentSession, options: OpenOptions): Episode {
    const episode = new Episode(session, options);
    const key = hashKey(episode.key);
    if (this.#ids.has(episode.id) || this.#byKey.has(key)) {
      throw new BowlineError(
        "config",
        `gateway: an open episode already has the id or the key of ${episode.id}; give each episode its own`,
      );
    }
    this.#ids.add(episode.id);
    this.#byKey.set(key, episode);
    return episode;
  }

  close(episode: Episode): void {
    const key = hashKey(episode.key);
    if (this.#byKey.get(key) !== episode) return;
    this.#byKey.delete(key);
    this.#ids.delete(episode.id);
    this.#closed.set(key, episode.id);
    dropOldest(this.#closed, MAX_CLOSED_KEYS);
    episode.close();
  }

  closeAll(): void {
    for (const episode of this.#byKey.values()) this.close(episode);
  }

  /**
   * Returns the key's episode. Throws a 401 for an unknown key, and a 403 when the episode is closed or not the URL's.
   */
  authorize(key: string | undefined, id: string | undefined): Episode {
    if (key === undefined) {
      throw new GatewayError(
        401,
        "missing_api_key",
        "the request has no key; send the session's key as `Authorization: Bearer`, `x-api-key` or `x-goog-api-key`",
      );
    }
    // The lookup by digest takes the same time whatever key is guessed.
    const digest = hashKey(key);
    const episode = this.#byKey.get(digest);
    const owner = episode?.id ?? this.#closed.get(digest);
    if (owner === undefined) {
      throw new GatewayError(
        401,
        "invalid_api_key",
        "this key belongs to no session of this gateway",
      );
    }
    if (id !== undefined && id !== owner) {
      throw new GatewayError(403, "wrong_session", `this key does not belong to the session ${id}`);
    }
    if (episode === undefined) {
      throw new GatewayError(403, "session_closed", `the session ${owner} is closed`);
    }
    return episode;
  }
}

function createKey(): string {
  return `bowline-${randomBytes(24).toString("base64url")}`;
}

function hashKey(key: string): string {
  return createHash("sha256").update(key).digest("base64");
}
