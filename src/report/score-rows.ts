/**
 * Turns the scores of a summary into rows, before and after training, which the terminal and the pages show as tables.
 * It also names the numbers of an evaluation's behaviour analysis (`src/algo/behaviour.ts`).
 */

import type { Score, Summary } from "../spec/index.ts";
import { formatPercent } from "./format.ts";

export interface ScoreRow {
  readonly split: string;
  readonly mode: string;
  readonly before: Score;
  readonly after: Score;
}

/**
 * Returns the scores that exist both before and after training: greedy first, then sampled at temperature 1 (`dev@T1`).
 */
export function listScoreRows(summary: Pick<Summary, "before" | "after">): ScoreRow[] {
  return Object.entries(summary.before)
    .flatMap(([key, before]) => {
      const after = summary.after[key];
      const [split = key, mode] = key.split("@");
      return after ? [{ split, mode: mode ? "T = 1" : "greedy", before, after }] : [];
    })
    .sort((a, b) => a.split.localeCompare(b.split) || a.mode.localeCompare(b.mode) * -1)
    .sort((a, b) => Number(a.mode !== "greedy") - Number(b.mode !== "greedy"));
}

/** Formats TGC (the share of tasks that pass) with its interval in percent, such as "43.3 [36, 51]". */
export function formatTgc(score: Score): string {
  const [low, high] = score.tgcInterval;
  return `${formatPercent(score.tgc)} [${Math.round(low * 100)}, ${Math.round(high * 100)}]`;
}

export interface DifficultyScore {
  readonly tgc: number;
  readonly sgc: number;
}

export interface DifficultyRow {
  readonly split: string;
  readonly level: string;
  readonly share: number;
  readonly before: DifficultyScore;
  readonly after: DifficultyScore;
}

/** Returns the greedy scores by difficulty, one row for each split and difficulty. */
export function listDifficultyRows(rows: readonly ScoreRow[]): DifficultyRow[] {
  return rows
    .filter(({ mode }) => mode === "greedy")
    .flatMap(({ split, before, after }) =>
      Object.entries(after.byDifficulty).flatMap(([level, score]) => {
        const earlier = before.byDifficulty[level];
        return earlier ? [{ split, level, share: score.share, before: earlier, after: score }] : [];
      }),
    );
}

/**
 * Returns the evaluation whose behaviour is shown: the greedy one on test-normal if there is one, otherwise the first
 * one.
 */
export function chooseBehaviourRow(rows: readonly ScoreRow[]): ScoreRow | undefined {
  return rows.find(({ split, mode }) => split === "test-normal" && mode === "greedy") ?? rows[0];
}

/** Returns the names of the behaviours that occur before or after training. */
export function listBehaviours({ before, after }: ScoreRow): string[] {
  const names = new Set([...Object.keys(before.behaviour), ...Object.keys(after.behaviour)]);
  return [...names].filter((name) => before.behaviour[name] || after.behaviour[name]);
}

/** Formats the name of a behaviour: `docs_calls` becomes "docs calls", and `api_calls` "API calls". */
export function formatBehaviourName(name: string): string {
  return name.replaceAll("_", " ").replace(/^api\b/, "API");
}
