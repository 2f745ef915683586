/** Finds the runs below a folder: every folder with a `run.json`, and those in which a run begins. */
import { basename, relative, sep } from "node:path";
import type { StudioFolder } from "./studio-folder.ts";
import { walkFolders } from "./walk-folders.ts";

/** A run's id and folder. `problem` says why its files must not be read. */
export interface RunLocation {
  readonly id: string;
  readonly directory: string;
  readonly problem?: string;
}

/** Returns all runs below the folder, sorted by id. */
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

/**
 * Returns the path below the root. A root that is a run itself is named by its folder: browsers drop "." from paths.
 */
function runIdOf(root: string, directory: string): string {
  return relative(root, directory).split(sep).join("/") || basename(root) || "run";
}
