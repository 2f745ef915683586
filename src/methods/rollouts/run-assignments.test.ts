/** Tests rollouts of an external agent. It plays instead of the scaffold, and a share of its rollouts may fail. */
import { expect, it } from "vitest";
import { compactScaffold, runTask } from "../../agent/index.ts";
import type { Rollout } from "../../spec/index.ts";
import { fakeRollout, fakeWorld, scriptedPolicy } from "../../testing/index.ts";
import { type Assignment, type RolloutPlan, runAssignments } from "./run-assignments.ts";

const world = fakeWorld();
const tasks = world.tasks("train", 4);
const assignments = tasks
  .slice(0, 10)
  .map((task, i): Assignment => ({ task, id: `1/${i}/0`, index: 0, stream: i }));
const makePlan = (agent: Partial<RolloutPlan["agent"]> = {}): RolloutPlan => ({
  world,
  policy: scriptedPolicy(() => "yes"),
  agent: { scaffold: compactScaffold(), ...agent },
  temperature: 1,
  maxTurns: 2,
  episodes: 4,
});
const makeLate = (id: string): Rollout =>
  fakeRollout({
    id,
    outcome: "failed",
    failure: { boundary: "agent", code: "time", message: "", retryable: false },
  });
const makeFailed = (boundary: "agent" | "policy"): Partial<Rollout> => ({
  outcome: "failed",
  failure: { boundary, code: "TypeError", message: "no such key", retryable: false },
});

it("an external agent plays instead of the scaffold", async () => {
  const asked: string[] = [];
  const rollouts = await runAssignments(
    assignments,
    makePlan({
      player: {
        maxFailed: 0,
        play: (of, task, options) => {
          asked.push(`${task.id} ${options.id} ${options.stream} ${options.maxTurns}`);
          return runTask(of, task, options);
        },
      },
    }),
  );
  expect(asked).toContain("train/0/1 1/1/0 1 2");
  expect(rollouts).toEqual(await runAssignments(assignments, makePlan()));
});

it("collecting throws when more of an external agent's rollouts fail than the allowed share", async () => {
  const playWithFailures = (failing: number, boundary: "agent" | "policy" = "agent") =>
    runAssignments(
      assignments,
      makePlan({
        player: {
          maxFailed: 0.2,
          play: async (_, __, { id }) =>
            fakeRollout({ id, ...(Number(id.split("/")[1]) < failing && makeFailed(boundary)) }),
        },
      }),
    );
  expect((await playWithFailures(2)).filter(({ outcome }) => outcome === "failed")).toHaveLength(2);
  await expect(playWithFailures(3)).rejects.toThrow(
    /3 of 10 rollouts failed.*at the agent: no such key/,
  );
  await expect(playWithFailures(1, "policy")).rejects.toThrow(
    /1 of 10 rollouts failed.*at the policy/,
  );
});

it("a stored rollout that took too long stands, unless so many did that they ended the run", async () => {
  const playAfter = async (late: number) => {
    const played: string[] = [];
    await runAssignments(assignments, {
      ...makePlan({
        player: {
          maxFailed: 0.2,
          play: async (_, __, { id }) => {
            played.push(id);
            return fakeRollout({ id });
          },
        },
      }),
      journal: {
        find: ({ id }) => (Number(id.split("/")[1]) < late ? makeLate(id) : undefined),
        add: () => {},
      },
    });
    return played.length;
  };
  expect(await playAfter(2)).toBe(8);
  expect(await playAfter(3)).toBe(10);
});
