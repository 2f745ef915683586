import { expect, test } from "vitest";
import type { Score, Summary } from "../spec/index.ts";
import { pageStyles } from "./page-style.ts";
import { listScoreRows } from "./score-rows.ts";
import { renderScoresSection } from "./scores-section.ts";

const makeScore = (behaviour: Score["behaviour"]): Score => ({
  ...{ tgc: 0.5, sgc: 0.5, tgcInterval: [0.4, 0.6], tasks: 6, scenarios: 2 },
  ...{ byDifficulty: {}, reward: 0.5, behaviour },
});

/** Renders behaviour before and after training, and returns the styles of the bars of each row. */
function readBars(before: Score["behaviour"], after: Score["behaviour"]) {
  const scores = { before: { dev: makeScore(before) }, after: { dev: makeScore(after) } };
  const { source } = renderScoresSection(scores as unknown as Summary);
  const rows = source.split('<table class="behaviour">')[1]!.split("</tr>").slice(1, -1);
  return rows.map((row) => [...row.matchAll(/<i class="\w+" style="([^"]*)"/g)].map(([, s]) => s));
}

test("scores of greedy sampling come before those at temperature 1, each sorted by split", () => {
  const keys = ["test-normal@T1", "test-normal", "dev@T1", "dev"];
  const scores = Object.fromEntries(keys.map((key) => [key, makeScore({})]));
  const rows = listScoreRows({ before: scores, after: scores } as unknown as Summary);
  expect(rows.map(({ split, mode }) => `${split} ${mode}`)).toEqual([
    "dev greedy",
    "test-normal greedy",
    "dev T = 1",
    "test-normal T = 1",
  ]);
});

test("bars of behaviour are as long as their values on the scale of their row", () => {
  const bars = readBars(
    { turns: 1.25, failed_calls: 0.2, code_characters: 3000, balance: -1 },
    { turns: 1.5, failed_calls: 0.1, code_characters: 0, balance: 3 },
  );
  expect(bars).toEqual([
    ["left:0%;width:83.33%", "left:0%;width:100%"],
    ["left:0%;width:100%", "left:0%;width:50%"],
    ["left:0%;width:100%", "left:0%;width:0%"],
    ["left:0%;width:25%", "left:25%;width:75%"],
  ]);
});

test("no rule of the page limits the length of a bar", () => {
  const rules = pageStyles.match(/\.bar[^{]*\{[^}]*\}/g)!;
  expect(rules.length).toBeGreaterThan(2);
  expect(rules.filter((rule) => /(max|min)-width/.test(rule))).toEqual([]);
});
