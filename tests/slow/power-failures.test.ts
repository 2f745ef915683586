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

test.each([0.2, 0.4, 0.6, 0.8])(
  "a run that lost its power after %d of its file operations ends with the bytes of a whole run",
  async (share) => {
    const out = join(folder, `run-${share}`);
    const at = Math.round(share * trainer.operations.die);
    const { code } = await trainer.train(out, { how: "power", at, when: "before" });
    expect(code).toBeNull();
    const again = await trainer.train(out);
    expect({ code: again.code, stderr: again.stderr }).toEqual({ code: 0, stderr: "" });
    expect(describeDifference(readRunFiles(out), trainer.expected)).toBeUndefined();
  },
);
