/** Tests the memory benchmark on the smallest shape. Its numbers are the machine's and are not compared. */
import { expect, it } from "vitest";
import { benchMemory } from "./memory-bench.ts";

const SMALL = { shape: "128x4", threads: 1, tokens: 16, rows: 2 } as const;

it("measures the base that was asked for, on all rows", async () => {
  const [bench, ...others] = await benchMemory({ ...SMALL, base: "q4" });
  expect(others).toEqual([]);
  expect(bench).toMatchObject({ training: "lora", base: "q4", step: { tokens: 32 } });
  expect(bench!.step.peakRssMb).toBeGreaterThan(0);
});

it("rejects full training on a frozen base", async () => {
  const asked = benchMemory({ ...SMALL, base: "q4", trainings: ["full"] });
  await expect(asked).rejects.toThrow(/--training full: a base of q4 is frozen/);
});
