import { expect, test } from "vitest";
import type { Turn } from "../../src/spec/index.ts";
import { fakeRollout } from "../../src/testing/fake-rollout.ts";
import { heldOut, pairsOf } from "./held-out-measures.ts";

const turn = (code: string, observation = ""): Turn => ({
  message: code,
  code,
  observation,
  status: "ok",
  calls: [],
});

function rollout(signature: string, passed: boolean, turns: readonly Turn[], instruction = "Go.") {
  const plain = fakeRollout({ checks: [passed], turns: [...turns] });
  return { ...plain, task: { ...plain.task, signature, instruction } };
}

test("a signature of two actions has two pairs, one of the count one", () => {
  expect(pairsOf("people.named > pay + mail")).toEqual([
    "people.named > pay",
    "people.named > mail",
  ]);
  expect(pairsOf("notes.about > count")).toEqual(["notes.about > count"]);
  expect(() => pairsOf("handmade")).toThrow("no signature of a selector: handmade");
});

test("tasks are told apart by whether all of their pairs were trained", () => {
  const trained = new Set(["people.named > pay", "people.named > mail"]);
  const rollouts = [
    rollout("people.named > pay + mail", true, []),
    rollout("people.named > pay", false, []),
    rollout("people.named > pay + block", false, []),
  ];
  expect(heldOut(rollouts, trained)).toMatchObject({
    trainedPairs: { count: 1, all: 2 },
    newPairs: { count: 0, all: 1 },
  });
});

test("a name is copied when the task or an earlier observation has it, and miscopied otherwise", () => {
  const task = "Pay Una Orlova 5.";
  const from = (...turns: Turn[]) => rollout("people.named > pay", true, turns, task);
  const rollouts = [
    from(turn(`find("Una Orlova")`)),
    from(turn(`find('Una Orlov')`)),
    from(turn("list()", "Kim Bell"), turn(`find("Kim Bell")`)),
    // What is read after it was written does not count.
    from(turn(`find("Kim Bell")`, "Kim Bell")),
    from(turn(`find("una")`)),
  ];
  expect(heldOut(rollouts, new Set()).miscopied).toEqual({ count: 2, all: 4 });
});

test("failures are of unmastered signatures where at most a third of these pass", () => {
  const [one, other] = ["people.named > pay", "people.named > block"];
  const rollouts = [
    ...[true, false].map((passed) => rollout(one!, passed, [])),
    ...[true, false, false].map((passed) => rollout(other!, passed, [])),
  ];
  expect(heldOut(rollouts, new Set())).toMatchObject({
    unmastered: { count: 2, all: 3 },
    signatures: ["people.named > block"],
  });
});
