/** Determines which folder the studio opens for a run. */
import { isAbsolute, relative, sep } from "node:path";

/** The folder that holds all runs, relative to the working directory. */
export const RUNS_FOLDER = "runs";

/**
 * Returns the folder that the studio opens for a run, and the run to show first. A run inside `runs` is shown together
 * with all runs of that folder. Any other run is shown alone.
 */
export function chooseStudioFolder(directory: string): {
  readonly root: string;
  readonly first?: string;
} {
  const first = relative(RUNS_FOLDER, directory);
  const isInside = first !== "" && first !== ".." && !first.startsWith(`..${sep}`);
  if (!isInside || isAbsolute(first)) return { root: directory };
  return { root: RUNS_FOLDER, first: first.split(sep).join("/") };
}
