/**
 * Handles Ctrl-C and SIGTERM. The first one asks the work to stop cleanly, and a later one exits at once. A run loses
 * nothing.
 */
import { setMaxListeners } from "node:events";
import { constants } from "node:os";
import type { Channel } from "./terminal.ts";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * The number of milliseconds in which a second signal counts as the first one. `npx` passes on a signal that the whole
 * group of processes got, so one Ctrl-C may arrive twice.
 */
const SAME_REQUEST_MS = 1000;

/** A signal that is aborted by Ctrl-C. `dispose` stops listening for Ctrl-C. */
export interface Interrupt {
  readonly signal: AbortSignal;
  /** The exit code that a shell expects after the signal that came: 130 for Ctrl-C and 143 for SIGTERM. */
  readonly exitCode: number;
  dispose(): void;
}

/** Starts to listen for Ctrl-C and SIGTERM. The first of them is announced on `channel`. */
export function listenForInterrupt(channel: Channel): Interrupt {
  const controller = new AbortController();
  // Every live episode adds a listener, so Node's warning about a leak would be wrong.
  setMaxListeners(0, controller.signal);
  let first: { readonly signal: NodeJS.Signals; readonly at: number } | undefined;
  const stop = (signal: NodeJS.Signals) => {
    if (first === undefined) {
      first = { signal, at: performance.now() };
      channel.writeLine("");
      channel.writeLine("stopping cleanly; press Ctrl-C again to exit at once");
      controller.abort();
    } else if (performance.now() - first.at > SAME_REQUEST_MS) {
      dispose();
      dieBySignal(signal);
    }
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  const dispose = () => {
    for (const signal of SIGNALS) process.off(signal, stop);
  };
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCodeAfter(first?.signal ?? "SIGINT");
    },
    dispose,
  };
}

/** Returns the code that a shell reports of a program that a signal ended. */
function exitCodeAfter(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

/**
 * Ends this process at once, by the signal itself. `process.exit` would unload native code while its threads still
 * work, which ends in an abort.
 */
function dieBySignal(signal: NodeJS.Signals): void {
  process.kill(process.pid, signal);
}

/** Returns seconds on a monotonic clock, for rates and durations that people see. */
export function monotonicSeconds(): number {
  return performance.now() / 1000;
}

/** Resolves when the signal is aborted. */
export function waitForAbort(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) =>
    signal.addEventListener("abort", () => resolve(), { once: true }),
  );
}
