/**
 * What a worker was doing, readable from outside while it is stuck: the id of the request in progress and the API
 * calls of its cell, as JSON lines in shared memory.
 *
 * When the watchdog ends a stuck worker, the calls that its cell had made are all that is left of them.
 */
import type { ApiCall } from "../../spec/index.ts";

const HEADER_BYTES = 8;
const REQUEST = 0;
const LENGTH = 1;

export class FlightRecorder {
  readonly shared: SharedArrayBuffer;
  readonly #header: Int32Array;
  readonly #text: Buffer;

  constructor(shared = new SharedArrayBuffer(256 * 1024)) {
    this.shared = shared;
    this.#header = new Int32Array(shared, 0, 2);
    this.#text = Buffer.from(shared, HEADER_BYTES);
  }

  /** The request in progress; 0 when idle. */
  get request(): number {
    return Atomics.load(this.#header, REQUEST);
  }

  begin(request: number): void {
    Atomics.store(this.#header, LENGTH, 0);
    Atomics.store(this.#header, REQUEST, request);
  }

  end(): void {
    Atomics.store(this.#header, REQUEST, 0);
  }

  /** Returns what has to be sent another way because the memory is full; usually nothing. */
  append(call: ApiCall): string | undefined {
    const line = `${JSON.stringify(call)}\n`;
    const length = Atomics.load(this.#header, LENGTH);
    if (length + 3 * line.length > this.#text.length) {
      Atomics.store(this.#header, LENGTH, 0);
      return this.#text.toString("utf8", 0, length) + line;
    }
    Atomics.store(this.#header, LENGTH, length + this.#text.write(line, length));
    return undefined;
  }

  /** The calls recorded so far, after those in `earlier`, which `append` gave back. */
  calls(earlier: string): ApiCall[] {
    const text = earlier + this.#text.toString("utf8", 0, Atomics.load(this.#header, LENGTH));
    return text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as ApiCall);
  }
}
