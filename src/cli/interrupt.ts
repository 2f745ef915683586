/** Ctrl-C: the first asks the work to stop cleanly, the second leaves at once. Runs lose nothing either way. */
import { setMaxListeners } from "node:events";
import type { Channel } from "./terminal.ts";

export interface Interrupt {
  readonly signal: AbortSignal;
  dispose(): void;
}

export function listenForInterrupt(channel: Channel): Interrupt {
  const controller = new AbortController();
  // Every live episode listens; that is no leak.
  setMaxListeners(0, controller.signal);
  const stop = () => {
    if (controller.signal.aborted) process.exit(130);
    channel.writeLine("");
    channel.writeLine("stopping cleanly; press Ctrl-C again to leave at once");
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

/** Seconds on a monotonic clock, for rates and durations that people see. */
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
