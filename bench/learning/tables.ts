/**
 * Makes every table and figure about learning from files of results.
 *
 *   npx tsx bench/learning/tables.ts            writes the tables and figures
 *   npx tsx bench/learning/tables.ts --check    lists those that differ from the files of results, and fails
 *
 * A table stands between two comments of a page. The first comment names the kind of the table (`table-kinds.ts`), its
 * arms, and the file in `bench/learning/results`. When the file has several budgets or worlds, the comment names the
 * budget and the world, too:
 *
 * <!-- table: measured of grpo, starter at 1920 on everyday/starter from starter.json --> <!-- end -->
 *
 * The study "seventy-two tasks" has a file for each run: `pool-scores on CELL from pool/results`, and the same with
 * `pool-tests`, `pool-differences`, `pool-repeating`, `pool-trials` and `pool-haste`.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { renderResultsChart } from "../../src/report/index.ts";
import { type Results, readResults } from "../../src/train/index.ts";
import { type ActionSpaces, formatActionSpaces } from "./action-spaces-table.ts";
import { drawTrainedSteps, drawTraining } from "./horizon/horizon-charts.ts";
import { formatTrainedSteps, type TrainedSteps } from "./horizon/horizon-tables.ts";
import { formatImitation, type Imitation } from "./imitation-table.ts";
import { drawPool } from "./pool/pool-chart.ts";
import { isPoolTable, makePoolTable } from "./pool/pool-tables.ts";
import { readRuns } from "./pool/result-files.ts";
import { selectComparisons, type TableRequest } from "./table-cells.ts";
import { TABLE_KINDS } from "./table-kinds.ts";
import {
  formatHabits,
  formatTemperatures,
  type Temperatures,
} from "./temperatures/temperature-tables.ts";
import { drawTrials, formatTrials, keepFinishedMethods } from "./tuning/trial-tables.ts";
import type { Trial } from "./tuning/trials.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const RESULTS = join("bench", "learning", "results");

/** A file and the content that it should have. */
export interface GeneratedFile {
  /** Path from the root of the repository. */
  readonly path: string;
  readonly text: string;
}

/** Returns every page with a table and every figure, made from the results. Throws when a marker is wrong. */
export function generateFiles(): GeneratedFile[] {
  const pages = listPagePaths().flatMap((path): GeneratedFile[] => {
    const text = readFileSync(join(ROOT, path), "utf8");
    return text.includes("<!-- table:")
      ? [{ path, text: rewriteTables(text, makeTableForMarker) }]
      : [];
  });
  return [...pages, ...drawFigures()];
}

function makeTableForMarker(request: TableRequest): string {
  const { kind, file } = request;
  if (isPoolTable(kind)) return makePoolTable(request);
  if (kind === "trials")
    return formatTrials(keepFinishedMethods(readOwnResults<Trials>(file).trials));
  if (kind === "temperatures") return formatTemperatures(readOwnResults<Temperatures>(file));
  if (kind === "habits") return formatHabits(readOwnResults<Temperatures>(file));
  if (kind === "imitation") return formatImitation(readOwnResults<Imitation>(file));
  if (kind === "actions") return formatActionSpaces(readOwnResults<ActionSpaces>(file));
  if (kind === "trained-steps-reward") {
    const all = readOwnResults<TrainedSteps>(file);
    const lines = all.lines.filter(({ k }) => k === 3);
    return formatTrainedSteps({ ...all, lines }, "reward", ["T1"]);
  }
  if (kind === "trained-steps") return formatTrainedSteps(readOwnResults<TrainedSteps>(file));
  return makeTable(readResultsFile(file), request);
}

function drawFigures(): GeneratedFile[] {
  const figurePath = (file: string) => join(RESULTS, file.replace(/\.json$/, ".svg"));
  const [methods, horizon] = [readResultsFile("starter.json"), readResultsFile("horizon.json")];
  const steps = readOwnResults<TrainedSteps>("trained-steps.json");
  const poolRuns = readRuns();
  return [
    { path: "docs/images/methods.svg", text: renderResultsChart(methods) },
    { path: figurePath("starter.json"), text: renderResultsChart(methods) },
    { path: "docs/images/horizon.svg", text: renderResultsChart(horizon) },
    { path: figurePath("horizon.json"), text: renderResultsChart(horizon) },
    { path: "docs/images/horizon-trained-steps.svg", text: drawTrainedSteps(steps) },
    { path: "docs/images/horizon-training.svg", text: drawTraining(horizon.comparisons) },
    ...(poolRuns.length > 0 ? [{ path: "docs/images/pool.svg", text: drawPool(poolRuns) }] : []),
    {
      path: "docs/images/tuning.svg",
      text: drawTrials(keepFinishedMethods(readOwnResults<Trials>("tuning.json").trials)),
    },
  ];
}

