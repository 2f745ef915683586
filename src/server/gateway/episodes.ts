/**
 * Who may speak: episodes under their keys. A key names an episode, so an address is not needed; where an address names one
 * too, both have to be the same.
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

/** How a session is registered. */
export interface OpenOptions {
  /** Default: the session's id. It stands in addresses. */
  readonly id?: string;
  /** Default: one that cannot be guessed. */
  readonly key?: string;
  /** What calls may refer back to. */
  readonly kept?: MemoryLimits;
}

/** One registered session, as the routes see it. */
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

  constructor(session: AgentSession, { id = session.id, key = createKey(), kept }: OpenOptions) {
    this.id = id;
    this.key = key;
    this.session = session;
    this.memory = new AnswerMemory(kept);
    this.completed = new Promise((resolve) => {
      this.#resolveCompleted = resolve;
    });
  }

  /** Aborted when the episode is closed: calls in flight end with it. */
  get closedSignal(): AbortSignal {
    return this.#closeController.signal;
  }

  complete(): void {
    this.#resolveCompleted();
  }

  close(): void {
    this.#closeController.abort(
      new GatewayError(403, "session_closed", `the session ${this.id} is over`),
    );
    this.#resolveCompleted();
  }
}

/** Keys of closed episodes that are still told so. */
const MAX_CLOSED_KEYS = 4096;

export class Episodes {
  readonly #byKey = new Map<string, Episode>();
  readonly #ids = new Set<string>();
  /** Digests of keys to ids. */
  readonly #closed = new Map<string, string>();

  /** Throws a `config` error where another open episode has the id or the key. */
  open(session: AgentSession, options: OpenOptions): Episode {
    const episode = new Episode(session, options);
    const key = hashKey(episode.key);
    if (this.#ids.has(episode.id) || this.#byKey.has(key)) {
      throw new BowlineError(
        "config",
        `gateway: an episode with the id or the key of ${episode.id} is open; give each its own`,
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

  /** Throws 401 without a known key, 403 where it is another episode's or its session is over. */
  authorize(key: string | undefined, id: string | undefined): Episode {
    if (key === undefined) {
      throw new GatewayError(
        401,
        "missing_api_key",
        "no key: send the session's as `Authorization: Bearer` or `x-api-key`",
      );
    }
    // A map over digests takes equally long whatever is guessed.
    const digest = hashKey(key);
    const episode = this.#byKey.get(digest);
    const owner = episode?.id ?? this.#closed.get(digest);
    if (owner === undefined) {
      throw new GatewayError(401, "invalid_api_key", "this key opens no session here");
    }
    if (id !== undefined && id !== owner) {
      throw new GatewayError(403, "wrong_session", `this key is not that of the session ${id}`);
    }
    if (episode === undefined) {
      throw new GatewayError(403, "session_closed", `the session ${owner} is over`);
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
