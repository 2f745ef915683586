/** Tests runs whose actions are function calls instead of code: imitation, rollouts with participants, scores. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SMALL_RUN } from "../../../tests/support/watched-run.ts";
import { readCallsFromCell } from "../../agent/call-cells.ts";
import type { World } from "../../spec/index.ts";
import { createMemoryFolder, fakeMakers } from "../../testing/fake-makers.ts";
import { openWorld } from "../../world/index.ts";
import { builtInWorlds } from "../../worlds/index.ts";
import { evaluateWith } from "../evaluate/evaluate.ts";
import { readRollouts } from "../run/run-store.ts";
import { resolveConfig } from "../settings/resolve.ts";
import { trainWith } from "../train.ts";

let root: string;
let toyWorld: World;
beforeAll(async () => {
  root = createMemoryFolder("bowline-actions-");
  toyWorld = await openWorld(builtInWorlds["toy"]!.url.href, { seed: 1, workers: 1 });
});
afterAll(async () => {
  await toyWorld.close();
  rmSync(root, { recursive: true, force: true });
});

/** Creates makers of the toy world. Several runs share the world, so closing a run does not close it. */
const toyMakers = () =>
  fakeMakers(
    new Proxy(toyWorld, {
      get(world, name: keyof World) {
        const value = world[name];
        if (name === "close") return async () => {};
        return typeof value === "function" ? value.bind(world) : value;
      },
    }),
  );

const callsConfig = (fields: Record<string, unknown> = {}, method = "loop") => {
  const left = method === "sft-gt" ? ["algo.", "scaffold."] : ["scaffold."];
  const small = Object.entries(SMALL_RUN).filter(
    ([path]) => !left.some((of) => path.startsWith(of)),
  );
  const overrides = { ...Object.fromEntries(small), "world.name": "toy", ...fields };
  return resolveConfig({
    recipe: "smoke",
    method,
    overrides: { ...overrides, "scaffold.name": "compact-tools" },
  });
};

test("a run with function calls imitates, acts and is evaluated", async () => {
  const out = join(root, "plain");
  const { warmStart } = await trainWith(toyMakers(), callsConfig(), { out });
  expect(warmStart.demonstrations).toBe(96);
  const rollouts = readRollouts(out, "eval-after-dev-greedy");
  const cells = rollouts.flatMap(({ turns }) => turns);
  expect(cells.length).toBeGreaterThan(0);
  for (const { code, calls, status } of cells) {
    const asked = readCallsFromCell(code);
    if (asked === undefined) expect([status, calls]).toEqual(["error", []]);
    else expect(calls.length).toBeLessThanOrEqual(asked.length);
  }
});

test("a planner and a user work with function calls, after demonstrations that show a plan and a user's answers", async () => {
  const out = join(root, "shaped");
  const fields = {
    "warm.parts": ["plan", "user"],
    "participants.planner": {},
    "participants.user": "policy",
    "scaffold.maxTurns": 2,
  };
  await trainWith(toyMakers(), callsConfig(fields, "rloo"), { out });
  const [rollout] = readRollouts(out, "eval-after-dev-greedy");
  expect(rollout?.turns[0]).toMatchObject({ part: "plan", code: "" });
});

test("sft-gt imitates the tasks' solutions as function calls", async () => {
  const out = join(root, "sft");
  await trainWith(toyMakers(), callsConfig({ "algo.tasksPerIteration": 6 }, "sft-gt"), { out });
  const [first] = readRollouts(out, "train-0001");
  for (const { code, span } of first!.turns) {
    expect(readCallsFromCell(code)).toBeDefined();
    expect(span).toBeDefined();
  }
});

test("the tasks' own solutions pass with both scaffolds of function calls", async () => {
  for (const scaffold of ["compact-tools", "tools"]) {
    const { score, rollouts } = await evaluateWith(toyMakers(), {
      ...{ policy: "solution", world: "toy", split: "dev", scenarios: 2, scaffold },
    });
    expect([score.tgc, score.tasks]).toEqual([1, 6]);
    const codes = rollouts.flatMap(({ turns }) => turns.map(({ code }) => readCallsFromCell(code)));
    expect(codes).not.toContain(undefined);
  }
  const { score } = await evaluateWith(toyMakers(), {
    ...{ policy: "random", world: "toy", split: "dev", scenarios: 2, scaffold: "tools" },
  });
  expect(score.tgc).toBe(0);
});
