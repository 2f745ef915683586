/**
 * Every table and figure of learning, made from files of results:
 *
 *   npx tsx bench/learning/tables.ts           writes them
 *   npx tsx bench/learning/tables.ts --check   says which are not what the files say, and fails
 *
 * A table stands between two comments of a page. The first says which it is (`kinds.ts`), of which arms, at which budget,
 * on which world, where the file has several, and from which file of `bench/learning/results`:
 *
 *   <!-- table: measured of grpo, starter at 1920 on everyday/starter from starter.json -->
 *   <!-- end -->
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { renderResultsChart } from "../../src/report/index.ts";
import { type Results, readResults } from "../../src/train/index.ts";
import { type ActionSpaces, actionSpacesTable } from "./action-spaces-table.ts";
import { trainedStepsChart, trainingChart } from "./horizon/horizon-charts.ts";
import { type TrainedSteps, trainedStepsTable } from "./horizon/horizon-tables.ts";
import { type Asked, selected } from "./table-cells.ts";
import { KINDS } from "./table-kinds.ts";
import { finished, trialsChart, trialsTable } from "./tuning/trial-tables.ts";
import type { Trial } from "./tuning/trials.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const RESULTS = join("bench", "learning", "results");

/** The whole content of a file as it should be. */
export interface Made {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
}

/** Every page with a table, and every figure, as the results say. Throws on a marker that cannot be followed. */
export function everything(): Made[] {
  const pages = pagePaths().flatMap((path): Made[] => {
    const text = readFileSync(join(ROOT, path), "utf8");
    return text.includes("<!-- table:") ? [{ path, text: rewritten(text, tableFor) }] : [];
  });
  return [...pages, ...figures()];
}

function tableFor(asked: Asked): string {
  const { kind, file } = asked;
  if (kind === "trials") return trialsTable(finished(own<Trials>(file).trials));
  if (kind === "actions") return actionSpacesTable(own<ActionSpaces>(file));
  if (kind === "trained-steps") return trainedStepsTable(own<TrainedSteps>(file));
  return tableOf(results(file), asked);
}

function figures(): Made[] {
  const beside = (file: string) => join(RESULTS, file.replace(/\.json$/, ".svg"));
  const [methods, horizon] = [results("starter.json"), results("horizon.json")];
  const steps = own<TrainedSteps>("trained-steps.json");
  return [
    { path: "docs/images/methods.svg", text: renderResultsChart(methods) },
    { path: beside("starter.json"), text: renderResultsChart(methods) },
    { path: "docs/images/horizon.svg", text: renderResultsChart(horizon) },
    { path: beside("horizon.json"), text: renderResultsChart(horizon) },
    { path: "docs/images/horizon-trained-steps.svg", text: trainedStepsChart(steps) },
    { path: "docs/images/horizon-training.svg", text: trainingChart(horizon.comparisons) },
    {
      path: "docs/images/tuning.svg",
      text: trialsChart(finished(own<Trials>("tuning.json").trials)),
    },
  ];
}

function results(file: string): Results {
  const path = join(ROOT, RESULTS, file);
  if (existsSync(path)) return readResults(path);
  throw new Error(`there is no ${RESULTS}/${file}`);
}

/** Of a form of its own: what `tuning/run.ts`, `action-spaces.ts` and `horizon/trained-steps.ts` keep. */
function own<T>(file: string): T {
  return JSON.parse(readFileSync(join(ROOT, RESULTS, file), "utf8")) as T;
}

type Trials = { readonly trials: readonly Trial[] };

/** Paths of what is not as it should be. */
export function outdated(made: readonly Made[]): string[] {
  return made.filter(({ path, text }) => textAt(path) !== text).map(({ path }) => path);
}

const MARKED = /(<!-- table: ([^\n]*?) -->\n)([\s\S]*?)(<!-- end -->)/g;

/** `text` with its tables made again. */
export function rewritten(text: string, make: (asked: Asked) => string): string {
  const opened = text.split("<!-- table:").length;
  const closed = [...text.matchAll(MARKED)].length;
  if (opened - 1 !== closed) throw new Error(`${opened - 1} tables begin and ${closed} end`);
  return text.replace(MARKED, (_whole, head: string, words: string, _old: string, end: string) => {
    return `${head}\n${make(askedBy(words))}\n\n${end}`;
  });
}

export function tableOf(results: Results, asked: Asked): string {
  const kind = Object.hasOwn(KINDS, asked.kind) ? KINDS[asked.kind] : undefined;
  if (kind === undefined) {
    throw new Error(`no table ${asked.kind}: expected ${Object.keys(KINDS).join(", ")}`);
  }
  return kind(selected(results, asked), asked);
}

/** `measured of grpo, starter at 1920 on everyday/starter from starter.json` */
export function askedBy(words: string): Asked {
  const parts =
    /^(?<kind>[\w-]+)(?: of (?<arms>.+?))?(?: at (?<rollouts>\d+))?(?: on (?<world>\S+))? from (?<file>\S+)$/.exec(
      words,
    )?.groups;
  if (parts === undefined) {
    throw new Error(
      `cannot read the table "${words}": KIND [of ARMS] [at ROLLOUTS] [on WORLD] from FILE`,
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

function pagePaths(): string[] {
  const docs = readdirSync(join(ROOT, "docs"), { recursive: true }).map((name) =>
    join("docs", String(name)),
  );
  return ["README.md", join("bench", "learning", "README.md"), ...docs.sort()].filter((path) =>
    path.endsWith(".md"),
  );
}

function textAt(path: string): string | undefined {
  return existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), "utf8") : undefined;
}

function main(args: readonly string[]): void {
  const made = everything();
  const old = outdated(made);
  if (args.includes("--check")) {
    for (const path of old) console.log(`not what the results say: ${path}`);
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
