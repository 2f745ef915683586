/** One evaluation's score as tables of text: what the terminal and the studio both show. */
import type { Score } from "../spec/index.ts";
import type { TextTable } from "./comparison-tables.ts";
import { behaviourWords, withInterval } from "./score-rows.ts";
import { compact, percent } from "./words.ts";

/** All tasks first, then each difficulty. */
export function scoreTable(score: Score): TextTable {
  const levels = Object.entries(score.byDifficulty).map(([level, part]) => [
    `difficulty ${level}`,
    `${percent(part.share)}%`,
    percent(part.tgc),
    percent(part.sgc),
  ]);
  return {
    columns: [
      { title: "" },
      { title: "of tasks", align: "right" },
      { title: "TGC", align: "right" },
      { title: "SGC", align: "right" },
    ],
    rows: [["all", String(score.tasks), withInterval(score), percent(score.sgc)], ...levels],
  };
}

export function behaviourTable({ behaviour }: Score): TextTable {
  return {
    columns: [{ title: "behaviour" }, { title: "", align: "right" }],
    rows: Object.entries(behaviour).map(([name, value]) => [behaviourWords(name), compact(value)]),
  };
}

/** `180 tasks, 60 scenarios, mean reward 0.612` */
export function scoreFacts({ tasks, scenarios, reward }: Score): string {
  return `${tasks} tasks, ${scenarios} scenarios, mean reward ${reward.toFixed(3)}`;
}
