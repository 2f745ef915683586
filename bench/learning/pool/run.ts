/**
 * Runs the study "seventy-two tasks": trials and training runs in order of worth, one at a time.
 *
 *   npx tsx bench/learning/pool/run.ts --out runs/pool --hours 14
 *
 * Stop it at any moment, and give the same command to continue: a training run goes on from its last checkpoint, and
 * finished ones are read from `results`. `--list` prints what is done and what comes next, and trains nothing. `--jobs N`
 * ends after N training runs.
 */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Scores, Summary } from "../../../src/spec/index.ts";
import { train } from "../../../src/train/index.ts";
import { ARMS, CELLS, JOBS, type PlannedRun, WORLDS } from "./arms.ts";
import {
  finishedTrials,
  hasRun,
  hasTrial,
  type KeptScore,
  keepScore,
  nameOfRun,
  nameOfTrial,
  type PoolRunFile,
  readTrialFiles,
  tunedValues,
  writeRun,
  writeTrial,
} from "./result-files.ts";
import {
  BestCheckpoint,
  configOf,
  describeMaking,
  makeWarmStart,
  ownFields,
  readTraining,
  scoreOnPool,
  scorePolicy,
  type Training,
} from "./train-arm.ts";
import {
  fieldsOfValues,
  nextTrial,
  type TrialValues,
  TUNING_ITERATIONS,
  TUNING_SEEDS,
} from "./trials.ts";

const { values } = parseArgs({
  options: {
    out: { type: "string", default: "runs/pool" },
    hours: { type: "string", default: "14" },
    jobs: { type: "string", default: "100000" },
    iterations: { type: "string", default: "40" },
    list: { type: "boolean", default: false },
  },
});
const ITERATIONS = Number(values.iterations);
const deadline = Date.now() + Number(values.hours) * 3_600_000;
let remaining = Number(values.jobs);

const log = (text: string) => console.log(`${new Date().toISOString()} ${text}`);

/** Returns false when the hours or the number of training runs are used up. */
function mayStart(): boolean {
  return remaining-- > 0 && Date.now() < deadline;
}

async function runTrial(arm: string, tried: TrialValues, seed: number): Promise<void> {
  const training: Training = {
    arm,
    cell: CELLS["primary"]!,
    seed,
    iterations: TUNING_ITERATIONS,
    values: fieldsOfValues(arm, tried),
    evaluation: { scores: ["dev", "dev@T1"], every: 0 },
  };
  const name = nameOfTrial(arm, tried, seed);
  const out = join(values.out, `trial-${name}`);
  const warmFrom = await makeWarmStart(training, values.out);
  const summary = await train(configOf(training), { out, warmFrom });
  const [greedy, sampled] = [summary.after["dev"]!.tgc, summary.after["dev@T1"]!.tgc];
  writeTrial(name, {
    version: 1,
    ...{ arm, seed, iterations: TUNING_ITERATIONS, fields: ownFields(training) },
    ...describeMaking(summary),
    updates: readTraining(out).updates,
    ...tried,
    ...{ greedy, sampled },
  });
  rmSync(out, { recursive: true, force: true });
  log(`trial ${name}: dev ${percent(greedy)} greedy, ${percent(sampled)} at T = 1`);
}

const percent = (share: number) => (100 * share).toFixed(1);

/** Runs the trials of an arm. Returns false when it had to stop before their end. */
async function tune(arm: string): Promise<boolean> {
  for (;;) {
    const tried = nextTrial(ARMS[arm]!, finishedTrials(arm, readTrialFiles(), TUNING_SEEDS));
    if (tried === undefined) return true;
    for (const seed of TUNING_SEEDS) {
      if (hasTrial(nameOfTrial(arm, tried, seed))) continue;
      if (!mayStart()) return false;
      await runTrial(arm, tried, seed);
    }
  }
}

const REPORTED = {
  scores: ["dev", "test-normal", "dev@T1", "test-normal@T1"],
  every: 5,
} as const;

/** Trains a reported run. Returns false when it had to stop before. */
async function runReported(planned: PlannedRun): Promise<boolean> {
  if (hasRun(planned)) return true;
  if (!mayStart()) return false;
  const { arm, seed } = planned;
  const cell = CELLS[planned.cell]!;
  const tuned = tunedValues(arm, readTrialFiles(), TUNING_SEEDS);
  if (tuned === undefined) throw new Error(`${arm} has no finished trials`);
  const tunedFields = fieldsOfValues(arm, tuned);
  const training: Training = {
    ...{ arm, cell, seed, iterations: ITERATIONS, values: tunedFields },
    evaluation: REPORTED,
  };
  const out = join(values.out, nameOfRun(planned));
  const warmFrom = await makeWarmStart(training, values.out);
  const best = new BestCheckpoint(out);
  log(`training ${nameOfRun(planned)}: ${JSON.stringify(tunedFields)}`);
  const summary = await train(configOf(training), { out, warmFrom, onEvent: best.onEvent });
  await recordRun(planned, training, { summary, out, best });
  return true;
}

/** Scores the policies of a finished run and writes its file. */
async function recordRun(
  planned: PlannedRun,
  training: Training,
  made: { readonly summary: Summary; readonly out: string; readonly best: BestCheckpoint },
): Promise<void> {
  const { summary, out, best } = made;
  const { note } = best;
  const world = WORLDS[training.cell.luck];
  const file: PoolRunFile = {
    version: 1,
    ...planned,
    iterations: training.iterations,
    fields: ownFields(training),
    ...describeMaking(summary),
    before: keepScores(summary.before),
    after: {
      ...keepScores(summary.after),
      "test-normal@T0.3": await scorePolicy(out, world, 0.3),
      ...(training.cell.pool !== null && { pool: await scoreOnPool(out, configOf(training)) }),
    },
    ...(note?.copied && {
      best: {
        iteration: note.iteration,
        dev: note.dev,
        test: await scorePolicy(best.folder, world, 0),
      },
    }),
    ...readTraining(out),
  };
  writeRun(file);
  rmSync(join(out, "rollouts"), { recursive: true, force: true });
  const { after } = file;
  log(
    `${nameOfRun(planned)}: test-normal ${percent(after["test-normal"]!.tgc)} greedy, ${percent(after["test-normal@T1"]!.tgc)} at T = 1, in ${file.seconds} s`,
  );
}

function keepScores(scores: Scores): Record<string, KeptScore> {
  return Object.fromEntries(
    Object.entries(scores).map(([name, score]) => [name, keepScore(score)]),
  );
}

function describeJobs(): void {
  for (const job of JOBS) {
    if ("run" in job) log(`${hasRun(job.run) ? "done" : "open"} ${nameOfRun(job.run)}`);
    else {
      const done = finishedTrials(job.tune, readTrialFiles(), TUNING_SEEDS);
      const next = nextTrial(ARMS[job.tune]!, done);
      log(`${next ? "open" : "done"} trials of ${job.tune}: ${done.length} of at least 5`);
    }
  }
}

if (values.list) describeJobs();
else {
  mkdirSync(values.out, { recursive: true });
  for (const job of JOBS) {
    const goesOn = "run" in job ? await runReported(job.run) : await tune(job.tune);
    if (!goesOn) break;
  }
  log("the study stopped: all jobs are done, or the hours are used up");
}
