/** Which folder a studio is opened on for a run: where runs are kept, so that the others are beside it. */
import { isAbsolute, relative, sep } from "node:path";

/** The folder of runs. */
export const RUNS_FOLDER = "runs";

/** What a studio is opened on for a run: all runs beside it where it is in `runs`, beginning with it; else that run alone. */
export function chooseStudioFolder(directory: string): {
  readonly root: string;
  readonly first?: string;
} {
  const first = relative(RUNS_FOLDER, directory);
  const isInside = first !== "" && first !== ".." && !first.startsWith(`..${sep}`);
  if (!isInside || isAbsolute(first)) return { root: directory };
  return { root: RUNS_FOLDER, first: first.split(sep).join("/") };
}
