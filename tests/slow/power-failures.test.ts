/** Takes the power away from a small run: after it, files end where they were last flushed, and the run continues. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMemoryFolder } from "../../src/testing/fake-makers.ts";
import { openTrainer, type Trainer } from "../campaign/broken-runs.ts";
import { describeDifference, readRunFiles } from "../campaign/tiny-run.ts";

const folder = createMemoryFolder("bowline-power-");
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let trainer: Trainer;
beforeAll(async () => {
  trainer = await openTrainer("tiny", folder);
});

async function losePowerAt(at: number): Promise<void> {
  const out = join(folder, `run-${at}`);
  const { code } = await trainer.train(out, { how: "power", at, when: "after" });
  expect(code).toBeNull();
  const again = await trainer.train(out);
  expect({ code: again.code, stderr: again.stderr }).toEqual({ code: 0, stderr: "" });
  expect(describeDifference(readRunFiles(out), trainer.expected)).toBeUndefined();
}

test.each([0.2, 0.4, 0.6, 0.8])(
  "a run that lost its power after %d of its file operations ends with the bytes of a whole run",
  (share) => losePowerAt(Math.round(share * trainer.operations.die)),
);

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  "a run that lost its power %d operations before its end has the bytes of a whole run",
  (left) => losePowerAt(trainer.operations.die - left),
);
