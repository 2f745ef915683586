/** Tests the language of queries, on the facts of rollouts. */
import { describe, expect, test } from "vitest";
import type { Rollout } from "../../spec/index.ts";
import { fakeRollout, fakeTokens, fakeTurn } from "../../testing/fake-rollout.ts";
import { PAPER_REWARD } from "../rewards.ts";
import { matchesFacts, matchesText } from "./match-query.ts";
import { parseQuery } from "./parse-query.ts";
import { describeQueryFields, QUERY_FIELDS } from "./query-fields.ts";
import { collectFacts, placeFacts } from "./rollout-facts.ts";

const call = (app: string, api: string, status: number) => ({
  app,
  api,
  args: {},
  status,
  wrote: false,
});

const rollout: Rollout = {
  ...fakeRollout({
    id: "5/3/1",
    taskId: "dev/3/1",
    index: 1,
    tokens: fakeTokens([0, 1, 1, 1]),
    turns: [
      fakeTurn({
        message: "I refund it.\n```js\npay.request()\n```",
        code: "pay.request()",
        observation: "422: no such Person",
        status: "error",
        calls: [call("pay", "request", 422)],
      }),
      fakeTurn({ code: "docs.find()", observation: "[]", calls: [call("docs", "find", 200)] }),
    ],
  }),
  evaluation: {
    passed: false,
    finished: true,
    checks: [
      { name: "nothing extra changed", label: "guard", passed: false },
      { name: "pay.payments: added", label: "progress", passed: true },
    ],
  },
};
const facts = placeFacts(
  collectFacts(rollout, PAPER_REWARD),
  { run: "runs/a", file: "train-0005" },
  {
    advantage: -0.25,
  },
);

const matches = (query: string) =>
  matchesFacts(parseQuery(query), facts) && matchesText(parseQuery(query), rollout);

describe("a query matches", () => {
  test.each([
    "",
    "status:422 outcome:finished",
    "status:422,500",
    "api:pay.request",
    "api:pay",
    "API.PAY".toLowerCase().replace(".", ":"),
    'check:"nothing extra" failed',
    "check:nothing",
    "check:payments passed",
    "iteration:5..8",
    "iteration:..5",
    "iteration:5..",
    "return<0.6 return>=0.5 return:0.5",
    "advantage<0",
    "tokens>2 tokens<=3",
    "has:notes,failure",
    "phase:train -phase:after",
    "task:dev/3",
    "run:a",
    "passed:no turns:2 errors:1 calls:2",
    "-mode:greedy",
    "REFUND",
    '"no such person"',
    '-"no such thing"',
  ])("%s", (query) => {
    expect(matches(query)).toBe(true);
  });
});

describe("a query does not match", () => {
  test.each([
    "status:404",
    "status:422 outcome:turn-limit",
    "-status:422",
    "api:pa",
    "api:request",
    'check:"nothing extra" passed',
    "check:payments failed",
    "-check:nothing",
    "iteration:6..8",
    "iteration<5",
    "return>0.5",
    "has:failure",
    "task:dev/31",
    "task:dev/3/11",
    "passed:yes",
    "-refund",
    "mode:T1",
  ])("%s", (query) => {
    expect(matches(query)).toBe(false);
  });
});

test("a number that a rollout does not have matches no range, and every negated one", () => {
  const { return: _, ...unscored } = facts;
  expect(matchesFacts(parseQuery("return<2"), unscored)).toBe(false);
  expect(matchesFacts(parseQuery("-return<2"), unscored)).toBe(true);
});

test.each([
  [
    "retrn<1",
    /no field retrn \(did you mean return\?\); to search for the text, write it in quotes/,
  ],
  ["http://a", /no field http/],
  ["return<much", /return compares numbers, and "much" is none: write return:5/],
  ["return:1..2..3", /return compares numbers/],
  ["return:..", /return compares numbers/],
  ["return:", /return compares numbers/],
  ["outcome:done", /outcome is one of finished, turn-limit, .*, and not done/],
  ["api<3", /api is not a number: write api:3/],
  ["api:", /api: has no value/],
  ['check:"nothing', /a quote is opened and not closed/],
  ["-", /a minus or a pair of quotes stands alone/],
  ['""', /a minus or a pair of quotes stands alone/],
])("the query %s is refused with a reason", (query, reason) => {
  expect(() => parseQuery(query)).toThrow(reason);
});

test("random text is either refused by a config error or parsed", () => {
  const pieces = ["-", '"', "a", ":", "<", "=", ",", "..", "5", " ", "check", "api", "return", "é"];
  let state = 1;
  const draw = () => {
    state = (state * 48_271) % 2_147_483_647;
    return pieces[state % pieces.length]!;
  };
  for (let i = 0; i < 3000; i++) {
    const query = Array.from({ length: 1 + (i % 12) }, draw).join("");
    try {
      matches(query);
    } catch (error) {
      expect(error, query).toMatchObject({ name: "BowlineError", code: "config" });
    }
  }
});

test("every field is described, and reads values of its kind", () => {
  const lines = describeQueryFields();
  for (const [name, { kind, read }] of Object.entries(QUERY_FIELDS)) {
    expect(lines.filter((line) => line.startsWith(`  ${name} `))).toHaveLength(1);
    const expected = kind === "number" ? "number" : "string";
    for (const value of read(facts)) expect(typeof value, name).toBe(expected);
  }
});
