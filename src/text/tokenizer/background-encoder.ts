/**
 * Encodes long texts in another thread, so that a server goes on answering meanwhile. A megabyte takes half a second to
 * five seconds.
 *
 * The thread loads its own copy of the tokenizer from the same text, so its ids are the same. It starts at the first
 * long text and ends when it has had nothing to do for a while, because a large tokenizer takes 100 MB of memory.
 */
import type { Worker } from "node:worker_threads";
import { spawnWorker } from "../../core/index.ts";

/** A text, and whether special tokens in it are text (`encode`) or tokens (`encodeRendered`). */
export interface EncodedText {
  readonly text: string;
  readonly isPlain: boolean;
}

/** Encodes texts, and keeps the order: the ids of text i are the i-th. Rejects when the thread fails. */
export type EncodeInBackground = (texts: readonly EncodedText[]) => Promise<readonly Uint32Array[]>;

export interface EncodingRequest {
  readonly number: number;
  readonly texts: readonly EncodedText[];
}

export type EncodingReply = { readonly number: number } & (
  | { readonly ids: readonly Uint32Array<ArrayBuffer>[] }
  | { readonly error: string }
);

/** How long the thread waits for more work before it ends. */
const IDLE_MS = 30_000;

/** Creates the function that encodes in a thread with the tokenizer of this `tokenizer.json`. */
export function createBackgroundEncoder(
  tokenizerJson: string,
  idleMs = IDLE_MS,
): EncodeInBackground {
  let thread: EncodingThread | undefined;
  return (texts) => {
    thread ??= new EncodingThread(tokenizerJson, idleMs, (ended) => {
      if (thread === ended) thread = undefined;
    });
    return thread.encode(texts);
  };
}

interface PendingRequest {
  resolve(ids: readonly Uint32Array[]): void;
  reject(error: Error): void;
}

class EncodingThread {
  readonly #worker: Worker;
  readonly #pending = new Map<number, PendingRequest>();
  readonly #idleMs: number;
  readonly #onEnd: (thread: EncodingThread) => void;
  #requests = 0;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(tokenizerJson: string, idleMs: number, onEnd: (thread: EncodingThread) => void) {
    this.#idleMs = idleMs;
    this.#onEnd = onEnd;
    const entry = new URL("./encoding-worker.ts", import.meta.url);
    this.#worker = spawnWorker(entry, { workerData: tokenizerJson });
    this.#worker.on("message", (reply: EncodingReply) => this.#settle(reply));
    this.#worker.on("error", (cause) => this.#fail(cause));
    this.#worker.on("exit", () => this.#fail(new Error("the thread has ended")));
  }

  encode(texts: readonly EncodedText[]): Promise<readonly Uint32Array[]> {
    clearTimeout(this.#idleTimer);
    // A thread with work keeps the process alive, and an idle one does not.
    this.#worker.ref();
    const number = this.#requests++;
    return new Promise((resolve, reject) => {
      this.#pending.set(number, { resolve, reject });
      this.#worker.postMessage({ number, texts } satisfies EncodingRequest);
    });
  }

  #settle(reply: EncodingReply): void {
    const request = this.#pending.get(reply.number);
    this.#pending.delete(reply.number);
    if ("error" in reply) request?.reject(new Error(reply.error));
    else request?.resolve(reply.ids);
    if (this.#pending.size > 0) return;
    this.#worker.unref();
    this.#idleTimer = setTimeout(() => this.#end(), this.#idleMs).unref();
  }

  #fail(cause: Error): void {
    this.#end();
    for (const { reject } of this.#pending.values()) {
      reject(new Error(`the thread that encodes texts failed: ${cause.message}`, { cause }));
    }
    this.#pending.clear();
  }

  #end(): void {
    this.#onEnd(this);
    clearTimeout(this.#idleTimer);
    void this.#worker.terminate();
  }
}
