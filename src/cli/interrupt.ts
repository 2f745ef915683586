/**
 * Handles Ctrl-C. The first one asks the work to stop cleanly, and the second one exits at once. A run loses nothing.
 */
import { setMaxListeners } from "node:events";
import type { Channel } from "./terminal.ts";

/** A signal that is aborted by Ctrl-C. `dispose` stops listening for Ctrl-C. */
export interface Interrupt {
  readonly signal: AbortSignal;
  dispose(): void;
}

/** Starts to listen for Ctrl-C and SIGTERM. The first of them is announced on `channel`. */
export function listenForInterrupt(channel: Channel): Interrupt {
  const controller = new AbortController();
  // Every live episode adds a listener, so Node's warning about a leak would be wrong.
  setMaxListeners(0, controller.signal);
  const stop = () => {
    if (controller.signal.aborted) process.exit(130);
    channel.writeLine("");
    channel.writeLine("stopping cleanly; press Ctrl-C again to exit at once");
    controller.abort();
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  return {
    signal: controller.signal,
    dispose() {
      process.off("SIGINT", stop);
      process.off("SIGTERM", stop);
    },
  };
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
