/**
 * An open GGUF file: its metadata, its table of tensors, and bytes of a tensor when they are asked for. Little-endian
 * files of versions 2 and 3. What a tensor or a key is for is not known here.
 */
import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { BowlineError, errorMessage } from "../errors.ts";
import { MalformedGguf } from "./gguf-cursor.ts";
import { type GgufHeader, readHeader } from "./header.ts";
import type { GgufTensor, GgufValue } from "./types.ts";

/** Models in this format are files, models in others are folders. */
export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Throws `checkpoint` errors of one line that name the file. */
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

  /** Fills `target` from a place in the file. */
  readAt(position: number, target: Uint8Array): void {
    for (let at = 0; at < target.length; ) {
      const count = readSync(this.#file, target, at, target.length - at, position + at);
      if (count === 0) throw unreadableError(this.path, `it ends at byte ${position + at}: torn?`);
      at += count;
    }
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** The metadata of a file, which is closed again. */
export function readGgufMetadata(path: string): ReadonlyMap<string, GgufValue> {
  const file = new GgufFile(path);
  file.close();
  return file.metadata;
}

function openFile(path: string): number {
  try {
    return openSync(path, "r");
  } catch (cause) {
    throw unreadableError(path, errorMessage(cause), cause);
  }
}

function unreadableError(path: string, what: string, cause?: unknown): BowlineError {
  return new BowlineError("checkpoint", `cannot read ${path}: ${what}`, { cause });
}
