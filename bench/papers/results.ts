/** Files of results of the papers' worlds: for each run, what every unseen task earned before and after training. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rewardOf } from "../../src/algo/index.ts";
import type { Rollout } from "../../src/spec/index.ts";
import { readRollouts } from "../../src/train/index.ts";

/** What a policy did on the unseen tasks, sampled at T = 1. All lists are in the order of the tasks. */
export interface Scores {
  /** One sign for each task: 1 if it was solved. */
  readonly solved: string;
  /** The reward of each task, from 0 to 1. */
  readonly rewards: readonly number[];
  /** The number of turns of each rollout. */
  readonly turns: readonly number[];
}

export interface PaperRun {
  readonly arm: string;
  readonly seed: number;
  readonly tasks: readonly string[];
  readonly before: Scores;
  readonly after: Scores;
}

const pathOf = (name: string) => join(import.meta.dirname, "results", `${name}.json`);

/** Returns the runs of an experiment, or none when it has no file. */
export function readPaperRuns(name: string): PaperRun[] {
  const path = pathOf(name);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as PaperRun[]) : [];
}

/** Adds a run to the file of an experiment, with one line for each run, in the order of arms and seeds. */
export function writePaperRun(name: string, run: PaperRun): void {
  const key = ({ arm, seed }: PaperRun) => `${arm} ${String(seed).padStart(6, "0")}`;
  const runs = [...readPaperRuns(name).filter((one) => key(one) !== key(run)), run];
  const lines = runs.sort((a, b) => (key(a) < key(b) ? -1 : 1)).map((one) => JSON.stringify(one));
  writeFileSync(pathOf(name), `[\n${lines.join(",\n")}\n]\n`);
}

/** Scores the evaluations of a finished run on `test-normal` at T = 1. */
export function scoreRun(directory: string, run: Pick<PaperRun, "arm" | "seed">): PaperRun {
  const read = (when: string) =>
    readRollouts(directory, `eval-${when}-test-normal-T1`).sort((a, b) =>
      a.task.id < b.task.id ? -1 : 1,
    );
  const [before, after] = [read("before"), read("after")];
  const tasks = before.map(({ task }) => task.id);
  if (tasks.length === 0 || tasks.join() !== after.map(({ task }) => task.id).join())
    throw new Error(`${directory} has not the same unseen tasks before and after training`);
  return { ...run, tasks, before: scoreRollouts(before), after: scoreRollouts(after) };
}

function scoreRollouts(rollouts: readonly Rollout[]): Scores {
  const reward = (rollout: Rollout) =>
    rewardOf(rollout as Parameters<typeof rewardOf>[0], { reward: "progress", unfinished: "fail" });
  return {
    solved: rollouts.map(({ evaluation }) => Number(evaluation?.passed === true)).join(""),
    rewards: rollouts.map((rollout) => Math.round(reward(rollout) * 1e4) / 1e4),
    turns: rollouts.map(({ turns }) => turns.length),
  };
}
