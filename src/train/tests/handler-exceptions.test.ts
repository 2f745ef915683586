import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Episode, type Rollout, rolloutSchema, type World } from "../../spec/index.ts";
import { createMemoryFolder, FAKE_RUN, fakeMakers } from "../../testing/fake-makers.ts";
import { fakeWorld } from "../../testing/fake-world.ts";
import type { TrainEvent } from "../run/events.ts";
import { resolveConfig } from "../settings/resolve.ts";
import { trainWith } from "../train.ts";

let root: string;
beforeEach(() => {
  root = createMemoryFolder("bowline-exceptions-");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const config = resolveConfig({
  recipe: "smoke",
  overrides: {
    ...FAKE_RUN,
    "world.trainScenarios": 4,
    "algo.iterations": 2,
    "algo.tasksPerIteration": 4,
    "algo.groupSize": 3,
    "algo.minibatch": 16,
    "evaluation.scenarios": 2,
  },
});

const fault = { message: "threw TypeError: oops", at: "my-world.ts:41:13" };
const call = { app: "shop", api: "buy", args: { id: 3 }, status: 500, wrote: false, fault };

/** Returns the fake world with a handler that throws when the agent says "no". */
function createBrokenWorld(): World {
  const world = fakeWorld();
  const withFaultyHandler = (episode: Episode): Episode => ({
    ...episode,
    async step(code, signal) {
      const result = await episode.step(code, signal);
      return code === "no" ? { ...result, calls: [call] } : result;
    },
  });
  return { ...world, open: async (id) => withFaultyHandler(await world.open(id)) };
}

const readJsonLines = (path: string) =>
  readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

test("exceptions of the world's handlers are counted in metrics and summary, and the first is a warning", async () => {
  const events: TrainEvent[] = [];
  const summary = await trainWith(fakeMakers(createBrokenWorld()), config, {
    out: root,
    onEvent: (event) => events.push(event),
  });
  const files = ["train-0001", "train-0002", "eval-before-dev-greedy", "eval-after-dev-greedy"];
  const all = ["eval-before-test-normal-greedy", "eval-after-test-normal-greedy", ...files];
  const countFaults = (name: string) =>
    readJsonLines(join(root, "rollouts", `${name}.jsonl`))
      .map((line): Rollout => rolloutSchema.parse(line))
      .flatMap((rollout) => rollout.turns.flatMap((turn) => turn.calls))
      .filter((made) => made.fault?.at === fault.at).length;
  const metrics = readJsonLines(join(root, "metrics.jsonl")).filter(
    ({ phase }) => phase === "loop",
  );
  expect(countFaults("train-0001")).toBeGreaterThan(0);
  expect(metrics.map((line) => line["world/handler_exceptions"] ?? 0)).toEqual([
    countFaults("train-0001"),
    countFaults("train-0002"),
  ]);
  expect(summary.handlerExceptions).toEqual({
    count: all.reduce((sum, name) => sum + countFaults(name), 0),
    first: expect.stringMatching(
      /^shop\.buy\(\{"id":3\}\) threw TypeError: oops at my-world\.ts:41:13 \(task (dev|test-normal)\/\d\/\d\)$/,
    ),
  });
  const warnings = events.filter((event) => event.type === "warning");
  expect(warnings).toEqual([
    { type: "warning", text: expect.stringContaining(`${fault.message} at ${fault.at}`) },
  ]);
  const second = await trainWith(fakeMakers(createBrokenWorld()), config, { out: root });
  expect(second.handlerExceptions).toEqual(summary.handlerExceptions);
});

test("a run in a world without bugs reports no handler exceptions", async () => {
  const summary = await trainWith(fakeMakers(), config, { out: root });
  expect(summary).not.toHaveProperty("handlerExceptions");
  expect(readFileSync(join(root, "metrics.jsonl"), "utf8")).not.toContain("handler_exceptions");
});
