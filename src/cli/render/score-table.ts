/** The result of a run as a table: task and scenario goal completion before and after, with 95% intervals. */
import type { Score, Scores, Summary } from "../../spec/index.ts";
import type { Paint } from "../terminal.ts";
import { renderTable } from "./table.ts";
import { percent, points } from "./text.ts";

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

/** Before, after and the change, in percent; then the same by difficulty for greedy decoding. */
export function renderScores(summary: Pick<Summary, "before" | "after">, paint: Paint): string {
  const rows = scoreRows(summary);
  const change = (before: number, after: number) =>
    paint(after >= before ? ["bold", "green"] : ["bold", "red"], points(before, after));
  const main = renderTable(
    [
      { title: "" },
      { title: "decoding" },
      { title: "TGC before", align: "right" },
      { title: "TGC after", align: "right" },
      { title: "points", align: "right" },
      { title: "SGC before", align: "right" },
      { title: "SGC after", align: "right" },
      { title: "points", align: "right" },
    ],
    rows.map(({ split, mode, before, after }) => [
      split,
      mode,
      withInterval(before),
      withInterval(after),
      change(before.tgc, after.tgc),
      percent(before.sgc),
      percent(after.sgc),
      change(before.sgc, after.sgc),
    ]),
    (text) => paint("dim", text),
  );
  const levels = difficultyRows(rows).map((row) => [
    row.split,
    row.level,
    `${percent(row.share)}%`,
    percent(row.before.tgc),
    percent(row.after.tgc),
    change(row.before.tgc, row.after.tgc),
    percent(row.before.sgc),
    percent(row.after.sgc),
    change(row.before.sgc, row.after.sgc),
  ]);
  const byDifficulty = renderTable(
    [
      { title: "" },
      { title: "difficulty" },
      { title: "of tasks", align: "right" },
      { title: "TGC before", align: "right" },
      { title: "TGC after", align: "right" },
      { title: "points", align: "right" },
      { title: "SGC before", align: "right" },
      { title: "SGC after", align: "right" },
      { title: "points", align: "right" },
    ],
    levels,
    (text) => paint("dim", text),
  );
  const tasks = rows.map(({ split, mode, after }) =>
    mode === "greedy" ? `${split} ${after.tasks}` : "",
  );
  const caption = `  TGC: tasks whose checks all pass, in percent [95% interval]. SGC: scenarios whose three tasks all pass. Tasks: ${tasks.filter(Boolean).join(", ")}.`;
  return [main, "", byDifficulty, "", paint("dim", caption)].join("\n");
}

interface LevelScore {
  readonly tgc: number;
  readonly sgc: number;
  readonly share: number;
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

/** Keys of `scores` in reading order. */
export function scoreKeys(scores: Scores): string[] {
  return Object.keys(scores).sort((a, b) => Number(a.includes("@")) - Number(b.includes("@")));
}
