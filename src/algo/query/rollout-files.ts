/** The names of a run's files of rollouts, without their ending: `train-0003`, `eval-before-dev-greedy`. */
import type { Phase } from "../../spec/index.ts";

/** What the name of a file of rollouts says. */
export interface RolloutFileName {
  readonly phase: Phase;
  /** The iteration of training, or the one after which an evaluation was made; absent before and after training. */
  readonly iteration?: number;
  /** When an evaluation was made, as the name says it: `before`, `after` or `iteration-0003`; absent for training. */
  readonly when?: string;
  /** The split of an evaluation. */
  readonly split?: string;
  /** How an evaluation sampled. */
  readonly mode?: "greedy" | "T1";
}

const FILE_NAME =
  /^(?:train-(\d{1,9})|eval-(before|after|iteration-(\d{1,9}))-([a-z-]+)-(greedy|T1))$/;

/** Returns what the name of a file of rollouts says; undefined for the name of another file. */
export function parseFileName(name: string): RolloutFileName | undefined {
  const [found, train, when, after, split, mode] = FILE_NAME.exec(name) ?? [];
  if (found === undefined) return undefined;
  if (train !== undefined) return { phase: "train", iteration: Number(train) };
  const evaluation = { when: when!, split: split!, mode: mode as "greedy" | "T1" };
  if (after === undefined) return { phase: when as Phase, ...evaluation };
  return { phase: "iteration", iteration: Number(after), ...evaluation };
}

/** Orders names: training by iteration, then evaluations before, during and after training. */
export function compareFileNames(a: string, b: string): number {
  return fileOrder(a) - fileOrder(b) || (a < b ? -1 : 1);
}

function fileOrder(name: string): number {
  const { phase, iteration = 0 } = parseFileName(name)!;
  const start = { train: 0, before: 1e10, iteration: 2e10, after: 3e10 }[phase];
  return start + iteration;
}
