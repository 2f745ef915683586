/** Tests the comparison of the habits of two evaluations. */
import { expect, test } from "vitest";
import type { Rollout } from "../../src/spec/index.ts";
import { fakeRollout } from "../../src/testing/fake-rollout.ts";
import { compareHabits, measureHabits } from "./habits.ts";

const turn = { observation: "", status: "ok" as const };
const makeRollout = (scenario: number, message: string, code = "x = 1"): Rollout => {
  const rollout = fakeRollout({ turns: [{ ...turn, message, code, calls: [] }] });
  return { ...rollout, task: { ...rollout.task, id: `task-${scenario}`, scenario: `${scenario}` } };
};

test("lookups of documentation are counted in the text of the code, whether or not they ran", () => {
  const code = "docs.show('pay'); if (false) docs.search ('x'); apis.api_docs.show_api_doc(1)";
  expect(measureHabits([makeRollout(1, "", code)])).toMatchObject({
    docs_mentions: 3,
    docs_calls: 0,
  });
});

test("a change of a habit has an interval over scenarios, and tasks of one evaluation alone do not count", () => {
  const before = [1, 2, 3, 4].map((n) => makeRollout(n, "I assume a dummy ".repeat(n)));
  const after = [1, 2, 3].map((n) => makeRollout(n, "I assume so"));
  const changes = compareHabits(before, after);
  const assumed = changes.find(({ habit }) => habit === "assume_mentions")!;
  expect(assumed).toMatchObject({ before: 2, after: 1, scenarios: 3 });
  // The changes are 0, -1 and -2, so the half width is 4.303 / sqrt(3).
  expect(assumed.interval![0]).toBeCloseTo(-1 - 2.4843, 3);
  expect(assumed.interval![1]).toBeCloseTo(-1 + 2.4843, 3);
});

test("the rate of giving up is unknown where nothing failed", () => {
  const changes = compareHabits([makeRollout(1, "a")], [makeRollout(1, "b")]);
  expect(changes.map(({ habit }) => habit)).not.toContain("give_up_rate");
  expect(changes[0]).toMatchObject({ habit: "docs_mentions", interval: undefined });
});
