/** Tests rollouts of an external agent. It plays instead of the scaffold, and a share of its rollouts may fail. */
import { setImmediate } from "node:timers/promises";
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

/** Creates a function whose callers all go on at once, when there are `size` of them. */
function createMeeting(size: number): () => Promise<void> {
  let arrived = 0;
  let goOn = () => {};
  const meeting = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  return () => {
    if (++arrived === size) goOn();
    return meeting;
  };
}

function work(): void {
  for (const end = performance.now() + 0.5; performance.now() < end; );
}

it("lets other events through when 500 rollouts begin, get samples and see results at once", async () => {
  const size = 500;
  const [opened, sampled, stepped] = Array.from({ length: 3 }, () => createMeeting(size));
  const counts = { started: 0, read: 0, observed: 0 };
  const count = (what: keyof typeof counts) => {
    work();
    counts[what] += 1;
  };
  const inner = compactScaffold();
  const scaffold: typeof inner = {
    ...inner,
    start: (task) => {
      count("started");
      return inner.start(task);
    },
    extractCode: (message) => {
      count("read");
      return inner.extractCode(message);
    },
    observe: (...args) => {
      count("observed");
      return inner.observe(...args);
    },
  };
  const meetingWorld = {
    open: async (id: string) => {
      const episode = await world.open(id);
      await opened!();
      return {
        ...episode,
        step: (code: string) => stepped!().then(() => episode.step(code)),
      };
    },
  };
  const policy = scriptedPolicy(() => sampled!().then(() => "yes"));
  const running = runAssignments(
    Array.from({ length: size }, (_, i): Assignment => {
      return { task: tasks[i % tasks.length]!, id: `1/${i}/0`, index: 0, stream: i };
    }),
    {
      ...makePlan(),
      world: meetingWorld,
      policy,
      agent: { scaffold },
      episodes: size,
    },
  );
  const most = await countMostBetweenEvents(running, counts);
  expect(counts).toEqual({ started: size, read: size, observed: size });
  // Each piece takes half a millisecond, and 20 ms may be worked without a break. A slow machine does fewer.
  for (const each of Object.values(most)) expect(each).toBeLessThan(100);
});

/** Looks at the counts whenever events come through. Returns by how much each grew at most in between. */
async function countMostBetweenEvents<T extends Record<string, number>>(
  running: Promise<unknown>,
  counts: T,
): Promise<T> {
  let isDone = false;
  void running.finally(() => {
    isDone = true;
  });
  const most: Record<string, number> = {};
  for (let before = { ...counts }; !isDone; before = { ...counts }) {
    await setImmediate();
    for (const [what, now] of Object.entries(counts)) {
      most[what] = Math.max(most[what] ?? 0, now - before[what]!);
    }
  }
  return most as T;
}
