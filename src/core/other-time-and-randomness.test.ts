import { expect, test } from "vitest";
import { runWithOtherTimeAndRandomness } from "./index.ts";

test("uses of the clock and of randomness get other values and are reported, but fixed dates stay the same", () => {
  const used: string[] = [];
  const today = new Date().toISOString().slice(0, 10);
  const found = runWithOtherTimeAndRandomness(
    () => ({
      chance: [Math.random(), Math.random()],
      day: new Date().toISOString().slice(0, 10),
      now: Date.now(),
      text: Date(),
      id: crypto.randomUUID(),
      fixed: new Date("2026-01-05T09:00:00Z").getTime(),
      parsed: Date.parse("2026-01-05T09:00:00Z"),
      isDate: new Date(0) instanceof Date,
    }),
    (name, { stack }) => used.push(`${name} ${stack?.includes("other-time-and-randomness.test")}`),
  );
  expect(used).toEqual([
    ...["Math.random true", "Math.random true", "new Date true", "Date.now true", "Date true"],
    "crypto.randomUUID true",
  ]);
  for (const value of found.chance) expect(value >= 0 && value < 1).toBe(true);
  expect(found.day).not.toBe(today);
  expect(found.now).toBeGreaterThan(Date.now() + 1e9);
  expect(found).toMatchObject({ fixed: 1767603600000, parsed: 1767603600000, isDate: true });
});

test("the real clock and randomness are restored afterwards, even when the function throws", () => {
  const before = [Math.random, Date, crypto.randomUUID];
  const fail = () => {
    throw new Error("oops");
  };
  expect(() => runWithOtherTimeAndRandomness(fail, () => {})).toThrow("oops");
  expect([Math.random, Date, crypto.randomUUID]).toEqual(before);
  expect(Date).toBe(before[1]);
});
