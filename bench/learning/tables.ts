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
import { resultsChart } from "../../src/report/index.ts";
import { type Results, readResults } from "../../src/train/index.ts";
import { type ActionSpaces, actionSpacesTable } from "./action-spaces-view.ts";
import { type TrainedSteps, trainedStepsTable } from "./horizon/view.ts";
import { type Asked, KINDS, selected } from "./kinds.ts";
import type { Trial } from "./tuning/trials.ts";
import { finished, trialsChart, trialsTable } from "./tuning/view.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const RESULTS = join("bench", "learning", "results");

/** Figures of the documentation, and which results they show. */
const FIGURES: { readonly [figure: string]: string } = {
  "docs/images/methods.svg": "starter.json",
  "docs/images/horizon.svg": "horizon.json",
};

/** Trials are scores on dev, kept by `tuning/run.ts` in a file of their own form. */
const TUNING = "tuning.json";
const TUNING_FIGURE = "docs/images/tuning.svg";

/** Kept by `action-spaces.ts` and `horizon/trained-steps.ts` in files of their own form. */
const ACTIONS = "action-spaces.json";
const TRAINED_STEPS = "trained-steps.json";

/** The whole content of a file as it should be. */
export interface Made {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
}

export interface Outcome {
  readonly made: readonly Made[];
  /** What is left as it is, and why. */
  readonly waiting: readonly string[];
}

/** Every page with a table, and every figure, as the results say. Throws on a marker that cannot be followed. */
export function everything(): Outcome {
  const waiting: string[] = [];
  const results = (file: string): Results => {
    const path = join(ROOT, RESULTS, file);
    if (existsSync(path) && isCurrent(path)) return readResults(path);
    throw new Error(`there is no ${RESULTS}/${file} of version 2`);
  };
  const trials = allTrials();
  const pages = pagePaths().flatMap((path): Made[] => {
    const text = readFileSync(join(ROOT, path), "utf8");
    const again = rewritten(text, (asked) => {
      if (asked.kind === "trials") {
        if (trials !== undefined) return trialsTable(trials);
      } else if (asked.kind === "actions") {
        const runs = own<ActionSpaces>(ACTIONS);
        if (runs !== undefined) return actionSpacesTable(runs);
      } else if (asked.kind === "trained-steps") {
        const scores = own<TrainedSteps>(TRAINED_STEPS);
        if (scores !== undefined) return trainedStepsTable(scores);
      } else {
        return tableOf(results(asked.file), asked);
      }
      waiting.push(`${path}: ${asked.kind} from ${asked.file}, whose runs are still to be made`);
      return undefined;
    });
    return text.includes("<!-- table:") ? [{ path, text: again }] : [];
  });
  const charts = Object.entries(FIGURES).flatMap(([path, file]): Made[] => {
    const found = results(file);
    const beside = join(RESULTS, file.replace(/\.json$/, ".svg"));
    return [path, beside].map((one) => ({ path: one, text: resultsChart(found) }));
  });
  const tuning = trials ? [{ path: TUNING_FIGURE, text: trialsChart(trials) }] : [];
  return { made: [...pages, ...charts, ...tuning], waiting };
}

/** Of a form of its own; undefined while there is no such file. */
function own<T>(file: string): T | undefined {
  const path = join(ROOT, RESULTS, file);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as T) : undefined;
}

/** Of the methods that have had all of theirs; undefined while there are none. */
function allTrials(): readonly Trial[] | undefined {
  const done = finished(own<{ readonly trials: readonly Trial[] }>(TUNING)?.trials ?? []);
  return done.length > 0 ? done : undefined;
}

/** Paths of what is not as it should be. */
export function outdated({ made }: Outcome): string[] {
  return made.filter(({ path, text }) => textAt(path) !== text).map(({ path }) => path);
}

const MARKED = /(<!-- table: ([^\n]*?) -->\n)([\s\S]*?)(<!-- end -->)/g;

/** `text` with its tables made again; where there is no table to be had, the present one stays. */
export function rewritten(text: string, make: (asked: Asked) => string | undefined): string {
  const opened = text.split("<!-- table:").length;
  const closed = [...text.matchAll(MARKED)].length;
  if (opened - 1 !== closed) throw new Error(`${opened - 1} tables begin and ${closed} end`);
  return text.replace(MARKED, (whole, head: string, words: string, _old: string, end: string) => {
    const table = make(askedBy(words));
    return table === undefined ? whole : `${head}\n${table}\n\n${end}`;
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

function isCurrent(path: string): boolean {
  return (JSON.parse(readFileSync(path, "utf8")) as { version?: unknown }).version !== 1;
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
  const outcome = everything();
  const old = outdated(outcome);
  for (const line of outcome.waiting) console.log(`left as it is: ${line}`);
  if (args.includes("--check")) {
    for (const path of old) console.log(`not what the results say: ${path}`);
    process.exitCode = old.length > 0 ? 1 : 0;
    return;
  }
  for (const { path, text } of outcome.made) {
    if (!old.includes(path)) continue;
    writeFileSync(join(ROOT, path), text);
    console.log(`written: ${path}`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
