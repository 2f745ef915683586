/** Lets long work in one thread give way to other waiting work every few milliseconds. */
import { setImmediate } from "node:timers/promises";

const MAX_BLOCKING_MS = 10;

/** Returns a function to await between small pieces of work. It yields once work has blocked for 10 ms. */
export function createEventLoopYielder(): () => Promise<void> {
  let blockingSinceMs = performance.now();
  return async () => {
    if (performance.now() - blockingSinceMs < MAX_BLOCKING_MS) return;
    await setImmediate();
    blockingSinceMs = performance.now();
  };
}
