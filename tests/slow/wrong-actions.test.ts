/** Samples wrong actions, as `bench/world/wrong-actions.ts` does: none earns more than an agent that only finishes. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);

test("no wrong action in a world with people earns progress", async () => {
  const options = "--split train --tasks 9 --samples 100 --seed 2".split(" ");
  const script = ["bench/world/wrong-actions.ts", "./examples/borrowing.ts"];
  const { stdout } = await run("npx", ["tsx", ...script, ...options]);
  const [progress] = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(progress).toMatchObject({ reward: "progress", samples: 100, earnMoreThanIdle: 0 });
  expect(progress.wrong).toEqual({ mean: 0, max: 0 });
}, 60_000);
