/**
 * A record of accepted calls, so that a program that was killed can still fetch their results.
 *
 * The journal records a call's key and digest before the call is sent, and its request id when the server has accepted
 * it. A program that opens the journal again and makes the same call (same key, same digest) gets the recorded future
 * instead of a second call, so an optimizer step happens once. The journal holds ids, numbers and digests, and never an
 * API key, an access token or a text.
 */
import { createHash } from "node:crypto";
import { appendFileSync, closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import {
  BowlineError,
  createFolder,
  errorMessage,
  readJsonLines,
  writeJsonLines,
} from "../../../core/index.ts";

const entrySchema = z.object({
  /** Names the call: the model and the call's number, or the sampler and the call's digest. */
  key: z.string(),
  /** The SHA-256 of path and body. */
  digest: z.string(),
  /** Absent while the call was about to be sent, so that it is unknown whether the server accepted it. */
  requestId: z.string().optional(),
  /** Present when the server refused the call, so that its number is free. */
  refused: z.literal(true).optional(),
});
export type JournalEntry = z.output<typeof entrySchema>;

export interface CallJournal {
  /** Returns the newest entry with this key. */
  find(key: string): JournalEntry | undefined;
  /** Adds an entry. With `durable`, the entry is on the disk when this returns, even if the machine then crashes. */
  record(entry: JournalEntry, durable: boolean): void;
}

/** Returns the SHA-256 of a path and parts of a call. Bytes hash much faster than a list of numbers written as text. */
export function computeDigest(path: string, ...parts: readonly (Uint8Array | object)[]): string {
  const hash = createHash("sha256").update(path);
  for (const part of parts) {
    hash.update("\n").update(part instanceof Uint8Array ? part : JSON.stringify(part));
  }
  return hash.digest("hex");
}

/** Derives a UUID from a text; the same text gives the same UUID. */
export function uuidFromText(text: string): string {
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

/** A journal in a JSON Lines file. A last line that a crash left incomplete is ignored. */
export class FileJournal implements CallJournal {
  readonly #path: string;
  #entries: JournalEntry[];
  readonly #byKey = new Map<string, JournalEntry>();

  /** Reads the existing entries. Throws a `store` error when the file is not a journal. */
  constructor(path: string) {
    this.#path = path;
    this.#entries = z.array(entrySchema).parse(readJournalLines(path));
    // Rewriting drops an incomplete last line, to which the next entry would otherwise be appended.
    if (this.#entries.length > 0) writeJsonLines(path, this.#entries);
    else createFolder(dirname(path));
    for (const entry of this.#entries) this.#byKey.set(entry.key, entry);
  }

  /** The number of entries, which `dropOldest` can be given later. */
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
      throw new BowlineError("store", `cannot write ${this.#path}: ${errorMessage(cause)}`, {
        cause,
      });
    }
  }

  /** Removes the first `count` entries. */
  dropOldest(count: number): void {
    if (count <= 0) return;
    this.#entries = this.#entries.slice(count);
    this.#byKey.clear();
    for (const entry of this.#entries) this.#byKey.set(entry.key, entry);
    writeJsonLines(this.#path, this.#entries);
  }
}

function readJournalLines(path: string): unknown[] {
  try {
    return readJsonLines(path);
  } catch (cause) {
    throw new BowlineError("store", `${path} is not a journal of calls: ${errorMessage(cause)}`, {
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
