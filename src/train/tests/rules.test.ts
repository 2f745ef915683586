import { describe, expect, test } from "vitest";
import { companyOf } from "../../methods/index.ts";
import { fakeTask } from "../../testing/fake-episode.ts";
import { resolveConfig } from "../config/resolve.ts";
import { linksOf } from "./chain.ts";

describe("what cannot go together is refused at start, naming both fields", () => {
  test.each([
    [{ "collect.kind": "branches", "collect.count": 6 }, /shapes\.branches.* algo\.groupSize/],
    [{ "collect.kind": "branches", "collect.count": 1, "collect.kind": "chains", "collect.length": 2 }, /shapes\.branches.*shapes\.chainLength/],
    [{ "collect.kind": "branches", "collect.count": 1, "collect.attempts.most": 2 }, /shapes\.branches.*shapes\.attempts/],
    [
      { "collect.kind": "branches", "collect.count": 1, "collect.kind": "restarts", "collect.share": 0.5 },
      /shapes\.branches.*shapes\.restartShare/,
    ],
    [
      { "collect.kind": "branches", "collect.count": 1, "participants.user": "policy" },
      /shapes\.branches.*participants\.user/,
    ],
    [{ "collect.kind": "branches", "collect.count": 1, "algo.stragglers": true }, /algo\.stragglers.*shapes\.branches/],
    [
      { "collect.kind": "restarts", "collect.share": 0.5, "context.kind": "state" },
      /shapes\.restartShare.*shapes\.context/,
    ],
    [
      { "collect.kind": "restarts", "collect.share": 0.5, "participants.planner": true },
      /shapes\.restartShare.*participants\.planner/,
    ],
    [{ "collect.kind": "restarts", "collect.share": 0.5, "memory.kind": "texts" }, /shapes\.restartShare.*memory\.kind/],
    [
      { "context.kind": "summary", "context.tokens": 5000 },
      /shapes\.contextTokens.*scaffold\.maxTokens/,
    ],
    [
      { "context.kind": "state", "context.chunkCharacters": 1e6 },
      /shapes\.chunkCharacters.*scaffold\.maxObservationCharacters/,
    ],
    [
      { "participants.planner": true, "participants.planner.every": 2, "context.kind": "state" },
      /participants\.planEvery.*shapes\.context/,
    ],
    [
      { "participants.user": "policy", "participants.trainedUser": true },
      /participants\.trainUser.*credit\.key/,
    ],
    [{ "memory.kind": "q-values", "memory.items": 9 }, /memory\.items.*memory\.candidates/],
    [
      { "participants.user": "nobody" },
      /participants\.user: expected none, policy, reminder, errors or .* came "nobody"/,
    ],
    [{ "participants.user": "remindr" }, /did you mean reminder/],
    [{ "participants.judge": "./no-such.mjs" }, /participants\.judge: no module at .*no-such\.mjs/],
  ])("%o", (overrides, says) => {
    expect(() => resolveConfig({ recipe: "starter", overrides })).toThrow(says);
  });

  test.each([
    ["dpo-mcts", { "context.kind": "state" }, /algo\.collect: shapes/],
    ["starter", { "collect.every": 3 }, /shapes\.branchEvery is read only where/],
    [
      "starter",
      { "context.turns": 3 },
      /shapes\.windowTurns is read only where shapes\.context is window/,
    ],
    [
      "starter",
      { "participants.trainedUser.opposed": true },
      /participants\.opposed is read only where participants\.trainUser/,
    ],
    [
      "starter",
      { "memory.rewrites": 1 },
      /memory\.rewrites is read only where memory\.kind is texts/,
    ],
  ])("%s %o", (recipe, overrides, says) => {
    expect(() => resolveConfig({ recipe, overrides })).toThrow(says);
  });
});

test("a participant's module must export a function", async () => {
  const here = new URL("./rules.ts", import.meta.url).pathname;
  await expect(companyOf({ participants: { user: here, judge: "none" } })).rejects.toThrow(
    /participants\.user: expected .*rules\.ts to export a function/,
  );
});

test("a chain goes through the tasks of its scenario, beginning with the one that was drawn", () => {
  const task = (id: string, scenario: string) => fakeTask({ id, scenario });
  const all = [task("a0", "a"), task("b0", "b"), task("a1", "a"), task("a2", "a")];
  const links = (start: number, length: number) =>
    linksOf(all[start]!, all, length).map(({ id }) => id);
  expect(links(0, 3)).toEqual(["a0", "a1", "a2"]);
  expect(links(3, 2)).toEqual(["a2", "a0"]);
  expect(links(1, 3)).toEqual(["b0"]);
});
