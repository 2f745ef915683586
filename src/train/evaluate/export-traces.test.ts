/** Tests the export of a run's rollouts as training traces. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exportTraces } from "./export-traces.ts";
import type { TrainingTrace } from "./training-trace.ts";

const folder = mkdtempSync(join(tmpdir(), "bowline-traces-"));
const run = join(folder, "run");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rollout = (id: string, others: object = {}) => ({
  ...{ version: 1, id, index: 0, stream: 0, temperature: 1, policyVersion: 1, outcome: "finished" },
  task: {
    ...{ id: "t", scenario: "s", split: "train", difficulty: 1, signature: "s" },
    instruction: "Do it.",
  },
  turns: [{ message: "a", code: "a", observation: "", status: "ok", calls: [], span: [1, 2] }],
  tokens: { ids: [3, 4], mask: [0, 1], logprobs: [0, -1] },
  evaluation: {
    ...{ passed: false, finished: true },
    checks: [
      { name: "sent", label: "progress", passed: true },
      { name: "paid", label: "progress", passed: false },
    ],
  },
  ...others,
});
const failure = { boundary: "agent", code: "x", message: "x", retryable: false };
const failed = { evaluation: undefined, outcome: "failed", failure };

function writeRollouts(name: string, rollouts: readonly object[]): void {
  const lines = rollouts.map((one) => `${JSON.stringify(one)}\n`).join("");
  writeFileSync(join(run, "rollouts", `${name}.jsonl`), lines);
}

beforeAll(() => {
  mkdirSync(join(run, "rollouts"), { recursive: true });
  const config = { algo: { reward: "strict", unfinished: "fail" } };
  writeFileSync(
    join(run, "run.json"),
    JSON.stringify({ version: 2, seed: 1, config, versions: {} }),
  );
  writeRollouts("train-0001", [rollout("1/0/0"), rollout("1/0/1", failed)]);
  writeRollouts("train-0002", [rollout("2/0/0")]);
  writeRollouts("eval-after-dev-greedy", [rollout("e/0/0")]);
  writeFileSync(join(run, "rollouts", "notes-0001.jsonl"), "{}\n");
});

const readIds = (path: string) =>
  readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as TrainingTrace).turns.map(({ node_id }) => node_id));

test("the training rollouts of all iterations are exported with the run's reward, and failed ones are counted", () => {
  const out = join(folder, "all.jsonl");
  expect(exportTraces({ run, out })).toEqual({ out, traces: 2, turns: 2, leftOut: 1 });
  expect(readIds(out)).toEqual([["1/0/0#0"], ["2/0/0#0"]]);
  const [trace] = readFileSync(out, "utf8").split("\n");
  expect(JSON.parse(trace!).turns[0].metadata.reward).toBe(0);
  expect(existsSync(`${out}.writing`)).toBe(false);
});

test("one file of rollouts can be chosen", () => {
  const out = join(folder, "one.jsonl");
  exportTraces({ run, out, rollouts: "eval-after-dev-greedy" });
  expect(readIds(out)).toEqual([["e/0/0#0"]]);
});

test("wrong names are refused before anything is written", () => {
  const out = join(folder, "never.jsonl");
  expect(() => exportTraces({ run, out, rollouts: "train-0003" })).toThrow(
    "--rollouts train-0003: expected one of eval-after-dev-greedy, train-0001, train-0002; did you mean train-000",
  );
  expect(() => exportTraces({ run: folder, out })).toThrow("expected a run directory");
  expect(() => exportTraces({ run, out: join(folder, "no", "x.jsonl") })).toThrow("no folder");
  expect(existsSync(out)).toBe(false);
  writeFileSync(out, "mine");
  expect(() => exportTraces({ run, out })).toThrow("exists already");
  expect(readFileSync(out, "utf8")).toBe("mine");
});

test("a damaged line is named, and no part of a file is left", () => {
  const out = join(folder, "damaged.jsonl");
  writeRollouts("train-0009", [rollout("9/0/0"), { id: 3 }]);
  expect(() => exportTraces({ run, out, rollouts: "train-0009" })).toThrow("train-0009.jsonl");
  expect([existsSync(out), existsSync(`${out}.writing`)]).toEqual([false, false]);
});
