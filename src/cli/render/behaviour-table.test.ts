import { expect, test } from "vitest";
import { createSyntheticSummary } from "../../../tests/e2e/support/synthetic-run.ts";
import { listScoreRows } from "../../report/index.ts";
import { renderBehaviourTable } from "./behaviour-table.ts";

test("the behaviour table shows the greedy evaluation on test-normal and leaves out behaviour that never occurs", () => {
  const rows = listScoreRows(createSyntheticSummary()).map((row) => ({
    ...row,
    before: {
      ...row.before,
      behaviour: { docs_calls: 0.5, assume_mentions: 2, dummy_mentions: 0 },
    },
    after: { ...row.after, behaviour: { docs_calls: 0.75, assume_mentions: 0, give_up_rate: 0.1 } },
  }));
  const text = renderBehaviourTable(rows, (_, value) => value);
  expect(text).toMatch(/behaviour on test-normal, greedy +before +after/);
  expect(text).toMatch(
    /docs calls +0\.5 +0\.75\n +assume mentions +2 +0\n +give up rate +0 +0\.1$/,
  );
  expect(renderBehaviourTable([], (_, value) => value)).toBe("");
  const silent = rows.map((row) => ({
    ...row,
    before: { ...row.before, behaviour: { docs_calls: 0 } },
    after: { ...row.after, behaviour: { docs_calls: 0 } },
  }));
  expect(renderBehaviourTable(silent, (_, value) => value)).toBe("");
});
