/** Tests how clicks and completions change the text of a query. */
import { expect, test } from "vitest";
import { completeQuery, formatTerm, setField, splitWords, toggleTerm } from "./query-text.ts";

test("words are separated by spaces outside of quotes", () => {
  expect(splitWords(' status:422 check:"nothing extra" failed "a b" ')).toEqual([
    "status:422",
    'check:"nothing extra"',
    "failed",
    '"a b"',
  ]);
  expect(splitWords('check:"half open')).toEqual(['check:"half open']);
});

test("a click adds a condition, and a second click removes it", () => {
  const term = formatTerm("check", "nothing extra");
  expect(term).toBe('check:"nothing extra"');
  const added = toggleTerm("passed:no", term);
  expect(added).toBe('passed:no check:"nothing extra"');
  expect(toggleTerm(added, term)).toBe("passed:no");
});

test("a click on a chart replaces what the query says about iterations", () => {
  expect(setField("iteration:1..3 passed:no -iteration>7", "iteration", "iteration:5")).toBe(
    "passed:no iteration:5",
  );
});

test("the last word is completed from names of fields and from values of the data", () => {
  const data = {
    fields: [
      { name: "status", meaning: "the status of a call" },
      { name: "outcome", meaning: "how it ended", values: ["finished", "failed"] },
    ],
    facets: [{ field: "outcome", values: [{ value: "finished", rollouts: 3 }], more: 0 }],
  };
  const labels = (query: string) => completeQuery(query, data).map(({ query }) => query);
  expect(labels("passed:no sta")).toEqual(["passed:no status:"]);
  expect(labels("-outcome:f")).toEqual(["-outcome:finished ", "-outcome:failed "]);
  expect(labels("outcome:finished")).toEqual([]);
  expect(labels("")).toEqual([]);
});
