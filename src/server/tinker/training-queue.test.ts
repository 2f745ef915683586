import fc from "fast-check";
import { expect, it } from "vitest";
import { TrainingQueue } from "./training-queue.ts";

const createRequest = (number: number) => ({ digest: `${number}`, requestId: `r${number}` });

it("runs requests one at a time in the order of their numbers, whatever the order of arrival", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray([1, 2, 3, 4, 5, 6], { minLength: 6, maxLength: 6 }),
      async (arrivals) => {
        const queue = new TrainingQueue(Promise.resolve());
        const ran: number[] = [];
        let running = 0;
        const all = arrivals.map((number) => {
          return new Promise<void>((resolve) => {
            queue.enqueue(number, createRequest(number), async () => {
              running += 1;
              expect(running).toBe(1);
              await Promise.resolve();
              ran.push(number);
              running -= 1;
              resolve();
            });
          });
        });
        await Promise.all(all);
        expect(ran).toEqual([1, 2, 3, 4, 5, 6]);
      },
    ),
    { numRuns: 30 },
  );
});

it("waits for a missing number and reports it", () => {
  const queue = new TrainingQueue(Promise.resolve());
  expect(queue.missingNumber).toBeUndefined();
  queue.enqueue(2, createRequest(2), () => Promise.resolve());
  expect(queue.missingNumber).toBe(1);
  queue.enqueue(1, createRequest(1), () => Promise.resolve());
  expect(queue.missingNumber).toBeUndefined();
});

it("recognises a repeated request and refuses another one with its number", () => {
  const queue = new TrainingQueue(Promise.resolve());
  expect(queue.isFirst(1)).toBe(true);
  expect(queue.findRepeated(1, "a")).toBeUndefined();
  queue.enqueue(1, { digest: "a", requestId: "r" }, () => Promise.resolve());
  expect(queue.isFirst(2)).toBe(false);
  expect(queue.findRepeated(1, "a")).toBe("r");
  expect(() => queue.findRepeated(1, "b")).toThrow(/sequence number was reused/);
  expect(() => queue.findRepeated(0, "b")).toThrow(/out of range/);
  expect(() => queue.findRepeated(5000, "b")).toThrow(/out of range: the next is 2/);
});
