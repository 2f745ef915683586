/** Finds the runs below a folder: every folder with a `run.json`, and those in which a run begins. */
import { basename, relative, sep } from "node:path";
import type { RunList } from "../../../spec/studio/index.ts";
import type { StudioFolder } from "./studio-folder.ts";
import { MAX_DEPTH, walkFolders } from "./walk-folders.ts";

/** A run's id and folder. `problem` says why its files must not be read. */
export interface RunLocation {
  readonly id: string;
  readonly directory: string;
  readonly problem?: string;
}

/** What lies below the folder and was not searched. */
export type Unsearched = NonNullable<RunList["unsearched"]>;

/** The runs below a folder, sorted by id. */
export interface FoundRuns {
  readonly runs: readonly RunLocation[];
  readonly unsearched: Unsearched;
}

const MAX_NAMED_RUNS = 3;

/** Returns all runs below the folder. */
export async function findRuns(folder: StudioFolder): Promise<FoundRuns> {
  const runs: RunLocation[] = [];
  const unsearched = { folders: 0, deepRuns: [] as string[], deepRunCount: 0, stopped: false };
  for await (const visited of walkFolders(folder)) {
    const { kind, directory } = visited;
    const location = { id: runIdOf(folder.root, directory), directory };
    if (kind === "unreadable") runs.push({ ...location, problem: `the folder ${visited.problem}` });
    if (kind === "run") runs.push(location);
    if (kind === "end") unsearched.stopped = true;
    if (kind === "too-deep" && !visited.isRun) unsearched.folders += 1;
    if (kind === "too-deep" && visited.isRun) {
      unsearched.deepRunCount += 1;
      if (unsearched.deepRuns.length < MAX_NAMED_RUNS) unsearched.deepRuns.push(location.id);
    }
  }
  runs.sort((a, b) => (a.id < b.id ? -1 : 1));
  return { runs, unsearched: { depth: MAX_DEPTH, ...unsearched } };
}

/**
 * Returns the path below the root. A root that is a run itself is named by its folder: browsers drop "." from paths.
 */
function runIdOf(root: string, directory: string): string {
  return relative(root, directory).split(sep).join("/") || basename(root) || "run";
}
