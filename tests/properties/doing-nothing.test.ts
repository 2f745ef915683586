/**
 * Checks, for tasks of every built-in world, what an agent earns that changes nothing: nothing in `progress`, and the
 * share of guards in `fraction`. An answer that no task asked for makes no difference.
 */

import { describe, expect, test } from "vitest";
import { rewardOfEvaluation } from "../../src/algo/index.ts";
import { THIS_CALL } from "../../src/core/index.ts";
import { SPLITS } from "../../src/spec/index.ts";
import { Replayer } from "../../src/world/check/replay.ts";
import { loadDefinition, WorldInstance } from "../../src/world/episode/index.ts";
import { distinctWorlds } from "../support/distinct-worlds.ts";

const SCENARIOS = 4;

const worlds = await Promise.all(
  distinctWorlds.map(async ([name, url]) => {
    const world = new WorldInstance(await loadDefinition(url.href, THIS_CALL), 1);
    const ids = SPLITS.flatMap((split) =>
      Array.from({ length: Math.min(SCENARIOS, world.definition.scenarios[split] ?? 0) }, (_, i) =>
        [1, 2, 3].map((variant) => `${split}/${i}/${variant}`),
      ).flat(),
    );
    return { name, world, ids };
  }),
);

describe.each(worlds)("in $name", ({ world, ids }) => {
  const finish = (id: string, args: Readonly<Record<string, unknown>>) => {
    const start = world.prepareTask(id);
    const sessions = 1 + (start.task.sessions?.length ?? 0);
    const call = { app: "me", api: "finishTask", args };
    const { evaluation, results } = new Replayer(world, start).run(Array(sessions).fill(call));
    expect(results.every(({ status }) => status === 200)).toBe(true);
    return { evaluation, outcome: start.checks.outcome };
  };

  test("doing nothing but to finish earns 0 in `progress`, and the share of guards in `fraction`", () => {
    for (const id of ids) {
      const { evaluation } = finish(id, {});
      const { checks } = evaluation;
      const guards = checks.filter(({ label }) => label === "guard");
      expect(checks.filter(({ passed }) => passed)).toEqual(guards);
      expect(guards.length).toBeLessThan(checks.length);
      const rules = { unfinished: "score" } as const;
      expect(rewardOfEvaluation(evaluation, { ...rules, reward: "progress" })).toBe(0);
      expect(rewardOfEvaluation(evaluation, { ...rules, reward: "fraction" })).toBe(
        guards.length / checks.length,
      );
    }
  });

  test("an answer where none is asked for, and an empty answer anywhere, change no check", () => {
    for (const id of ids) {
      const { evaluation, outcome } = finish(id, {});
      const verdict = ({ checks }: typeof evaluation) =>
        checks.map(({ name, passed }) => [name, passed]);
      const isAsked = outcome.answer !== undefined || outcome.impossible;
      for (const answer of [null, "", "  ", ...(isAsked ? [] : ["Done.", 0, false, ["a"]])]) {
        expect(verdict(finish(id, { answer }).evaluation)).toEqual(verdict(evaluation));
      }
    }
  });
});
