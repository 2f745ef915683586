/** Where runs are below a folder: every folder with a `run.json`. */
import { basename, relative, sep } from "node:path";
import type { Inside } from "./inside.ts";
import { walk } from "./walk.ts";

/** A run's id and folder. `problem`: why it is not to be looked into. */
export interface RunPlace {
  readonly id: string;
  readonly directory: string;
  readonly problem?: string;
}

/** Sorted by id. */
export async function findRuns(inside: Inside): Promise<RunPlace[]> {
  const found: RunPlace[] = [];
  for await (const passed of walk(inside)) {
    const { kind, directory } = passed;
    const place = { id: idOf(inside.root, directory), directory };
    if (kind === "odd") found.push({ ...place, problem: `the folder ${passed.problem}` });
    if (kind === "run") found.push(place);
  }
  return found.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** A root that is a run goes by its own name: browsers take "." out of paths. Nothing else is found in it. */
function idOf(root: string, directory: string): string {
  return relative(root, directory).split(sep).join("/") || basename(root) || "run";
}
