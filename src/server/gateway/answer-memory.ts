/**
 * What an owner of a key said and heard, for later calls that name it instead of repeating it: items of answers by id, and
 * whole conversations by the id of their last response. Bounded: what is oldest is forgotten, and a call that names it is
 * told so.
 */
import type { SessionMessage } from "../../spec/index.ts";
import type { Block } from "./answer-blocks.ts";

/** An item of an answer: the block, and which answer of the session it is of. */
export interface RememberedItem {
  readonly answer: string;
  readonly block: Block;
}

export interface MemoryLimits {
  /** Default 8192. */
  readonly items?: number;
  /** Default 16: a conversation is gone on from its newest response. */
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

/** Maps remember the order in which their keys came. */
export function dropOldest(map: Map<string, unknown>, maxEntries: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= maxEntries) return;
    map.delete(oldest);
  }
}
