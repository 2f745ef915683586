/**
 * Lists a run's files of rollouts: whole ones under `rollouts/`, and growing ones with the rollouts finished so far
 * under `journal/`. Only files that are listed here are ever opened.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { compareFileNames, parseFileName, type RewardOptions } from "../../../algo/index.ts";
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
    ...whole.flatMap((name) => readFileName(name, join(directory, "rollouts"), reward, true)),
    ...fresh.flatMap((name) => readFileName(name, join(directory, "journal"), reward, false)),
  ];
  return files.sort((a, b) => compareFileNames(a.name, b.name));
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

/** Returns the file in an array, or an empty array if the name is not one of a rollout file. */
function readFileName(
  name: string,
  folder: string,
  reward: RewardOptions,
  whole: boolean,
): RunFile[] {
  const found = parseFileName(name);
  if (!found) return [];
  const at = { name, path: join(folder, `${name}.jsonl`), reward, whole };
  const { phase, iteration, ...evaluation } = found;
  if (phase !== "train") return [{ ...at, kind: "eval", ...evaluation }];
  return [{ ...at, kind: "train", ...(iteration !== undefined && { iteration }) }];
}
