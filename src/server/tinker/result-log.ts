/**
 * Results of futures on disk, so that a client may read one again, also from a server that was started anew.
 *
 * Two files of JSON lines, appended to in turns: when the newer is full the older is given up. Memory holds only where a
 * result lies. What was accepted and has no result when the server starts is lost, and says so.
 */
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from "node:fs";
import { join } from "node:path";
import type { Outcome } from "./outcome.ts";

interface LogLine {
  readonly id: string;
  /** Absent: accepted. */
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
  /** Undefined: accepted, without a result. */
  #places = new Map<string, ResultPlace | undefined>();
  #size = 0;

  /** `sizeLimit`: bytes of one file. */
  constructor(directory: string, sizeLimit = 2 ** 28) {
    mkdirSync(directory, { recursive: true });
    this.#paths = [join(directory, FILES[0]), join(directory, FILES[1])];
    this.#sizeLimit = sizeLimit;
    this.#indexFile(1);
    this.#indexFile(0);
    this.#size = existsSync(this.#paths[0]) ? statSync(this.#paths[0]).size : 0;
  }

  /** `undefined`: never heard of, or too long ago. */
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

  /** The full file becomes the older one, and what was in the older one is forgotten. */
  #rotateFiles(): void {
    rmSync(this.#paths[1], { force: true });
    renameSync(this.#paths[0], this.#paths[1]);
    this.#size = 0;
    const keptPlaces = [...this.#places].filter(([, place]) => place?.file !== 1);
    this.#places = new Map(
      keptPlaces.map(([id, place]) => [id, place && ({ ...place, file: 1 } as const)]),
    );
  }

  /** An unfinished last line is cut off, so that what is appended is whole. */
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
