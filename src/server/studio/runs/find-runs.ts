/** Where runs are below a folder: every folder with a `run.json`. */
import { basename, relative, sep } from "node:path";
import type { StudioFolder } from "./studio-folder.ts";
import { walkFolders } from "./walk-folders.ts";

/** A run's id and folder. `problem`: why it is not to be looked into. */
export interface RunLocation {
  readonly id: string;
  readonly directory: string;
  readonly problem?: string;
}

/** Sorted by id. */
export async function findRuns(folder: StudioFolder): Promise<RunLocation[]> {
  const found: RunLocation[] = [];
  for await (const visited of walkFolders(folder)) {
    const { kind, directory } = visited;
    const location = { id: runIdOf(folder.root, directory), directory };
    if (kind === "unreadable")
      found.push({ ...location, problem: `the folder ${visited.problem}` });
    if (kind === "run") found.push(location);
  }
  return found.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** A root that is a run goes by its own name: browsers take "." out of paths. Nothing else is found in it. */
function runIdOf(root: string, directory: string): string {
  return relative(root, directory).split(sep).join("/") || basename(root) || "run";
}
