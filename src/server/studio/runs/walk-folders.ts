/**
 * The folders below the one that the studio was opened on, to a depth of three, for whatever is looked for in them. A run's own
 * folders are not looked into, nor are hidden ones; a folder that links lead to twice is seen once; and the walk ends after so
 * many, for it may have been opened on a whole disk.
 */
import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { StudioFolder } from "./studio-folder.ts";

const MAX_DEPTH = 3;
const MAX_FOLDERS = 20_000;
const NOT_ENTERED = new Set(["checkpoints", "rollouts", "journal", "node_modules"]);

/** A folder: a run, something that is not to be read (with the reason), or one with entries. */
export type VisitedFolder = { readonly directory: string } & (
  | { readonly kind: "run" }
  | { readonly kind: "unreadable"; readonly problem: string }
  | { readonly kind: "folder"; readonly entries: readonly Dirent[] }
);

/** Level by level, the root first. */
export async function* walkFolders(folder: StudioFolder): AsyncGenerator<VisitedFolder> {
  const seen = new Set<string>();
  let level = [folder.root];
  let visitedFolders = 0;
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
    const next: string[] = [];
    for (const directory of level) {
      if (visitedFolders++ >= MAX_FOLDERS) return;
      const visited = await visitFolder(folder, directory, seen);
      if (visited === undefined) continue;
      yield visited;
      if (visited.kind === "folder") next.push(...listFoldersToEnter(visited));
    }
    level = next;
  }
}

/** Undefined for what is no folder, or was seen already. */
async function visitFolder(
  folder: StudioFolder,
  directory: string,
  seen: Set<string>,
): Promise<VisitedFolder | undefined> {
  const here = folder.inspect(directory);
  if (here.kind === "unreadable") return { kind: "unreadable", directory, problem: here.problem };
  if (here.kind !== "folder" || seen.has(here.inode)) return undefined;
  seen.add(here.inode);
  if (folder.inspectorFor(directory)("run.json").kind !== "missing")
    return { kind: "run", directory };
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  return { kind: "folder", directory, entries };
}

/** Links are listed too: what they lead to is looked at before it is entered. */
function listFoldersToEnter({
  directory,
  entries,
}: Extract<VisitedFolder, { kind: "folder" }>): string[] {
  return entries
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    .filter(({ name }) => !name.startsWith(".") && !NOT_ENTERED.has(name))
    .map(({ name }) => join(directory, name));
}
