/** Tests that checkpoints contain the state of mechanisms, so that a stopped run continues with the same numbers. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SMALL_RUN } from "../../../tests/support/watched-run.ts";
import { createMemoryFolder, fakeMakers } from "../../testing/fake-makers.ts";
import { resolveConfig } from "../settings/resolve.ts";
import { trainWith } from "../train.ts";

let root: string;
beforeEach(() => {
  root = createMemoryFolder("bowline-resume-");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const readResults = (name: string) =>
  ["metrics.jsonl", "checkpoints/final/engine/table.json"].map((file) =>
    readFileSync(join(root, name, file), "utf8"),
  );

test.each<[string, Record<string, unknown>]>([
  [
    "a stopped run continues with the same buffer, reward heads, entropies and task statistics",
    {
      "rewards.terms": '[{"term":"contribution"},{"term":"ranking","weight":0.1}]',
      "credit.unit": "turn",
      "credit.returns": "to-go",
      "buffer.perTask": 4,
      "buffer.inject": true,
      "buffer.replay.weight": 0.5,
      "tasks.minGroupSize": 2,
      "algo.taskSampling": "near-half",
      "algo.tasksPerIteration": 4,
      "algo.entropyBand.coefficient": 0.1,
      "filter.covariance.share": 0.1,
      "filter.covariance.low": -10,
      "imitation.mixWeight": 0.1,
    },
  ],
  [
    "a stopped run continues with the same running baselines and stages",
    {
      "algo.baseline": "running",
      "schedule.maxTurns": '{"shape":"steps","values":[2,3],"every":1}',
      "schedule.stages":
        '[{"iterations":1,"patch":{}},{"iterations":2,"patch":{"algo.kl.coefficient":0.1}}]',
    },
  ],
])("%s", async (_, fields) => {
  const config = resolveConfig({
    recipe: "starter/on-policy",
    overrides: { ...SMALL_RUN, "algo.iterations": 4, ...fields },
  });
  await trainWith(fakeMakers(), config, { out: join(root, "whole") });
  const abort = new AbortController();
  let steps = 0;
  const killed = trainWith(fakeMakers(), config, {
    out: join(root, "killed"),
    signal: abort.signal,
    onEvent: (event) => {
      if (event.type === "progress" && event.phase === "loop" && ++steps === 2) abort.abort();
    },
  });
  await expect(killed).rejects.toThrow(/abort/);
  await trainWith(fakeMakers(), config, { out: join(root, "killed") });
  expect(readResults("killed")).toEqual(readResults("whole"));
});
