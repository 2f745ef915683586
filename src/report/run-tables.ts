/** Turns the scores and the usage of a finished run into text tables, for its report. */
import type { Summary, UsageSummary } from "../spec/index.ts";
import type { TextTable } from "./comparison-tables.ts";
import { formatChange, formatPercent } from "./format.ts";
import {
  type DifficultyScore,
  formatTgc,
  listDifficultyRows,
  listScoreRows,
} from "./score-rows.ts";
import { formatCost, formatTokenCount } from "./usage-text.ts";

const textColumn = (title: string) => ({ title });
const numberColumn = (title: string) => ({ title, align: "right" as const });

const CHANGE_COLUMNS = ["TGC before", "TGC after", "points", "SGC before", "SGC after", "points"];

/** Returns the scores of every split before and after training. */
export function scoreChangeTable(summary: Pick<Summary, "before" | "after">): TextTable {
  return {
    columns: ["split", "decoding"].map(textColumn).concat(CHANGE_COLUMNS.map(numberColumn)),
    rows: listScoreRows(summary).map(({ split, mode, before, after }) => [
      split,
      mode,
      ...changeCells(formatTgc(before), formatTgc(after), before, after),
    ]),
  };
}

/** Returns the greedy scores before and after training by the difficulty of tasks. */
export function difficultyChangeTable(summary: Pick<Summary, "before" | "after">): TextTable {
  return {
    columns: ["split", "difficulty"]
      .map(textColumn)
      .concat(["share of tasks", ...CHANGE_COLUMNS].map(numberColumn)),
    rows: listDifficultyRows(listScoreRows(summary)).map(
      ({ split, level, share, before, after }) => [
        split,
        level,
        `${formatPercent(share)}%`,
        ...changeCells(formatPercent(before.tgc), formatPercent(after.tgc), before, after),
      ],
    ),
  };
}

function changeCells(
  tgcBefore: string,
  tgcAfter: string,
  before: DifficultyScore,
  after: DifficultyScore,
): string[] {
  return [
    tgcBefore,
    tgcAfter,
    formatChange(before.tgc, after.tgc),
    formatPercent(before.sgc),
    formatPercent(after.sgc),
    formatChange(before.sgc, after.sgc),
  ];
}

const PHASE_NAMES: { readonly [phase: string]: string } = {
  warm: "warm start",
  before: "evaluation before training",
  collect: "training rollouts",
  learn: "learning",
  evaluate: "later evaluations",
};

/** Returns how many tokens each phase of the run used. */
export function phaseUsageTable({ phases }: UsageSummary): TextTable {
  return {
    columns: [textColumn("phase"), ...TOKEN_COLUMNS.map(numberColumn)],
    rows: Object.entries(phases).map(([name, tokens]) => [
      PHASE_NAMES[name] ?? name,
      ...tokenCells(tokens),
    ]),
  };
}

/** Returns how many tokens the most expensive tasks used, and their cost if tokens have a price. */
export function taskUsageTable({ tasks, cost }: UsageSummary): TextTable {
  const isPriced = cost !== undefined;
  return {
    columns: [
      textColumn("task"),
      ...["rollouts", ...TOKEN_COLUMNS, ...(isPriced ? ["cost"] : [])].map(numberColumn),
    ],
    rows: tasks.map(({ task, rollouts, cost = 0, ...tokens }) => [
      task,
      String(rollouts),
      ...tokenCells(tokens),
      ...(isPriced ? [formatCost(cost)] : []),
    ]),
  };
}

const TOKEN_COLUMNS = ["prompt", "cached", "sampled", "trained"];

function tokenCells({
  prefill,
  cached,
  sampled,
  trained,
}: Pick<UsageSummary, "prefill" | "cached" | "sampled" | "trained">): string[] {
  return [prefill, cached, sampled, trained].map(formatTokenCount);
}
