/**
 * Reads a file from front to back through a buffer of one mebibyte. Nothing in the file is trusted: every length is
 * compared with the number of remaining bytes before memory is allocated, and the number of bytes that may be read is
 * limited.
 */
import { readSync } from "node:fs";

const WINDOW_BYTES = 2 ** 20;
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Says what is wrong with a file. The message lacks the file's name; the function that opened the file adds it. */
export class MalformedGguf extends Error {}

/** A reading position in an open file. Each method reads one value; `fieldName` names it in error messages. */
export class GgufCursor {
  /** The position of the next byte in the file. */
  position = 0;
  readonly #file: number;
  /** The position at which reading stops: the end of the file, or the limit. */
  readonly #end: number;
  readonly #limit: string;
  #window = Buffer.alloc(0);
  #start = 0;

  constructor(file: number, sizeBytes: number, maxBytes: number) {
    this.#file = file;
    this.#end = Math.min(sizeBytes, maxBytes);
    this.#limit =
      sizeBytes <= maxBytes
        ? `the file ends at byte ${sizeBytes}`
        : `a header may have at most ${maxBytes} bytes`;
  }

  /**
   * Returns `count` as a number. Throws when the rest of the file is too short for `count` items of at least
   * `bytesEach` bytes.
   */
  requireRemaining(count: number | bigint, bytesEach: number, fieldName: string): number {
    const remaining = Math.floor((this.#end - this.position) / bytesEach);
    if (count <= remaining) return Number(count);
    throw new MalformedGguf(`${fieldName}: ${count} at byte ${this.position}, but ${this.#limit}`);
  }

  readBytes(count: number, fieldName: string): Buffer {
    this.requireRemaining(count, 1, fieldName);
    const from = this.position - this.#start;
    if (from + count > this.#window.length) this.#refill(Math.max(count, WINDOW_BYTES));
    const at = this.position - this.#start;
    this.position += count;
    return this.#window.subarray(at, at + count);
  }

  readUint32(fieldName: string): number {
    return this.readBytes(4, fieldName).readUInt32LE();
  }

  readUint64(fieldName: string): bigint {
    return this.readBytes(8, fieldName).readBigUInt64LE();
  }

  readString(fieldName: string): string {
    const length = this.requireRemaining(
      this.readUint64(`length of ${fieldName}`),
      1,
      `length of ${fieldName}`,
    );
    const bytes = this.readBytes(length, fieldName);
    try {
      return UTF8.decode(bytes);
    } catch {
      throw new MalformedGguf(`${fieldName} at byte ${this.position - length} is not UTF-8`);
    }
  }

  #refill(minimumBytes: number): void {
    const size = Math.min(minimumBytes, this.#end - this.position);
    this.#window = Buffer.alloc(size);
    this.#start = this.position;
    for (let at = 0; at < size; ) {
      const count = readSync(this.#file, this.#window, at, size - at, this.#start + at);
      if (count === 0)
        throw new MalformedGguf(`it is incomplete: it ends at byte ${this.#start + at}`);
      at += count;
    }
  }
}
