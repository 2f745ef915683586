/**
 * Shared memory in which another thread can read what a worker is doing, even while the worker is stuck: the request in
 * progress, the API calls of its cell as JSON lines, and which of the world's own functions runs right now.
 *
 * When the watchdog ends a stuck worker, nothing else is left of the calls that its cell had made, and nothing else
 * says which function did not return.
 */
import type { ApiCall } from "../../spec/index.ts";
import type { Activity, ActivityWatch } from "../api/index.ts";

const REQUEST_SLOT = 0;
const CALLS_LENGTH_SLOT = 1;
/**
 * The slot with the length, in bytes, of the text that describes the activity; 0 while none of the world's own
 * functions is running.
 */
const ACTIVITY_LENGTH_SLOT = 2;
/** The slot with a number that grows whenever anything begins or ends. */
const PROGRESS_SLOT = 3;
const HEADER_BYTES = 16;
const ACTIVITY_BYTES = 8 * 1024;

export class FlightRecorder implements ActivityWatch {
  readonly shared: SharedArrayBuffer;
  readonly #header: Int32Array;
  readonly #activityText: Buffer;
  readonly #text: Buffer;

  constructor(shared = new SharedArrayBuffer(256 * 1024)) {
    this.shared = shared;
    this.#header = new Int32Array(shared, 0, 4);
    this.#activityText = Buffer.from(shared, HEADER_BYTES, ACTIVITY_BYTES);
    this.#text = Buffer.from(shared, HEADER_BYTES + ACTIVITY_BYTES);
  }

  /** The number of the request in progress; 0 when the worker is idle. */
  get request(): number {
    return Atomics.load(this.#header, REQUEST_SLOT);
  }

  /** A number that grows whenever anything begins or ends. While it stays the same, nothing makes progress. */
  get progress(): number {
    return Atomics.load(this.#header, PROGRESS_SLOT);
  }

  /** True while one of the world's own functions is running. */
  get isBusy(): boolean {
    return Atomics.load(this.#header, ACTIVITY_LENGTH_SLOT) !== 0;
  }

  /** The world's own function that is running. It may be read only while the worker is stuck in it. */
  get activity(): Activity | undefined {
    const length = Atomics.load(this.#header, ACTIVITY_LENGTH_SLOT);
    return length === 0 ? undefined : JSON.parse(this.#activityText.toString("utf8", 0, length));
  }

  beginRequest(request: number): void {
    this.leaveUserCode();
    Atomics.store(this.#header, CALLS_LENGTH_SLOT, 0);
    Atomics.store(this.#header, REQUEST_SLOT, request);
  }

  endRequest(): void {
    Atomics.store(this.#header, REQUEST_SLOT, 0);
  }

  enterUserCode(activity: Activity): void {
    let text = JSON.stringify(activity);
    // If the arguments do not fit, only the call is named.
    if (3 * text.length > ACTIVITY_BYTES) text = JSON.stringify({ ...activity, args: undefined });
    Atomics.store(this.#header, ACTIVITY_LENGTH_SLOT, this.#activityText.write(text));
    this.noteProgress();
  }

  leaveUserCode(): void {
    Atomics.store(this.#header, ACTIVITY_LENGTH_SLOT, 0);
    this.noteProgress();
  }

  noteProgress(): void {
    Atomics.add(this.#header, PROGRESS_SLOT, 1);
  }

  /**
   * Appends a call. When the memory is full, it is emptied, and its text is returned, so that it can be sent in another
   * way.
   */
  appendCall(call: ApiCall): string | undefined {
    const line = `${JSON.stringify(call)}\n`;
    const length = Atomics.load(this.#header, CALLS_LENGTH_SLOT);
    if (length + 3 * line.length > this.#text.length) {
      Atomics.store(this.#header, CALLS_LENGTH_SLOT, 0);
      return this.#text.toString("utf8", 0, length) + line;
    }
    Atomics.store(this.#header, CALLS_LENGTH_SLOT, length + this.#text.write(line, length));
    return undefined;
  }

  /**
   * Returns all calls recorded so far. `earlier` is the text that `appendCall` returned, with the calls before those in
   * memory.
   */
  readCalls(earlier: string): ApiCall[] {
    const text =
      earlier + this.#text.toString("utf8", 0, Atomics.load(this.#header, CALLS_LENGTH_SLOT));
    return text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as ApiCall);
  }
}
