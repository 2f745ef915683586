/**
 * Counts what one cell uses, and passes its calls to the world.
 *
 * Every limit is a count, so the same cell ends at the same place on every machine. After a limit is exceeded, the host
 * answers nothing more, and every further interrupt stops the code, even in `catch` and `finally`.
 */
import type { Limit } from "../../spec/index.ts";
import type { InstanceHooks } from "./instance.ts";
import type { SandboxLimits } from "./types.ts";

export type SandboxLimit = Exclude<Limit, "wall-clock">;

/** Answers the calls of a cell, from the live world or from a record. `args` and the reply are JSON. */
export interface ApiHost {
  call(app: string, api: string, args: string): { readonly reply: string; readonly now: number };
  /** Says why there is no such app (when `app` is empty) or no such API, and which name is nearest. */
  hint(app: string, name: string): string;
}

/**
 * The number of host calls that cost one unit of fuel. Host calls take hardly any interpreter steps, so they are
 * charged separately.
 */
const HOST_CALLS_PER_FUEL = 100;

export class CellMeter implements InstanceHooks {
  limit: SandboxLimit | undefined;
  failure: { readonly cause: unknown } | undefined;
  stdout = "";
  now: number;
  readonly #limits: SandboxLimits;
  readonly #apiHost: ApiHost;
  #fuel = 0;
  #calls = 0;
  #hostCalls = 0;
  #jobs = 0;
  #isOutputFull = false;

  constructor(limits: SandboxLimits, now: number, apiHost: ApiHost) {
    this.#limits = limits;
    this.#apiHost = apiHost;
    this.now = now;
  }

  get isStopped(): boolean {
    return this.limit !== undefined || this.failure !== undefined;
  }

  get maxBytes(): number {
    return this.#limits.memoryBytes;
  }

  onOutOfMemory(): void {
    this.#stopAt("memory");
  }

  shouldInterrupt(): boolean {
    if (++this.#fuel > this.#limits.fuel) this.#stopAt("fuel");
    return this.isStopped;
  }

  /** Counts one promise job. Returns false when no further job may run. */
  countJob(): boolean {
    if (++this.#jobs > this.#limits.jobs) this.#stopAt("jobs");
    return !this.isStopped;
  }

  #stopAt(limit: SandboxLimit): void {
    this.limit ??= limit;
  }

  handleHostCall([kind, ...args]: readonly string[]): string | undefined {
    if (++this.#hostCalls % HOST_CALLS_PER_FUEL === 0) this.shouldInterrupt();
    if (this.isStopped) return undefined;
    try {
      if (kind === "print") return this.#print(JSON.parse(args[0]!));
      if (kind === "call") return this.#call(args[0]!, args[1]!, args[2]!);
      return JSON.stringify(this.#apiHost.hint(args[0]!, JSON.parse(args[1]!)));
    } catch (cause) {
      if (isStackOverflow(cause)) this.#stopAt("stack");
      else this.failure = { cause };
      return undefined;
    }
  }

  #print(text: string): string {
    if (this.#isOutputFull) return "";
    const room = Math.max(0, this.#limits.stdoutChars - this.stdout.length);
    if (text.length <= room) {
      this.stdout += `${text}\n`;
      return "";
    }
    this.#isOutputFull = true;
    const cut = text.slice(0, room).replace(/[\uD800-\uDBFF]$/, "");
    this.stdout += `${cut}\n[output cut at ${this.#limits.stdoutChars} characters]\n`;
    return "";
  }

  #call(app: string, api: string, args: string): string | undefined {
    if (++this.#calls > this.#limits.calls) {
      this.#stopAt("calls");
      return undefined;
    }
    const { reply, now } = this.#apiHost.call(app, api, args);
    this.now = now;
    return reply;
  }
}

/** Returns true for the stack overflow of V8. Any other RangeError is a bug of somebody else. */
export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes("call stack");
}
