/**
 * What an owner of a key said and heard, for later calls that name it instead of repeating it: items of answers by id, and
 * whole conversations by the id of their last response. Bounded: what is oldest is forgotten, and a call that names it is
 * told so.
 */
import type { SessionMessage } from "../../spec/index.ts";
import type { Block } from "./blocks.ts";

/** An item of an answer: the block, and which answer of the session it is of. */
export interface KeptItem {
  readonly answer: string;
  readonly block: Block;
}

export interface KeptLimits {
  /** Default 8192. */
  readonly items?: number;
  /** Default 16: a conversation is gone on from its newest response. */
  readonly conversations?: number;
}

export class Kept {
  readonly #items = new Map<string, KeptItem>();
  readonly #conversations = new Map<string, readonly SessionMessage[]>();
  readonly #limits: Required<KeptLimits>;

  constructor({ items = 8192, conversations = 16 }: KeptLimits = {}) {
    this.#limits = { items, conversations };
  }

  keepItem(id: string, item: KeptItem): void {
    this.#items.set(id, item);
    forgetOldest(this.#items, this.#limits.items);
  }

  item(id: string): KeptItem | undefined {
    return this.#items.get(id);
  }

  keepConversation(response: string, messages: readonly SessionMessage[]): void {
    this.#conversations.set(response, messages);
    forgetOldest(this.#conversations, this.#limits.conversations);
  }

  conversation(response: string): readonly SessionMessage[] | undefined {
    return this.#conversations.get(response);
  }
}

/** Maps remember the order in which their keys came. */
export function forgetOldest(map: Map<string, unknown>, most: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= most) return;
    map.delete(oldest);
  }
}
