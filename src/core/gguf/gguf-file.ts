/**
 * Opens GGUF files, little-endian and of versions 2 and 3. An open file has its metadata and its table of tensors in
 * memory and reads the bytes of a tensor on request. This folder does not know what a tensor or a metadata key is for.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { BowlineError, errorMessage } from "../errors.ts";
import { MalformedGguf } from "./gguf-cursor.ts";
import { type GgufHeader, readHeader } from "./header.ts";
import type { GgufTensor, GgufValue } from "./types.ts";

/** An open GGUF file. Its methods throw `checkpoint` errors of one line that name the file. */
export class GgufFile implements GgufHeader {
  readonly path: string;
  readonly version: number;
  readonly metadata: ReadonlyMap<string, GgufValue>;
  readonly tensors: ReadonlyMap<string, GgufTensor>;
  readonly #file: number;

  constructor(path: string) {
    this.path = path;
    this.#file = openFile(path);
    try {
      const header = readHeader(this.#file, fstatSync(this.#file).size);
      this.version = header.version;
      this.metadata = header.metadata;
      this.tensors = header.tensors;
    } catch (cause) {
      this.close();
      if (cause instanceof MalformedGguf) throw unreadableError(path, cause.message);
      throw unreadableError(path, errorMessage(cause), cause);
    }
  }

  /** Fills `target` with the bytes that begin at `position`. */
  readAt(position: number, target: Uint8Array): void {
    for (let at = 0; at < target.length; ) {
      const count = readSync(this.#file, target, at, target.length - at, position + at);
      if (count === 0)
        throw unreadableError(this.path, `it is incomplete: it ends at byte ${position + at}`);
      at += count;
    }
  }

  close(): void {
    closeSync(this.#file);
  }
}

function openFile(path: string): number {
  try {
    return openSync(path, "r");
  } catch (cause) {
    throw unreadableError(path, errorMessage(cause), cause);
  }
}

function unreadableError(path: string, problem: string, cause?: unknown): BowlineError {
  return new BowlineError("checkpoint", `cannot read ${path}: ${problem}`, { cause });
}
