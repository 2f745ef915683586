/**
 * The scores of a summary as rows, before and after training: what a table in the terminal and one in a page both show.
 * Last, the names of what the agent does: the behaviour analysis of an evaluation (`src/algo/behaviour.ts`).
 */

import type { Score, Summary } from "../spec/index.ts";
import { percent } from "./words.ts";

export interface ScoreRow {
  readonly split: string;
  readonly mode: string;
  readonly before: Score;
  readonly after: Score;
}

/** Pairs of scores that both halves of a summary have: greedy first, then sampled at temperature 1 (`dev@T1`). */
export function scoreRows(summary: Pick<Summary, "before" | "after">): ScoreRow[] {
  return Object.entries(summary.before)
    .flatMap(([key, before]) => {
      const after = summary.after[key];
      const [split = key, mode] = key.split("@");
      return after ? [{ split, mode: mode ? "T = 1" : "greedy", before, after }] : [];
    })
    .sort((a, b) => a.split.localeCompare(b.split) || a.mode.localeCompare(b.mode) * -1)
    .sort((a, b) => Number(a.mode !== "greedy") - Number(b.mode !== "greedy"));
}

/** "43.3 [36, 51]" */
export function withInterval(score: Score): string {
  const [low, high] = score.tgcInterval;
  return `${percent(score.tgc)} [${Math.round(low * 100)}, ${Math.round(high * 100)}]`;
}

export interface LevelScore {
  readonly tgc: number;
  readonly sgc: number;
}

export interface DifficultyRow {
  readonly split: string;
  readonly level: string;
  readonly share: number;
  readonly before: LevelScore;
  readonly after: LevelScore;
}

/** Greedy scores by difficulty, one row a split and difficulty. */
export function difficultyRows(rows: readonly ScoreRow[]): DifficultyRow[] {
  return rows
    .filter(({ mode }) => mode === "greedy")
    .flatMap(({ split, before, after }) =>
      Object.entries(after.byDifficulty).flatMap(([level, score]) => {
        const earlier = before.byDifficulty[level];
        return earlier ? [{ split, level, share: score.share, before: earlier, after: score }] : [];
      }),
    );
}

/** The evaluation whose behaviour is shown: greedy on test-normal, else the first. */
export function behaviourRow(rows: readonly ScoreRow[]): ScoreRow | undefined {
  return rows.find(({ split, mode }) => split === "test-normal" && mode === "greedy") ?? rows[0];
}

/** Names of what happens at all, before or after. */
export function behaviourNames({ before, after }: ScoreRow): string[] {
  const names = new Set([...Object.keys(before.behaviour), ...Object.keys(after.behaviour)]);
  return [...names].filter((name) => before.behaviour[name] || after.behaviour[name]);
}

/** `docs_calls` -> "docs calls" */
export function behaviourWords(name: string): string {
  return name.replaceAll("_", " ");
}
