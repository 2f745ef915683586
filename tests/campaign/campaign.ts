/**
 * The standing campaign: it tries to break the program for some minutes and counts what it tried.
 *
 * `npm run campaign -- --seed 1 --minutes 60 --out results` runs all parts by turns. `--part http` runs one part, and
 * `--part http --seed 1 --case 4567` one case; `--steps 3,7` runs these steps of the case only. A failure is written
 * into the folder given by `--out` and printed, as such a command. The last line of the output is one line of JSON.
 * The exit code is 1 when something failed.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { BowlineError, describeMachine, errorMessage } from "../../src/core/index.ts";
import { createMemoryFolder } from "../../src/testing/fake-makers.ts";
import { caseRng, StepFilter } from "./part.ts";
import { findPart, PARTS } from "./parts.ts";
import { createResults, type Results } from "./results.ts";
import { runSlice } from "./run-slice.ts";

/** The parts take turns; a turn of a part with weight 1 takes so long, or less when the campaign is short. */
const TURN_MS = 40_000;

interface Options {
  readonly seed: number;
  readonly minutes: number;
  readonly parts: readonly string[];
  readonly out: string | undefined;
  readonly number: number | undefined;
  readonly steps: readonly number[] | undefined;
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      seed: { type: "string", default: "1" },
      minutes: { type: "string", default: "1" },
      part: { type: "string", multiple: true },
      case: { type: "string" },
      steps: { type: "string" },
      out: { type: "string" },
    },
  });
  const readNumber = (name: string, text: string) => {
    const value = Number(text);
    if (text.trim() !== "" && value >= 0) return value;
    throw new BowlineError("config", `--${name}: expected a number of at least 0, got ${text}`);
  };
  const parts = values.part ?? PARTS.map(({ name }) => name);
  for (const name of parts) findPart(name);
  if (values.case !== undefined && values.part?.length !== 1) {
    throw new BowlineError("config", "--case: expected one --part beside it");
  }
  return {
    seed: readNumber("seed", values.seed),
    minutes: readNumber("minutes", values.minutes),
    parts,
    out: values.out,
    number: values.case === undefined ? undefined : readNumber("case", values.case),
    steps: values.steps?.split(",").map((text) => readNumber("steps", text)),
  };
}

/** Runs one case in this process and prints what it counted. Returns whether it passed. */
async function runOneCase({ seed, parts, number = 0, steps }: Options, folder: string) {
  const part = findPart(parts[0]!);
  const opened = await part.open(folder);
  const rng = caseRng(seed, part.name, number);
  const { counts, failures } = await opened.runCase(rng, new StepFilter(steps), number);
  await opened.close();
  for (const failure of failures) console.log(failure);
  console.log(JSON.stringify({ part: part.name, seed, case: number, counts, failures }));
  return failures.length === 0;
}

/** Writes what is known now, so that a campaign that is ended early leaves its counts. */
function writeSummary(out: string, results: Results): void {
  const summary = results.summarise();
  mkdirSync(out, { recursive: true });
  writeFileSync(
    join(out, `campaign-seed${summary.seed}.json`),
    `${JSON.stringify(summary, null, 2)}\n`,
  );
}

/** Runs the parts by turns until the time is over. */
async function runCampaign(
  { seed, minutes, parts, out }: Options,
  results: Results,
  folder: string,
) {
  const chosen = parts.map(findPart);
  const weights = chosen.reduce((sum, { weight }) => sum + weight, 0);
  const wholeMs = minutes * 60_000;
  const turnMs = Math.min(TURN_MS, wholeMs / weights);
  const next = new Map(chosen.map(({ name }) => [name, 0]));
  const endMs = performance.now() + wholeMs;
  // On a busy machine, opening parts takes longer than planned. The first round is whole in spite of that.
  for (let round = 1; round === 1 || performance.now() < endMs; round++) {
    for (const part of chosen) {
      const leftMs = round === 1 ? wholeMs : endMs - performance.now();
      if (leftMs <= 0) break;
      const first = next.get(part.name)!;
      const forMs = Math.min(turnMs * part.weight, leftMs);
      const last = await runSlice({ part, seed, first, forMs, folder }, results);
      next.set(part.name, last + 1);
    }
    if (out !== undefined) writeSummary(out, results);
  }
}

const folder = createMemoryFolder("bowline-campaign-");
try {
  const options = readOptions();
  if (options.number !== undefined) process.exitCode = (await runOneCase(options, folder)) ? 0 : 1;
  else {
    const { seed, minutes, out } = options;
    const results = createResults({ seed, minutes, machine: describeMachine() });
    await runCampaign(options, results, folder);
    const summary = results.summarise();
    if (out !== undefined) writeSummary(out, results);
    console.log(results.formatTable());
    console.log(JSON.stringify(summary));
    process.exitCode = summary.failures.length > 0 ? 1 : 0;
  }
} catch (error) {
  if (!BowlineError.is(error)) throw error;
  console.error(`error: ${errorMessage(error)}`);
  process.exitCode = 2;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
