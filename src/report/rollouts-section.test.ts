import { expect, test } from "vitest";
import type { Rollout } from "../spec/index.ts";
import { renderRolloutsSection } from "./rollouts-section.ts";

const turn = (fields: object) => ({
  message: "",
  code: "",
  observation: "",
  status: "ok",
  calls: [],
  ...fields,
});

/** A rollout with two rows. The first has an action and a summary, and the second has another action. */
const rollout = {
  version: 2,
  id: "1/0/0",
  task: {
    id: "t",
    scenario: "s",
    split: "train",
    difficulty: 1,
    signature: "x",
    instruction: "Do it",
  },
  turns: [
    turn({
      message: "a()",
      code: "a()",
      observation: "1",
      span: [1, 2],
      heard: [{ from: "user", text: "and b" }],
    }),
    turn({ message: "did a", part: "summary", span: [2, 3] }),
    turn({ message: "b()", code: "b()", observation: "2", span: [1, 2], segment: 1 }),
  ],
  tokens: { ids: [10, 11, 12], mask: [0, 1, 1], logprobs: [0, -1, -1] },
  segments: [{ ids: [20, 21], mask: [0, 1], logprobs: [0, -1] }],
  outcome: "finished",
} as unknown as Rollout;

test("the tokens of a turn are taken from the row to which the turn belongs", () => {
  const notes = new Map([1, 2, 4].map((at) => [at, { advantage: 1, ratio: 1 }]));
  const shown = [{ rollout, phase: "train", label: "iteration 1", notes }];
  const page = String(renderRolloutsSection(shown as never, (id) => `token${id}`));
  const tinted = [...page.matchAll(/class="token"[^>]*>([^<]*)</g)].map(([, text]) => text);
  expect(tinted).toEqual(["token11", "token12", "token21"]);
});
