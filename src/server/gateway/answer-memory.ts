/**
 * Remembers answers for later calls that refer to them by id: single items of answers, and whole conversations by the
 * id of their last response. The oldest entries are dropped; a call that refers to a dropped one gets an error.
 */
import type { SessionMessage } from "../../spec/index.ts";
import type { Block } from "./answer-blocks.ts";

/** An item of an answer: its block, and the id of the session's answer that it belongs to. */
export interface RememberedItem {
  readonly answer: string;
  readonly block: Block;
}

export interface MemoryLimits {
  /** The largest number of items; default 8192. */
  readonly items?: number;
  /** The largest number of conversations; default 16, because a conversation continues from its newest response. */
  readonly conversations?: number;
}

export class AnswerMemory {
  readonly #items = new Map<string, RememberedItem>();
  readonly #conversations = new Map<string, readonly SessionMessage[]>();
  readonly #limits: Required<MemoryLimits>;

  constructor({ items = 8192, conversations = 16 }: MemoryLimits = {}) {
    this.#limits = { items, conversations };
  }

  rememberItem(id: string, item: RememberedItem): void {
    this.#items.set(id, item);
    dropOldest(this.#items, this.#limits.items);
  }

  findItem(id: string): RememberedItem | undefined {
    return this.#items.get(id);
  }

  rememberConversation(response: string, messages: readonly SessionMessage[]): void {
    this.#conversations.set(response, messages);
    dropOldest(this.#conversations, this.#limits.conversations);
  }

  findConversation(response: string): readonly SessionMessage[] | undefined {
    return this.#conversations.get(response);
  }
}

/** Drops the oldest entries of a map until at most `maxEntries` remain. Maps keep the order of insertion. */
export function dropOldest(map: Map<string, unknown>, maxEntries: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= maxEntries) return;
    map.delete(oldest);
  }
}
