/**
 * The files of results of the study: one JSON file for each training run, in `results/runs` for reported runs and in
 * `results/trials` for trials. A file that exists is never computed again, so the study can be stopped at any moment.
 */
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readJson, writeJson } from "../../../src/core/index.ts";
import type { Score } from "../../../src/spec/index.ts";
import { ARMS, type PlannedRun } from "./arms.ts";
import { bestTrial, type FinishedTrial, type TrialValues } from "./trials.ts";

export const RESULTS = join(import.meta.dirname, "results");

/** What is kept of the score of one evaluation: shares from 0 to 1. */
export interface KeptScore {
  readonly tasks: number;
  readonly tgc: number;
  readonly sgc: number;
  /** The mean share of checks passed. */
  readonly reward: number;
}

/** The facts of every run: what ran, where and how long. */
interface RunFacts {
  readonly version: 1;
  readonly arm: string;
  readonly seed: number;
  readonly iterations: number;
  /** The configuration fields of the arm, with its tuned values. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly commit: string;
  readonly machine: string;
  readonly threads: number;
  readonly rollouts: number;
  readonly updates: number;
  /** The seconds of the training run, with its evaluations and without its warm start. */
  readonly seconds: number;
}

/** The file of a reported run. */
export interface PoolRunFile extends RunFacts {
  readonly cell: string;
  /** Scores of the warm start by name, such as `test-normal@T1`. */
  readonly before: Readonly<Record<string, KeptScore>>;
  /**
   * Scores of the last policy by name. `pool` is greedy on the training tasks that repeat; absent where none do.
   */
  readonly after: Readonly<Record<string, KeptScore>>;
  /** The checkpoint with the best greedy TGC on dev during training, and its greedy scores on test-normal. */
  readonly best?: { readonly iteration: number; readonly dev: number; readonly test: KeptScore };
  /** Greedy TGC on the first scenarios of dev, by iteration. */
  readonly dev: readonly (readonly [iteration: number, tgc: number])[];
  /** Metrics of training by name, with a value for each iteration. */
  readonly training: Readonly<Record<string, readonly (number | null)[]>>;
}

/** The file of one trial with one tuning seed. */
export interface TrialFile extends RunFacts, TrialValues {
  readonly greedy: number;
  readonly sampled: number;
}

export function keepScore({ tasks, tgc, sgc, reward }: Score): KeptScore {
  return { tasks, tgc, sgc, reward };
}

export const nameOfRun = ({ cell, arm, seed }: PlannedRun) => `${cell}-${arm}-seed${seed}`;

/** Returns the name of a trial. The values are in it, so a file says itself what was tried. */
export function nameOfTrial(arm: string, { rate, knob }: TrialValues, seed: number): string {
  const field = ARMS[arm]!.knob.field.split(".").at(-1);
  return `${arm}-rate${rate}-${field}${knob}-seed${seed}`;
}

const runPath = (run: PlannedRun) => join(RESULTS, "runs", `${nameOfRun(run)}.json`);
const trialPath = (name: string) => join(RESULTS, "trials", `${name}.json`);

export const hasRun = (run: PlannedRun) => existsSync(runPath(run));
export const hasTrial = (name: string) => existsSync(trialPath(name));

export function writeRun(file: PoolRunFile): void {
  mkdirSync(join(RESULTS, "runs"), { recursive: true });
  writeJson(runPath(file), file);
}

export function writeTrial(name: string, file: TrialFile): void {
  mkdirSync(join(RESULTS, "trials"), { recursive: true });
  writeJson(trialPath(name), file);
}

function readFolder<T>(name: string): T[] {
  const folder = join(RESULTS, name);
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
  return files.sort().map((file) => readJson(join(folder, file)) as T);
}

export const readRuns = () => readFolder<PoolRunFile>("runs");
export const readTrialFiles = () => readFolder<TrialFile>("trials");

/** Returns the trials of an arm that are finished with all tuning seeds, in the order in which they were planned. */
export function finishedTrials(
  arm: string,
  files: readonly TrialFile[],
  seeds: readonly number[],
): FinishedTrial[] {
  const own = files.filter((file) => file.arm === arm && seeds.includes(file.seed));
  const values = new Map(own.map(({ rate, knob }) => [`${rate} ${knob}`, { rate, knob }]));
  return [...values.values()].flatMap(({ rate, knob }) => {
    const scores = own.filter((file) => file.rate === rate && file.knob === knob);
    return scores.length < seeds.length ? [] : [{ rate, knob, scores }];
  });
}

/** Returns the tuned values of an arm, or of the arm whose values it takes; undefined before its trials. */
export function tunedValues(
  arm: string,
  files: readonly TrialFile[],
  seeds: readonly number[],
): TrialValues | undefined {
  const { tunedAs = arm } = ARMS[arm]!;
  return bestTrial(finishedTrials(tunedAs, files, seeds));
}
