/**
 * Damaged files of runs. Commands on a damaged run end as if it were whole, or with one clear line. A run whose file was
 * only cut short, as a crash of the machine may leave it, is refused or continues with the numbers of a whole run.
 */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Rng } from "../../src/core/index.ts";
import { writeReport } from "../../src/server/index.ts";
import { evaluate, exportPolicy, resolveConfig, train } from "../../src/train/index.ts";
import { findErrorProblem } from "./clear-error.ts";
import { damageFile } from "./damage-file.ts";
import type { CaseOutcome, Part, StepFilter } from "./part.ts";
import { describeDifference, readRunFiles, trainTiny, trainTinyUntil } from "./tiny-run.ts";

const DAMAGES_PER_CASE = 4;

/** The smallest run with the embedded engine. */
const EMBEDDED_CONFIG = resolveConfig({
  recipe: "smoke",
  overrides: {
    "warm.demonstrations": 64,
    "algo.iterations": 1,
    "algo.tasksPerIteration": 2,
    "algo.groupSize": 2,
    "evaluation.scenarios": 1,
    "evaluation.every": 0,
  },
});

/** The runs whose copies are damaged, and what is done with the copies. */
interface WholeRun {
  readonly path: string;
  readonly commands: Readonly<Record<string, (run: string) => Promise<unknown>>>;
}

const report = async (run: string) => writeReport(run, `${run}.html`);
const resume = (run: string) => trainTiny(run);

async function makeRuns(folder: string): Promise<WholeRun[]> {
  const [finished, learning, warm, embedded] = ["finished", "learning", "warm", "embedded"].map(
    (name) => join(folder, "whole", name),
  ) as [string, string, string, string];
  if (!existsSync(join(embedded, "summary.json"))) {
    await trainTiny(finished);
    await trainTinyUntil(learning, 15);
    await trainTinyUntil(warm, 5);
    await train(EMBEDDED_CONFIG, { out: embedded });
  }
  const evaluateRun = (run: string) => evaluate({ policy: run, split: "dev", scenarios: 1 });
  const exportRun = (run: string) =>
    exportPolicy({ policy: run, merged: true, out: `${run}-exported` });
  return [
    { path: finished, commands: { report, resume } },
    { path: learning, commands: { report, resume } },
    { path: learning, commands: { resume } },
    { path: warm, commands: { resume } },
    { path: embedded, commands: { report, evaluate: evaluateRun, export: exportRun } },
  ];
}

interface DrawnDamage {
  readonly run: WholeRun;
  readonly command: string;
  readonly file: string;
  readonly kind: string;
  readonly content: Buffer;
}

function drawDamage(rng: Rng, runs: readonly WholeRun[]): DrawnDamage {
  const run = rng.pick(runs);
  const files = readdirSync(run.path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(run.path.length + 1))
    .sort();
  const file = rng.pick(files);
  const { kind, content } = damageFile(rng, file, readFileSync(join(run.path, file)));
  return { run, command: rng.pick(Object.keys(run.commands)), file, kind, content };
}

async function tryDamage(
  { run, command, file, kind, content }: DrawnDamage,
  damaged: string,
  expected: ReadonlyMap<string, string>,
): Promise<{ readonly ending: string; readonly problem?: string | undefined }> {
  for (const path of [damaged, `${damaged}.html`, `${damaged}-exported`])
    rmSync(path, { recursive: true, force: true });
  cpSync(run.path, damaged, { recursive: true });
  writeFileSync(join(damaged, file), content);
  try {
    await run.commands[command]!(damaged);
  } catch (error) {
    return { ending: "refused", problem: findErrorProblem(error) };
  }
  if (command !== "resume" || run.path.endsWith("finished")) return { ending: "done" };
  const actual = readRunFiles(damaged);
  // A file that is not read again stays as it is.
  if (actual.get(file) === content.toString("latin1")) actual.set(file, expected.get(file)!);
  const difference = describeDifference(actual, expected);
  if (difference === undefined) return { ending: "equal" };
  // Other values in a file that can be read are values of another run, and nothing can tell.
  return {
    ending: "other",
    ...(kind === "cut" && { problem: `it continued with other files: ${difference}` }),
  };
}

async function runDamages(
  runs: readonly WholeRun[],
  folder: string,
  { rng, steps }: { readonly rng: Rng; readonly steps: StepFilter },
): Promise<CaseOutcome> {
  const expected = readRunFiles(runs[0]!.path);
  const drawn = Array.from({ length: DAMAGES_PER_CASE }, () => drawDamage(rng, runs));
  const counts: Record<string, number> = {};
  const failures: string[] = [];
  for (const damage of steps.choose(drawn)) {
    const { ending, problem } = await tryDamage(damage, join(folder, "damaged"), expected);
    for (const name of ["files", damage.command, ending]) counts[name] = (counts[name] ?? 0) + 1;
    const { run, command, file, kind } = damage;
    if (problem)
      failures.push(`${command} ${run.path.split("/").at(-1)}/${file} (${kind}): ${problem}`);
  }
  return { counts, failures };
}

export const runFiles: Part = {
  name: "run",
  summary: "damaged files of runs",
  weight: 1,
  caseLimitMs: 300_000,
  async open(folder) {
    const runs = await makeRuns(folder);
    return {
      runCase: (rng, steps) => runDamages(runs, folder, { rng, steps }),
      close: async () => {},
    };
  },
};
