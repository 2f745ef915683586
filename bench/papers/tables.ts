/**
 * Writes the tables of results into the pages of the papers' worlds.
 *
 *     npx tsx bench/papers/tables.ts            # writes the tables
 *     npx tsx bench/papers/tables.ts --check    # fails when a table differs from the files of results
 *
 * A table stands between the comments `<!-- results: lmrl-maze, lmrl-wordle -->` and `<!-- end -->` of a page.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { meanInterval } from "../../src/algo/index.ts";
import { formatTable } from "../learning/markdown-table.ts";
import { formatMint } from "./mint-results.ts";
import { type PaperRun, readPaperRuns, type Scores } from "./results.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const TABLE = /(<!-- results: (.*?) -->\n)[\s\S]*?(<!-- end -->)/g;

/** Returns a page with its tables made anew. */
export function renderResults(page: string): string {
  return page.replace(TABLE, (_, start: string, names: string, end: string) => {
    const table = names === "mint" ? formatMint(formatDifference) : formatRuns(names.split(", "));
    return table === "" ? `${start}\n${end}` : `${start}\n${table}\n\n${end}`;
  });
}

function formatRuns(names: readonly string[]): string {
  const rows = names.flatMap((name) => readPaperRuns(name).map(rowOf(name)));
  return rows.length === 0 ? "" : formatTable(HEAD, rows);
}

/** The pages of all worlds outside of `src`, as paths from the root. */
export const listWorldPages = (): string[] =>
  readdirSync(join(ROOT, "worlds"))
    .map((name) => `worlds/${name}/README.md`)
    .filter((path) => existsSync(join(ROOT, path)));

const HEAD = [
  "experiment",
  "seed",
  "tasks",
  "solved before",
  "after",
  "difference [95%]",
  "reward before",
  "after",
  "difference [95%]",
  "turns before",
  "after",
];

const rowOf =
  (name: string) =>
  ({ arm, seed, tasks, before, after }: PaperRun): string[] => {
    const solved = ({ solved }: Scores) => [...solved].map(Number);
    const percent = (values: readonly number[]) => formatPercent(mean(values));
    const turns = ({ turns }: Scores) => mean(turns).toFixed(1);
    return [
      arm === "loop" ? name : `${name}, ${arm}`,
      `${seed}`,
      `${tasks.length}`,
      percent(solved(before)),
      percent(solved(after)),
      formatDifference(solved(before), solved(after)),
      percent(before.rewards),
      percent(after.rewards),
      formatDifference(before.rewards, after.rewards),
      turns(before),
      turns(after),
    ];
  };

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const formatPercent = (share: number) => (100 * share).toFixed(1);
const formatSigned = (share: number) => `${share < 0 ? "−" : "+"}${formatPercent(Math.abs(share))}`;

/** Formats the mean difference over tasks with its 95% interval (paired, Student's t), in points. */
export function formatDifference(before: readonly number[], after: readonly number[]): string {
  const differences = after.map((value, i) => value - before[i]!);
  const interval = meanInterval(differences);
  const ends = interval && ` [${formatSigned(interval[0])}, ${formatSigned(interval[1])}]`;
  return `${formatSigned(mean(differences))}${ends ?? ""}`;
}

function main(): void {
  const isCheck = process.argv.includes("--check");
  const differing = listWorldPages().filter((path) => {
    const page = readFileSync(join(ROOT, path), "utf8");
    const made = renderResults(page);
    if (!isCheck) writeFileSync(join(ROOT, path), made);
    return made !== page;
  });
  if (isCheck && differing.length > 0) {
    console.error(`npx tsx bench/papers/tables.ts would change ${differing.join(", ")}`);
    process.exitCode = 1;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
