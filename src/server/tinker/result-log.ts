/**
 * Stores the results of futures on disk, so that a client can read a result again, also after a restart of the server.
 *
 * There are two JSON Lines files: when the newer one is full, it replaces the older one. Memory holds only the place of
 * each result. A future that was accepted but has no result when the server starts is lost, and its status says so.
 */

import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from "node:fs";
import { join } from "node:path";
import { createFolder } from "../../core/index.ts";
import type { Outcome } from "./outcome.ts";

interface LogLine {
  readonly id: string;
  /** The outcome; absent in the line that records that the future was accepted. */
  readonly outcome?: Outcome;
}

interface ResultPlace {
  readonly file: 0 | 1;
  readonly offset: number;
  readonly size: number;
}

const NEWLINE = 10;
const FILES = ["futures.jsonl", "futures-older.jsonl"] as const;

export class ResultLog {
  readonly #paths: readonly [string, string];
  readonly #sizeLimit: number;
  /** The places of results by future id; undefined for a future that was accepted and has no result. */
  #places = new Map<string, ResultPlace | undefined>();
  #size = 0;

  /** `sizeLimit` is the largest size of one file in bytes. */
  constructor(directory: string, sizeLimit = 2 ** 28) {
    createFolder(directory);
    this.#paths = [join(directory, FILES[0]), join(directory, FILES[1])];
    this.#sizeLimit = sizeLimit;
    this.#indexFile(1);
    this.#indexFile(0);
    this.#size = existsSync(this.#paths[0]) ? statSync(this.#paths[0]).size : 0;
  }

  /** Returns undefined when the future is unknown, or was so long ago that it was dropped. */
  status(id: string): "done" | "accepted" | undefined {
    if (!this.#places.has(id)) return undefined;
    return this.#places.get(id) ? "done" : "accepted";
  }

  recordAccepted(id: string): void {
    if (!this.#places.get(id)) this.#places.set(id, undefined);
    this.#appendLine({ id });
  }

  recordOutcome(id: string, outcome: Outcome): void {
    this.#places.set(id, this.#appendLine({ id, outcome }));
  }

  readOutcome(id: string): Outcome | undefined {
    const place = this.#places.get(id);
    if (!place) return undefined;
    const bytes = Buffer.alloc(place.size);
    const file = openSync(this.#paths[place.file], "r");
    try {
      readSync(file, bytes, 0, place.size, place.offset);
    } finally {
      closeSync(file);
    }
    return (JSON.parse(bytes.toString("utf8")) as LogLine).outcome;
  }

  #appendLine(line: LogLine): ResultPlace {
    const text = `${JSON.stringify(line)}\n`;
    const size = Buffer.byteLength(text);
    if (this.#size > 0 && this.#size + size > this.#sizeLimit) this.#rotateFiles();
    const place = { file: 0, offset: this.#size, size } as const;
    appendFileSync(this.#paths[0], text);
    this.#size += size;
    return place;
  }

  /** Makes the full file the older one and drops the results of the previous older file. */
  #rotateFiles(): void {
    rmSync(this.#paths[1], { force: true });
    renameSync(this.#paths[0], this.#paths[1]);
    this.#size = 0;
    const keptPlaces = [...this.#places].filter(([, place]) => place?.file !== 1);
    this.#places = new Map(
      keptPlaces.map(([id, place]) => [id, place && ({ ...place, file: 1 } as const)]),
    );
  }

  /** Reads a file's index and cuts off an incomplete last line, so that the next line starts cleanly. */
  #indexFile(file: 0 | 1): void {
    const path = this.#paths[file];
    if (!existsSync(path)) return;
    const bytes = readFileSync(path);
    let offset = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, offset)) {
      const { id, outcome } = JSON.parse(bytes.toString("utf8", offset, end)) as LogLine;
      if (outcome) this.#places.set(id, { file, offset, size: end + 1 - offset });
      else if (!this.#places.has(id)) this.#places.set(id, undefined);
      offset = end + 1;
    }
    if (offset < bytes.length) truncateSync(path, offset);
  }
}
