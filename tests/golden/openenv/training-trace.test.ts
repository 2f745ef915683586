/**
 * Compares exported training traces with a file that OpenEnv's own class accepted: `check_training_traces.py` reads
 * `training-traces.jsonl`. Where the environment variable BOWLINE_PYTHON names a Python with openenv, the test runs it.
 */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { Rollout } from "../../../src/spec/index.ts";
import { createTrainingTraces } from "../../../src/train/index.ts";

const GOLDEN = fileURLToPath(new URL("training-traces.jsonl", import.meta.url));
const SCRIPT = fileURLToPath(new URL("check_training_traces.py", import.meta.url));

const task: Rollout["task"] = {
  ...{ id: "toy/train/0", scenario: "toy/train/0", signature: "s", instruction: "Send it." },
  split: "train",
  difficulty: 1,
};
const check = { name: "sent", label: "progress", passed: true } as const;
const turn = (message: string, span?: [number, number]) => ({
  ...{ message, code: message, observation: "ok", status: "ok" as const, calls: [] },
  ...(span && { span }),
});
const common = {
  ...{ task, index: 0, stream: 0, temperature: 1, policyVersion: 3 },
  outcome: "finished" as const,
};

const linear: Rollout = {
  ...{ version: 1, id: "1/0/0", ...common, turns: [turn("a", [2, 4]), turn("b", [6, 7])] },
  tokens: {
    ids: [5, 9, 7, 1, 8, 8, 2],
    mask: [0, 0, 1, 1, 0, 0, 1],
    logprobs: [0, 0, -0.5, -2.25, 0, 0, 1e-9],
  },
  evaluation: {
    passed: false,
    finished: true,
    checks: [check, { ...check, name: "other", passed: false }],
  },
};
/** The second turn begins a row of its own, a shared token is not trained, and a rival plays the same episode. */
const branched: Rollout = {
  ...{ version: 2, id: "1/0/1", ...common },
  turns: [turn("a", [1, 3]), { ...turn("b", [2, 3]), segment: 1 }, turn("without tokens")],
  tokens: { ids: [4, 6, 7], mask: [0, 0, 1], logprobs: [0, 0, -0.125] },
  segments: [{ ids: [4, 5, 6], mask: [0, 0, 1], logprobs: [0, 0, -1] }],
  evaluation: { passed: true, finished: true, checks: [check], reward: 0.75 },
  cast: [
    {
      ...{ role: "rival", opposed: true, turns: [turn("no", [1, 2])] },
      tokens: { ids: [3, 1], mask: [0, 1], logprobs: [0, -3] },
    },
  ],
};

const exported = [linear, branched].flatMap((rollout) => createTrainingTraces(rollout));

test("rollouts become the traces that OpenEnv's own class accepted", async () => {
  const lines = exported.map((trace) => `${JSON.stringify(trace)}\n`).join("");
  await expect(lines).toMatchFileSnapshot(GOLDEN);
});

test("a turn has the exact tokens before it, the mask over both parts, and its role's reward", () => {
  expect(exported[0]!.turns[1]).toMatchObject({
    node_id: "1/0/0#1",
    prompt_token_ids: [5, 9, 7, 1, 8, 8],
    completion_token_ids: [2],
    per_token_logps: [0],
    loss_mask: [0, 0, 0, 0, 0, 0, 1],
    metadata: { reward: 0.5, policy_version: 3 },
  });
  expect(exported[1]!.turns.map(({ prompt_token_ids }) => prompt_token_ids)).toEqual([[4], [4, 5]]);
  expect(exported[2]!.turns[0]!.metadata).toMatchObject({ role: "rival", reward: 0.25 });
});

test("a failed rollout and one without tokens have no trace, because nothing is invented for them", () => {
  const { evaluation: _evaluation, ...failed } = linear;
  const { tokens: _tokens, ...scripted } = linear;
  expect(createTrainingTraces({ ...failed, outcome: "failed" })).toEqual([]);
  expect(createTrainingTraces(scripted)).toEqual([]);
});

test.skipIf(!process.env["BOWLINE_PYTHON"])(
  "OpenEnv's own class accepts the golden file (needs BOWLINE_PYTHON with openenv)",
  () => {
    const printed = execFileSync(process.env["BOWLINE_PYTHON"]!, [SCRIPT, GOLDEN]);
    expect(JSON.parse(String(printed))).toEqual({ traces: 3, turns: 5, trainedTokens: 6 });
  },
  120_000,
);
