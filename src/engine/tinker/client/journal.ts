/**
 * A record of accepted calls, so that a program that was killed finds the results of what it had asked for.
 *
 * Before a call is sent its key and digest are noted, and its request id once the server took it. Who opens the journal
 * again and makes the same call (same key, same digest) gets the recorded future instead of a second call: an optimizer
 * step happens once. The journal holds ids, numbers and digests; never a key, a token or a text.
 */
import { createHash } from "node:crypto";
import { appendFileSync, closeSync, fsyncSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { BowlineError, messageOf, readJsonLines, writeJsonLines } from "../../../core/index.ts";

const entrySchema = z.object({
  /** Names the call: the model and its number, or the sampler and what was asked. */
  key: z.string(),
  /** SHA-256 of the path and the body. */
  digest: z.string(),
  /** Absent: it was about to be sent, and nothing is known. */
  requestId: z.string().optional(),
  /** The server refused it, so its number is free. */
  refused: z.literal(true).optional(),
});
export type JournalEntry = z.output<typeof entrySchema>;

export interface CallJournal {
  /** The newest entry of a key. */
  find(key: string): JournalEntry | undefined;
  /** `durable`: on the disk before it returns, whatever happens to the machine. */
  record(entry: JournalEntry, durable: boolean): void;
}

/** Of a path and what goes with it. Bytes are much quicker than a list of numbers as text. */
export function digestOf(path: string, ...parts: readonly (Uint8Array | object)[]): string {
  const hash = createHash("sha256").update(path);
  for (const part of parts) {
    hash.update("\n").update(part instanceof Uint8Array ? part : JSON.stringify(part));
  }
  return hash.digest("hex");
}

/** The same text gives the same UUID. */
export function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  const variant = ((Number.parseInt(hex[16]!, 16) & 3) | 8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}

/** A journal in a file of JSON Lines; a line that a crash tore is as if it had not been written. */
export class FileJournal implements CallJournal {
  readonly #path: string;
  #entries: JournalEntry[];
  readonly #byKey = new Map<string, JournalEntry>();

  /** Reads what is there. Throws a `store` error when the file is no journal. */
  constructor(path: string) {
    this.#path = path;
    this.#entries = z.array(entrySchema).parse(readWhole(path));
    // A torn last line would swallow the next one.
    if (this.#entries.length > 0) writeJsonLines(path, this.#entries);
    else mkdirSync(dirname(path), { recursive: true });
    for (const entry of this.#entries) this.#byKey.set(entry.key, entry);
  }

  /** How many entries there are; `trim` takes such a number. */
  get length(): number {
    return this.#entries.length;
  }

  find(key: string): JournalEntry | undefined {
    return this.#byKey.get(key);
  }

  record(entry: JournalEntry, durable: boolean): void {
    this.#entries.push(entry);
    this.#byKey.set(entry.key, entry);
    const line = `${JSON.stringify(entry)}\n`;
    try {
      if (durable) appendDurably(this.#path, line);
      else appendFileSync(this.#path, line);
    } catch (cause) {
      throw new BowlineError("store", `cannot write ${this.#path}: ${messageOf(cause)}`, { cause });
    }
  }

  /** Forgets the first `count` entries. */
  trim(count: number): void {
    if (count <= 0) return;
    this.#entries = this.#entries.slice(count);
    this.#byKey.clear();
    for (const entry of this.#entries) this.#byKey.set(entry.key, entry);
    writeJsonLines(this.#path, this.#entries);
  }
}

function readWhole(path: string): unknown[] {
  try {
    return readJsonLines(path);
  } catch (cause) {
    throw new BowlineError("store", `${path} is no journal of calls: ${messageOf(cause)}`, {
      cause,
    });
  }
}

function appendDurably(path: string, line: string): void {
  const file = openSync(path, "a");
  try {
    writeSync(file, line);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
