/**
 * What a worker is doing, readable from outside while it is stuck, in shared memory: the request in progress, the API calls of
 * its cell as JSON lines, and which of the world's own functions runs right now.
 *
 * When the watchdog ends a stuck worker, the calls that its cell had made are all that is left of them, and the function that
 * did not return is all that is known of why.
 */
import type { ApiCall } from "../../spec/index.ts";
import type { Doing, Watch } from "../api/index.ts";

const REQUEST = 0;
const LENGTH = 1;
/** Bytes of `doing`; 0: nothing of the world's own. */
const DOING = 2;
/** Grows with everything that begins or ends. */
const BEATS = 3;
const HEADER_BYTES = 16;
const DOING_BYTES = 8 * 1024;

export class FlightRecorder implements Watch {
  readonly shared: SharedArrayBuffer;
  readonly #header: Int32Array;
  readonly #doing: Buffer;
  readonly #text: Buffer;

  constructor(shared = new SharedArrayBuffer(256 * 1024)) {
    this.shared = shared;
    this.#header = new Int32Array(shared, 0, 4);
    this.#doing = Buffer.from(shared, HEADER_BYTES, DOING_BYTES);
    this.#text = Buffer.from(shared, HEADER_BYTES + DOING_BYTES);
  }

  /** The request in progress; 0 when idle. */
  get request(): number {
    return Atomics.load(this.#header, REQUEST);
  }

  /** The same number twice: nothing began or ended in between. */
  get beats(): number {
    return Atomics.load(this.#header, BEATS);
  }

  /** Whether one of the world's own functions runs. */
  get busy(): boolean {
    return Atomics.load(this.#header, DOING) !== 0;
  }

  /** Which one; only to be asked while the worker is stuck in it. */
  get doing(): Doing | undefined {
    const length = Atomics.load(this.#header, DOING);
    return length === 0 ? undefined : JSON.parse(this.#doing.toString("utf8", 0, length));
  }

  begin(request: number): void {
    this.leave();
    Atomics.store(this.#header, LENGTH, 0);
    Atomics.store(this.#header, REQUEST, request);
  }

  end(): void {
    Atomics.store(this.#header, REQUEST, 0);
  }

  enter(doing: Doing): void {
    let text = JSON.stringify(doing);
    // Arguments that do not fit are left out: the call is named all the same.
    if (3 * text.length > DOING_BYTES) text = JSON.stringify({ ...doing, args: undefined });
    Atomics.store(this.#header, DOING, this.#doing.write(text));
    this.beat();
  }

  leave(): void {
    Atomics.store(this.#header, DOING, 0);
    this.beat();
  }

  beat(): void {
    Atomics.add(this.#header, BEATS, 1);
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
