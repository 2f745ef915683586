/** Turns the score of one evaluation into text tables, which the terminal and the studio show. */
import type { Score } from "../spec/index.ts";
import type { TextTable } from "./comparison-tables.ts";
import { formatCompact, formatPercent } from "./format.ts";
import { formatBehaviourName, formatTgc } from "./score-rows.ts";

/** Returns the scores of all tasks in the first row, then one row for each difficulty. */
export function scoreTable(score: Score): TextTable {
  const levels = Object.entries(score.byDifficulty).map(([level, part]) => [
    `difficulty ${level}`,
    `${formatPercent(part.share)}%`,
    formatPercent(part.tgc),
    formatPercent(part.sgc),
  ]);
  return {
    columns: [
      { title: "" },
      { title: "tasks", align: "right" },
      { title: "TGC", align: "right" },
      { title: "SGC", align: "right" },
    ],
    rows: [["all", String(score.tasks), formatTgc(score), formatPercent(score.sgc)], ...levels],
  };
}

export function behaviourTable({ behaviour }: Score): TextTable {
  return {
    columns: [{ title: "behaviour" }, { title: "", align: "right" }],
    rows: Object.entries(behaviour).map(([name, value]) => [
      formatBehaviourName(name),
      formatCompact(value),
    ]),
  };
}

/** Returns a line such as "180 tasks, 60 scenarios, mean reward 0.612". */
export function describeScore({ tasks, scenarios, reward }: Score): string {
  return `${tasks} tasks, ${scenarios} scenarios, mean reward ${reward.toFixed(3)}`;
}
