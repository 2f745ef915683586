import { expect, test } from "vitest";
import type { Turn } from "../../src/spec/index.ts";
import { fakeRollout } from "../../src/testing/fake-rollout.ts";
import { listPairs, measureHeldOut } from "./held-out-measures.ts";

const createTurn = (code: string, observation = ""): Turn => ({
  message: code,
  code,
  observation,
  status: "ok",
  calls: [],
});

function createRollout(
  signature: string,
  passed: boolean,
  turns: readonly Turn[],
  instruction = "Go.",
) {
  const plain = fakeRollout({ checks: [passed], turns: [...turns] });
  return { ...plain, task: { ...plain.task, signature, instruction } };
}

test("a signature of two actions has two pairs of selector and action", () => {
  expect(listPairs("people.named > pay + mail")).toEqual([
    "people.named > pay",
    "people.named > mail",
  ]);
  expect(listPairs("notes.about > count")).toEqual(["notes.about > count"]);
  expect(() => listPairs("handmade")).toThrow(
    'expected a signature "selector > actions", got handmade',
  );
});

test("passed tasks are counted separately for tasks whose pairs occur in training and for tasks with a new pair", () => {
  const trained = new Set(["people.named > pay", "people.named > mail"]);
  const rollouts = [
    createRollout("people.named > pay + mail", true, []),
    createRollout("people.named > pay", false, []),
    createRollout("people.named > pay + block", false, []),
  ];
  expect(measureHeldOut(rollouts, trained)).toMatchObject({
    trainedPairs: { count: 1, all: 2 },
    newPairs: { count: 0, all: 1 },
  });
});

test("a name in the code counts as miscopied unless the task or an earlier observation contains it", () => {
  const task = "Pay Una Orlova 5.";
  const rolloutWith = (...turns: Turn[]) => createRollout("people.named > pay", true, turns, task);
  const rollouts = [
    rolloutWith(createTurn(`find("Una Orlova")`)),
    rolloutWith(createTurn(`find('Una Orlov')`)),
    rolloutWith(createTurn("list()", "Kim Bell"), createTurn(`find("Kim Bell")`)),
    // The agent reads this name only after it has written the name.
    rolloutWith(createTurn(`find("Kim Bell")`, "Kim Bell")),
    rolloutWith(createTurn(`find("una")`)),
  ];
  expect(measureHeldOut(rollouts, new Set()).miscopied).toEqual({ count: 2, all: 4 });
});

test("a signature of which at most a third of the rollouts pass counts as unmastered", () => {
  const [one, other] = ["people.named > pay", "people.named > block"];
  const rollouts = [
    ...[true, false].map((passed) => createRollout(one!, passed, [])),
    ...[true, false, false].map((passed) => createRollout(other!, passed, [])),
  ];
  expect(measureHeldOut(rollouts, new Set())).toMatchObject({
    unmastered: { count: 2, all: 3 },
    signatures: ["people.named > block"],
  });
});
