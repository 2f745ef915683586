/** Long work in one thread: lets everything else that waits go first, every few milliseconds. */
import { setImmediate } from "node:timers/promises";

const MAX_BLOCKING_MS = 10;

/** To be awaited between small pieces of work. */
export function createEventLoopYielder(): () => Promise<void> {
  let blockingSinceMs = performance.now();
  return async () => {
    if (performance.now() - blockingSinceMs < MAX_BLOCKING_MS) return;
    await setImmediate();
    blockingSinceMs = performance.now();
  };
}
