/**
 * Lets other events of this thread through while it has much to do at once, such as ten thousand rollouts that begin.
 *
 * Whoever does many pieces of work waits for `giveWay` before each of them. All callers share one clock and one queue: a
 * thread that has worked for 20 ms lets timers and connections through before the next piece, whoever worked.
 */
import { setImmediate } from "node:timers";

const MAX_BLOCKING_MS = 20;

/** When the work began that no event has interrupted since; undefined when nothing is known of such work. */
let workingSinceMs: number | undefined;
/** This is true while the caller that went on last does what it can without waiting. */
let isAnyoneWorking = false;
const waiting: (() => void)[] = [];

/**
 * Resolves when the caller may go on: one after the other in the order of the calls, and after other events if the
 * thread has worked for 20 ms without a break.
 */
export async function giveWay(): Promise<void> {
  if (waiting.length > 0 || isAnyoneWorking || hasWorkedLong()) {
    await new Promise<void>((goOn) => waiting.push(goOn));
  } else noteWork();
}

function hasWorkedLong(): boolean {
  if (workingSinceMs !== undefined) return performance.now() - workingSinceMs >= MAX_BLOCKING_MS;
  startClock();
  return false;
}

/** Starts the clock. It is started anew, or stopped, when the thread has looked for other events. */
function startClock(): void {
  workingSinceMs = performance.now();
  setImmediate(() => {
    workingSinceMs = undefined;
    letNextGoOn();
  });
}

function noteWork(): void {
  isAnyoneWorking = true;
  // By then, this caller has done all that it can without waiting, so that the clock has counted it.
  queueMicrotask(() =>
    process.nextTick(() => {
      isAnyoneWorking = false;
      letNextGoOn();
    }),
  );
}

function letNextGoOn(): void {
  if (waiting.length === 0 || isAnyoneWorking || hasWorkedLong()) return;
  noteWork();
  waiting.shift()!();
}
