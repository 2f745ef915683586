/** Tests that contradicting fields of rollout shapes are rejected. Two more tests concern participants and chains. */

import { describe, expect, test } from "vitest";
import { THIS_CALL } from "../../core/index.ts";
import { loadParticipants } from "../../methods/index.ts";
import { tasksOfChain } from "../../methods/rollouts/chains.ts";
import { fakeTask } from "../../testing/fake-episode.ts";
import { resolveConfig } from "../settings/resolve.ts";

const BRANCHES = { "collect.kind": "branches", "collect.count": 1 };
const RESTARTS = { "collect.kind": "restarts" };

describe("fields that contradict each other are rejected at the start, with the names of both:", () => {
  test.each<[Record<string, unknown>, RegExp]>([
    [{ ...BRANCHES, "collect.count": 6 }, /collect\.count.* algo\.groupSize/],
    [{ ...BRANCHES, "participants.user": "policy" }, /collect\.kind branches.*participants\.user/],
    [{ ...BRANCHES, "algo.stragglers": true }, /algo\.stragglers.*collect\.kind branches/],
    [{ ...RESTARTS, "context.kind": "state" }, /collect\.kind restarts.*context\.kind/],
    [
      { ...RESTARTS, "participants.planner": true },
      /collect\.kind restarts.*participants\.planner/,
    ],
    [{ ...RESTARTS, "participants.user": "errors" }, /collect\.kind restarts.*participants\.user/],
    [{ ...RESTARTS, "memory.kind": "texts" }, /collect\.kind restarts.*memory\.kind/],
    [{ ...RESTARTS, "algo.staleness": 1 }, /algo\.staleness.*collect\.kind restarts/],
    [{ "context.kind": "summary", "context.tokens": 5000 }, /context\.tokens.*scaffold\.maxTokens/],
    [
      { "context.kind": "state", "context.chunkCharacters": 1e6 },
      /context\.chunkCharacters.*scaffold\.maxObservationCharacters/,
    ],
    [
      { "participants.planner.every": 2, "context.kind": "state" },
      /participants\.planner\.every.*context\.kind/,
    ],
    [
      { "participants.user": "policy", "participants.trainedUser": true },
      /participants\.trainedUser.*credit\.key/,
    ],
    [
      { "participants.trainedUser": true, "credit.key": "role" },
      /participants\.trainedUser.*participants\.user/,
    ],
    [{ "memory.kind": "q-values", "memory.items": 9 }, /memory\.items.*memory\.candidates/],
    [
      { "participants.user": "nobody" },
      /participants\.user: expected none, policy, reminder, errors or .* got "nobody"/,
    ],
    [{ "participants.user": "remindr" }, /did you mean reminder/],
    [{ "participants.judge": "./no-such.mjs" }, /participants\.judge: no module at .*no-such\.mjs/],
  ])(
    "two fields that contradict each other are rejected at the start, and both are named:",
    (overrides, says) => {
      expect(() => resolveConfig({ recipe: "starter/on-policy", overrides })).toThrow(says);
    },
  );

  test.each<[string, Record<string, unknown>, RegExp]>([
    ["dpo-mcts", { "context.kind": "state" }, /the method dpo-mcts has no field context\.kind/],
    [
      "starter",
      { "context.kind": "state" },
      /the method loop has no field context\.kind; .* on-policy/,
    ],
    ["grpo", { "collect.every": 3 }, /collect\.every exists only where collect\.kind is branches/],
    [
      "grpo",
      { ...BRANCHES, "collect.length": 2 },
      /collect\.length exists only where collect\.kind is chains/,
    ],
    [
      "grpo",
      { ...BRANCHES, "collect.attempts.most": 2 },
      /collect\.attempts exists only where collect\.kind is groups or chains/,
    ],
    ["grpo", { "context.turns": 3 }, /context\.turns exists only where context\.kind is window/],
    ["grpo", { "memory.rewrites": 1 }, /memory\.rewrites exists only where memory\.kind is texts/],
  ])("%s %o", (recipe, overrides, says) => {
    expect(() => resolveConfig({ recipe, overrides })).toThrow(says);
  });
});

test("a participant's module that exports no function is rejected", async () => {
  const here = new URL("./field-settings.ts", import.meta.url).pathname;
  await expect(
    loadParticipants({ participants: { user: here, judge: "none" } }, THIS_CALL),
  ).rejects.toThrow(/participants\.user: expected .*field-settings\.ts to export a function/);
});

test("a chain solves the tasks of its scenario one after another, beginning with the task that was drawn", () => {
  const taskOfScenario = (id: string, scenario: string) => fakeTask({ id, scenario });
  const all = [
    taskOfScenario("a0", "a"),
    taskOfScenario("b0", "b"),
    taskOfScenario("a1", "a"),
    taskOfScenario("a2", "a"),
  ];
  const chainFrom = (start: number, length: number) =>
    tasksOfChain(all[start]!, all, length).map(({ id }) => id);
  expect(chainFrom(0, 3)).toEqual(["a0", "a1", "a2"]);
  expect(chainFrom(3, 2)).toEqual(["a2", "a0"]);
  expect(chainFrom(1, 3)).toEqual(["b0"]);
});
