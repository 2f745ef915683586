/**
 * Lets the threads of a process use the device one after the other. ONNX Runtime has one context of WebGPU for a
 * process and does not guard it: two engines that ran at the same time damaged each other's memory and crashed.
 *
 * A turn belongs to a thread, because a thread's own calls never run at the same time. The state is shared memory that
 * threads inherit (`shareDeviceTurns` before they are started).
 */
import { getEnvironmentData, setEnvironmentData, threadId } from "node:worker_threads";
import { getProvider } from "./current-provider.ts";

const KEY = "bowline.deviceTurns";
/** What the shared numbers are: the thread that has the turn, the last one that got it, and whether others wait. */
const [OWNER, LAST, IS_AWAITED] = [0, 1, 2];
const THIS_THREAD = threadId + 1;
const NOBODY = 0;

let turns: Int32Array | undefined;
/** How many calls of this thread are under way. */
let ownCalls = 0;

/** Makes threads that are started from here on, and this one, take turns. */
export function shareDeviceTurns(): Int32Array {
  if (turns) return turns;
  const inherited = getEnvironmentData(KEY);
  const memory = inherited instanceof SharedArrayBuffer ? inherited : new SharedArrayBuffer(12);
  setEnvironmentData(KEY, memory);
  turns = new Int32Array(memory);
  return turns;
}

/** Does `work` when no other thread of this process uses the device. Blocks this thread until then. */
export async function inDeviceTurn<T>(work: () => Promise<T>): Promise<T> {
  const endCall = beginCall();
  try {
    return await work();
  } finally {
    endCall();
  }
}

/** Waits until this thread has the turn, and returns a function that ends the call. */
export function beginCall(): () => void {
  if (getProvider() === "cpu") return () => {};
  const shared = shareDeviceTurns();
  if (ownCalls === 0) waitForTurn(shared);
  ownCalls++;
  return () => {
    ownCalls--;
    if (ownCalls === 0) endTurn(shared, THIS_THREAD);
  };
}

/** Ends the turn of a thread that does not live any more. `id` is its `threadId`. */
export function endTurnOfThread(id: number): void {
  if (turns) endTurn(turns, id + 1);
}

function waitForTurn(shared: Int32Array): void {
  // A thread that has just had the turn lets another go first.
  if (Atomics.load(shared, IS_AWAITED)) Atomics.wait(shared, LAST, THIS_THREAD, 1);
  for (;;) {
    const owner = Atomics.compareExchange(shared, OWNER, NOBODY, THIS_THREAD);
    if (owner === NOBODY) break;
    Atomics.store(shared, IS_AWAITED, 1);
    Atomics.wait(shared, OWNER, owner);
  }
  // Threads that still wait say so again when this turn ends.
  Atomics.store(shared, IS_AWAITED, 0);
  Atomics.store(shared, LAST, THIS_THREAD);
  Atomics.notify(shared, LAST);
}

function endTurn(shared: Int32Array, owner: number): void {
  if (Atomics.compareExchange(shared, OWNER, owner, NOBODY) === owner)
    Atomics.notify(shared, OWNER);
}
