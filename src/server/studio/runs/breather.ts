/** Long work in one thread: lets everything else that waits go first, every few milliseconds. */
import { setImmediate } from "node:timers/promises";

const TURN_MS = 10;

/** To be awaited between small pieces of work. */
export function breather(): () => Promise<void> {
  let begun = performance.now();
  return async () => {
    if (performance.now() - begun < TURN_MS) return;
    await setImmediate();
    begun = performance.now();
  };
}
