import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { mapConcurrently } from "./concurrency.ts";
import { giveWay } from "./give-way.ts";

const WORK_MS = 1;
const PIECES = 300;

function work(): void {
  for (const end = performance.now() + WORK_MS; performance.now() < end; );
}

/** Counts pieces between two looks at other events, until all of `finished` is done. Returns the most of them. */
async function countMostBetweenEvents(finished: Promise<unknown>, pieces: () => number) {
  let most = 0;
  let isDone = false;
  void finished.then(() => {
    isDone = true;
  });
  for (let before = pieces(); !isDone; before = pieces()) {
    await setImmediate();
    most = Math.max(most, pieces() - before);
  }
  return most;
}

it("other events come through while much work is done at once, and nobody overtakes", async () => {
  const order: number[] = [];
  const all = Array.from({ length: PIECES }, async (_, i) => {
    await giveWay();
    work();
    // Work after further steps counts too.
    await Promise.resolve();
    await Promise.resolve();
    work();
    order.push(i);
  });
  const most = await countMostBetweenEvents(Promise.all(all), () => order.length);
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThan(30);
  expect(order).toEqual(Array.from({ length: PIECES }, (_, i) => i));
});

it("items of a list that run concurrently let other events through between their beginnings", async () => {
  let begun = 0;
  const running = mapConcurrently(Array.from({ length: PIECES }), PIECES, async () => {
    work();
    begun += 1;
  });
  expect(await countMostBetweenEvents(running, () => begun)).toBeLessThan(50);
  expect(begun).toBe(PIECES);
});

it("does not wait for events when little work was done", async () => {
  await setImmediate();
  await setImmediate();
  let events = 0;
  void setImmediate().then(() => {
    events += 1;
  });
  for (let i = 0; i < 10; i++) await giveWay();
  expect(events).toBe(0);
});
