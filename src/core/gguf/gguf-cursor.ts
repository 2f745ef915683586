/**
 * A file read from front to back through a window of one mebibyte, with nothing believed: a length is compared with what
 * the file still holds before anything is made of it, and all that is read may not exceed a limit.
 */
import { readSync } from "node:fs";

const WINDOW_BYTES = 2 ** 20;
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** What is wrong, without the file's name: whoever opened the file adds it. */
export class MalformedGguf extends Error {}

export class GgufCursor {
  /** Of the next byte. */
  position = 0;
  readonly #file: number;
  /** Bytes that may be read: the file's, or fewer. */
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
        : `headers beyond ${maxBytes} bytes are not read`;
  }

  /** How many things of at least so many bytes can still follow. Throws where `count` is more. */
  requireRemaining(count: number | bigint, bytesEach: number, what: string): number {
    const remaining = Math.floor((this.#end - this.position) / bytesEach);
    if (count <= remaining) return Number(count);
    throw new MalformedGguf(`${what}: ${count} at byte ${this.position}, but ${this.#limit}`);
  }

  bytes(count: number, what: string): Buffer {
    this.requireRemaining(count, 1, what);
    const from = this.position - this.#start;
    if (from + count > this.#window.length) this.#refill(Math.max(count, WINDOW_BYTES));
    const at = this.position - this.#start;
    this.position += count;
    return this.#window.subarray(at, at + count);
  }

  readUint32(what: string): number {
    return this.bytes(4, what).readUInt32LE();
  }

  readUint64(what: string): bigint {
    return this.bytes(8, what).readBigUInt64LE();
  }

  readString(what: string): string {
    const length = this.requireRemaining(
      this.readUint64(`length of ${what}`),
      1,
      `length of ${what}`,
    );
    const bytes = this.bytes(length, what);
    try {
      return UTF8.decode(bytes);
    } catch {
      throw new MalformedGguf(`${what} at byte ${this.position - length} is not UTF-8`);
    }
  }

  #refill(minimumBytes: number): void {
    const size = Math.min(minimumBytes, this.#end - this.position);
    this.#window = Buffer.alloc(size);
    this.#start = this.position;
    for (let at = 0; at < size; ) {
      const count = readSync(this.#file, this.#window, at, size - at, this.#start + at);
      if (count === 0) throw new MalformedGguf(`it ends at byte ${this.#start + at}: torn?`);
      at += count;
    }
  }
}