function readResultsFile(file: string): Results {
  const path = join(ROOT, RESULTS, file);
  if (existsSync(path)) return readResults(path);
  throw new Error(`there is no ${RESULTS}/${file}`);
}

/**
 * Reads a file of results from `tuning/run.ts`, `action-spaces.ts`, `imitation.ts`, `horizon/trained-steps.ts` or
 * `temperatures/measure.ts`. Each of these scripts has its own format.
 */
function readOwnResults<T>(file: string): T {
  return JSON.parse(readFileSync(join(ROOT, RESULTS, file), "utf8")) as T;
}

type Trials = { readonly trials: readonly Trial[] };

/** Lists the paths of generated files whose content on the disk differs. */
export function listOutdated(made: readonly GeneratedFile[]): string[] {
  return made.filter(({ path, text }) => readTextIfExists(path) !== text).map(({ path }) => path);
}

const TABLE_IN_PAGE = /(<!-- table: ([^\n]*?) -->\n)([\s\S]*?)(<!-- end -->)/g;

/** Returns `text` with its tables made again by `make`. */
export function rewriteTables(text: string, make: (request: TableRequest) => string): string {
  const opened = text.split("<!-- table:").length;
  const closed = [...text.matchAll(TABLE_IN_PAGE)].length;
  if (opened - 1 !== closed) throw new Error(`${opened - 1} tables begin and ${closed} end`);
  return text.replace(
    TABLE_IN_PAGE,
    (_whole, head: string, words: string, _old: string, end: string) => {
      return `${head}\n${make(parseMarker(words))}\n\n${end}`;
    },
  );
}

/** Makes the table that a marker comment requests. Throws when the kind of table is unknown. */
export function makeTable(results: Results, request: TableRequest): string {
  const kind = Object.hasOwn(TABLE_KINDS, request.kind) ? TABLE_KINDS[request.kind] : undefined;
  if (kind === undefined) {
    throw new Error(
      `unknown kind of table ${request.kind}: expected ${Object.keys(TABLE_KINDS).join(", ")}`,
    );
  }
  return kind(selectComparisons(results, request), request);
}

/**
 * Parses the words of a marker comment, such as `measured of grpo, starter at 1920 on everyday/starter from
 * starter.json`.
 */
export function parseMarker(words: string): TableRequest {
  const parts =
    /^(?<kind>[\w-]+)(?: of (?<arms>.+?))?(?: at (?<rollouts>\d+))?(?: on (?<world>\S+))? from (?<file>\S+)$/.exec(
      words,
    )?.groups;
  if (parts === undefined) {
    throw new Error(
      `expected KIND [of ARMS] [at ROLLOUTS] [on WORLD] from FILE, got the marker "${words}"`,
    );
  }
  const { kind, arms, rollouts, world, file } = parts;
  return {
    kind: kind!,
    file: file!,
    ...(arms !== undefined && { arms: arms.split(", ") }),
    ...(rollouts !== undefined && { rollouts: Number(rollouts) }),
    ...(world !== undefined && { world }),
  };
}

function listPagePaths(): string[] {
  const docs = readdirSync(join(ROOT, "docs"), { recursive: true }).map((name) =>
    join("docs", String(name)),
  );
  return ["README.md", join("bench", "learning", "README.md"), ...docs.sort()].filter((path) =>
    path.endsWith(".md"),
  );
}

function readTextIfExists(path: string): string | undefined {
  return existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), "utf8") : undefined;
}

function main(args: readonly string[]): void {
  const made = generateFiles();
  const old = listOutdated(made);
  if (args.includes("--check")) {
    for (const path of old) console.log(`differs from the results: ${path}`);
    process.exitCode = old.length > 0 ? 1 : 0;
    return;
  }
  for (const { path, text } of made) {
    if (!old.includes(path)) continue;
    writeFileSync(join(ROOT, path), text);
    console.log(`written: ${path}`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
