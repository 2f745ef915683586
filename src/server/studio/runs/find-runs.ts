/**
 * Where runs are below a folder: every folder with a `run.json`, to a depth of three. A run's own folders are not looked
 * into, nor are hidden ones, and the walk ends after so many folders, for it may have been opened on a whole disk.
 */
import { readdir } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";
import type { Inside } from "./inside.ts";

const DEPTH = 3;
const MOST_FOLDERS = 20_000;
const NOT_RUNS = new Set(["checkpoints", "rollouts", "journal", "node_modules"]);

/** A run's id and folder. `problem`: why it is not to be looked into. */
export interface RunPlace {
  readonly id: string;
  readonly directory: string;
  readonly problem?: string;
}

/** Sorted by id. */
export async function findRuns(inside: Inside): Promise<RunPlace[]> {
  const found: RunPlace[] = [];
  const { root } = inside;
  const seen = new Set<string>();
  let level: string[] = [root];
  let looked = 0;
  for (let depth = 0; depth <= DEPTH && level.length > 0; depth++) {
    const next: string[] = [];
    for (const directory of level) {
      if (looked++ >= MOST_FOLDERS) break;
      const id = idOf(root, directory);
      const here = inside.at(directory);
      if (here.kind === "odd") found.push({ id, directory, problem: `the folder ${here.problem}` });
      if (here.kind !== "folder" || seen.has(here.inode)) continue;
      seen.add(here.inode);
      if (inside.in(directory)("run.json").kind !== "none") found.push({ id, directory });
      else if (depth < DEPTH) next.push(...(await foldersIn(directory)));
    }
    level = next;
  }
  return found.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** A root that is a run goes by its own name: browsers take "." out of paths. Nothing else is found in it. */
function idOf(root: string, directory: string): string {
  return relative(root, directory).split(sep).join("/") || basename(root) || "run";
}

/** Links are listed too: what they lead to is looked at before it is entered. */
async function foldersIn(directory: string): Promise<string[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .filter(({ name }) => !name.startsWith(".") && !NOT_RUNS.has(name))
      .map(({ name }) => join(directory, name));
  } catch {
    return [];
  }
}
