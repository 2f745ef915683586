/**
 * Meters one cell and stands between it and the outside.
 *
 * Every limit is a count, so the same cell ends at the same place on any machine. Once one is passed the host answers
 * nothing more and every further interrupt stops the code, also in `catch` and `finally`.
 */
import type { Limit } from "../../spec/index.ts";
import type { Hooks } from "./instance.ts";
import type { SandboxLimits } from "./types.ts";

export type SandboxLimit = Exclude<Limit, "wall-clock">;

/** The far side of the boundary, live or recorded. `args` and the reply are JSON. */
export interface Outside {
  call(app: string, api: string, args: string): { readonly reply: string; readonly now: number };
  /** Why there is no such app (`app` empty) or API. */
  hint(app: string, name: string): string;
}

/** Host calls cost no interpreter steps to speak of, so they are charged apart. */
const HOST_CALLS_PER_FUEL = 100;

export class Meter implements Hooks {
  limit: SandboxLimit | undefined;
  failure: { readonly cause: unknown } | undefined;
  stdout = "";
  now: number;
  readonly #limits: SandboxLimits;
  readonly #outside: Outside;
  #fuel = 0;
  #calls = 0;
  #hostCalls = 0;
  #jobs = 0;
  #full = false;

  constructor(limits: SandboxLimits, now: number, outside: Outside) {
    this.#limits = limits;
    this.#outside = outside;
    this.now = now;
  }

  get stopped(): boolean {
    return this.limit !== undefined || this.failure !== undefined;
  }

  get maxBytes(): number {
    return this.#limits.memoryBytes;
  }

  outOfMemory(): void {
    this.#end("memory");
  }

  interrupted(): boolean {
    if (++this.#fuel > this.#limits.fuel) this.#end("fuel");
    return this.stopped;
  }

  /** False when no further promise job may run. */
  job(): boolean {
    if (++this.#jobs > this.#limits.jobs) this.#end("jobs");
    return !this.stopped;
  }

  #end(limit: SandboxLimit): void {
    this.limit ??= limit;
  }

  host([kind, ...args]: readonly string[]): string | undefined {
    if (++this.#hostCalls % HOST_CALLS_PER_FUEL === 0) this.interrupted();
    if (this.stopped) return undefined;
    try {
      if (kind === "print") return this.#print(JSON.parse(args[0]!));
      if (kind === "call") return this.#call(args[0]!, args[1]!, args[2]!);
      return JSON.stringify(this.#outside.hint(args[0]!, JSON.parse(args[1]!)));
    } catch (cause) {
      if (isStackOverflow(cause)) this.#end("stack");
      else this.failure = { cause };
      return undefined;
    }
  }

  #print(text: string): string {
    if (this.#full) return "";
    const room = Math.max(0, this.#limits.stdoutChars - this.stdout.length);
    if (text.length <= room) {
      this.stdout += `${text}\n`;
      return "";
    }
    this.#full = true;
    const cut = text.slice(0, room).replace(/[\uD800-\uDBFF]$/, "");
    this.stdout += `${cut}\n[output cut at ${this.#limits.stdoutChars} characters]\n`;
    return "";
  }

  #call(app: string, api: string, args: string): string | undefined {
    if (++this.#calls > this.#limits.calls) {
      this.#end("calls");
      return undefined;
    }
    const { reply, now } = this.#outside.call(app, api, args);
    this.now = now;
    return reply;
  }
}

/** V8's own; other RangeErrors are somebody's bug. */
export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes("call stack");
}
