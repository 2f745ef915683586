/**
 * Lists a run's files of rollouts: whole ones under `rollouts/`, and growing ones with the rollouts finished so far
 * under `journal/`. Only files that are listed here are ever opened.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { RewardOptions } from "../../../algo/index.ts";
import type { RolloutFile } from "../../../spec/studio/index.ts";
import type { RunLocation } from "./find-runs.ts";
import type { StudioFolder } from "./studio-folder.ts";

/** A file of rollouts, without the counts of its rollouts. */
export interface RunFile extends Omit<RolloutFile, "rollouts" | "passed"> {
  readonly path: string;
  /** What the file's rollouts earn, as their run is configured. */
  readonly reward: RewardOptions;
  /** False for a journal, which still grows. */
  readonly whole: boolean;
}

/** Lists training files by iteration, then evaluations in the order in which they were made. */
export async function listRolloutFiles(
  folder: StudioFolder,
  { directory }: RunLocation,
  reward: RewardOptions,
): Promise<RunFile[]> {
  const whole = await listJsonlNames(folder, join(directory, "rollouts"));
  const growing = await listJsonlNames(folder, join(directory, "journal"));
  const fresh = growing.filter((name) => !whole.includes(name));
  const files = [
    ...whole.flatMap((name) => parseFileName(name, join(directory, "rollouts"), reward, true)),
    ...fresh.flatMap((name) => parseFileName(name, join(directory, "journal"), reward, false)),
  ];
  return files.sort((a, b) => sortKey(a) - sortKey(b) || (a.name < b.name ? -1 : 1));
}

async function listJsonlNames(folder: StudioFolder, path: string): Promise<string[]> {
  if (folder.inspect(path).kind !== "folder") return [];
  try {
    const names = await readdir(path);
    return names
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => name.slice(0, -".jsonl".length));
  } catch {
    return [];
  }
}

const TRAIN_NAME = /^train-(\d{1,9})$/;
const EVAL_NAME = /^eval-(before|after|iteration-(\d{1,9}))-([a-z-]+)-(greedy|T1)$/;

/** Returns the file in an array, or an empty array if the name is not one of a rollout file. */
function parseFileName(
  name: string,
  folder: string,
  reward: RewardOptions,
  whole: boolean,
): RunFile[] {
  const at = { name, path: join(folder, `${name}.jsonl`), reward, whole };
  const train = TRAIN_NAME.exec(name);
  if (train) return [{ ...at, kind: "train", iteration: Number(train[1]) }];
  const evaluation = EVAL_NAME.exec(name);
  if (!evaluation) return [];
  const [, when, , split, mode] = evaluation;
  return [{ ...at, kind: "eval", when: when!, split: split!, mode: mode as "greedy" | "T1" }];
}

function sortKey({ kind, iteration = 0, when = "" }: RunFile): number {
  if (kind === "train") return iteration;
  if (when === "before") return 1e10;
  return when === "after" ? 3e10 : 2e10 + Number(when.slice("iteration-".length));
}
