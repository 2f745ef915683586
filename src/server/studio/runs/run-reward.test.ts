/** Tests that every view shows a rollout's reward by the rule of its run, so that it fits the advantage beside it. */
import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { leaveOneOut, type RewardOptions, rewardOf } from "../../../algo/index.ts";
import type { CheckResult, Rollout } from "../../../spec/index.ts";
import { createMemoryFolder } from "../../../testing/fake-makers.ts";
import { fakeRollout } from "../../../testing/fake-rollout.ts";
import { buildGroupList, buildGroupView } from "./groups.ts";
import { buildRolloutView } from "./rollout-view.ts";
import { openRuns } from "./runs.ts";

let root: string;
beforeEach(() => {
  root = createMemoryFolder("bowline-studio-reward-");
  mkdirSync(join(root, "rollouts"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const RULES = (["fraction", "strict", "progress"] as const).flatMap((reward) =>
  (["fail", "score"] as const).map((unfinished): RewardOptions => ({ reward, unfinished })),
);

const makeChecks = (progress: readonly boolean[], guard: boolean): CheckResult[] => [
  ...progress.map((passed, i): CheckResult => ({ name: `${i}`, label: "progress", passed })),
  { name: "nothing else changed", label: "guard", passed: guard },
];

/** Solved, half done, half done with damage, not finished, failed without an evaluation. */
const rollouts: readonly Rollout[] = [
  { finished: true, checks: makeChecks([true, true], true) },
  { finished: true, checks: makeChecks([true, false], true) },
  { finished: true, checks: makeChecks([true, false], false) },
  { finished: false, checks: makeChecks([true, false], true) },
  undefined,
].map((ended, index) => {
  const { evaluation: _, ...made } = fakeRollout({ id: `1/0/${index}`, index });
  if (ended === undefined) return { ...made, outcome: "failed" };
  const passed = ended.checks.every((check) => check.passed) && ended.finished;
  return { ...made, evaluation: { ...ended, passed } };
});

function writeRun(rule: RewardOptions, changedSeconds = 1): void {
  const path = join(root, "run.json");
  writeFileSync(path, JSON.stringify({ config: { algo: rule } }));
  utimesSync(path, changedSeconds, changedSeconds);
  writeLines("train-0001", rollouts);
}

function writeLines(name: string, lines: readonly object[]): void {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  writeFileSync(join(root, "rollouts", `${name}.jsonl`), text);
}

const scored = rollouts.filter(({ evaluation }) => evaluation !== undefined);
const expectedRewards = (rule: RewardOptions) => scored.map((rollout) => rewardOf(rollout, rule));

async function readViews() {
  const runs = openRuns(root);
  const location = await runs.locate(basename(root));
  const file = await runs.findFile(location, "train-0001");
  const { groups } = await buildGroupList(runs, location, file, { offset: 0, limit: 9 });
  const [group] = groups;
  const side = await buildGroupView(runs, location, file, group!.task.id, true);
  const single = await Promise.all(
    rollouts.map(({ id }) => buildRolloutView(runs, location, file, id, true)),
  );
  const records = await Promise.all(
    rollouts.map(({ id }) => runs.readRollout(file, id, { tokens: false })),
  );
  return {
    group: group!,
    rows: [
      group!.rollouts,
      side.rollouts.map(({ row }) => row),
      single.map(({ row }) => row),
      records.map(({ row }) => row),
    ],
  };
}

describe.each(RULES)(
  "with the reward $reward, where an unfinished episode has to $unfinished",
  (rule) => {
    it("list, group page, header and fork show the reward that the run learned from", async () => {
      const rewards = expectedRewards(rule);
      const advantages = leaveOneOut(rewards);
      writeRun(rule);
      writeLines(
        "notes-0001",
        scored.map(({ id }, i) => ({ id, advantage: advantages[i]!, at: [], ratios: [] })),
      );
      const { rows } = await readViews();
      for (const view of rows) {
        expect(view.map(({ reward }) => reward)).toEqual([...rewards, undefined]);
      }
      for (const view of rows.slice(0, 3)) {
        const shown = view.flatMap(({ reward }) => reward ?? []);
        leaveOneOut(shown).forEach((advantage, i) => {
          expect(view[i]!.advantage).toBeCloseTo(advantage, 12);
        });
      }
    });
  },
);

it("a group counts the rollouts with an evaluation, and those of them that passed", async () => {
  writeRun({ reward: "fraction", unfinished: "fail" });
  expect((await readViews()).group).toMatchObject({ size: 4, passed: 1 });
});

it("a return with further terms is shown beside the reward", async () => {
  writeRun({ reward: "fraction", unfinished: "fail" });
  writeLines("notes-0001", [{ id: "1/0/1", advantage: 0.1, return: 0.9, at: [], ratios: [] }]);
  const { group } = await readViews();
  expect(group.rollouts[1]).toMatchObject({ reward: expect.closeTo(2 / 3, 12), return: 0.9 });
  expect(group.rollouts[0]).not.toHaveProperty("return");
});

it("rewards follow a run.json that was written anew, and the paper's rule where it states none", async () => {
  writeRun({ reward: "strict", unfinished: "fail" });
  const runs = openRuns(root);
  const location = await runs.locate(basename(root));
  const readRewards = async () => {
    const file = await runs.findFile(location, "train-0001");
    const index = await runs.indexes.load(file);
    return scored.map((_, at) => index.rowAt(at).reward);
  };
  expect(await readRewards()).toEqual([1, 0, 0, 0]);
  writeRun({ reward: "progress", unfinished: "score" }, 2);
  expect(await readRewards()).toEqual([1, 0.5, 0, 0.5]);
  writeRun({} as RewardOptions, 3);
  expect(await readRewards()).toEqual(expectedRewards({ reward: "fraction", unfinished: "fail" }));
});
