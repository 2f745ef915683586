/**
 * Visits the folders below the studio's folder, to a depth of three. It does not enter hidden folders or the folders
 * inside a run, and visits a folder once even if several links lead to it. It stops after a number of folders, because
 * the studio may have been opened on a whole disk. Folders that lie too deep are reported, so that a page can say that
 * they were not searched.
 */
import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { findRunOwner } from "../../../train/index.ts";
import type { StudioFolder } from "./studio-folder.ts";

export const MAX_DEPTH = 3;
const MAX_FOLDERS = 20_000;
const NOT_ENTERED = new Set(["checkpoints", "rollouts", "journal", "node_modules"]);

/**
 * A visited path: a run, something that must not be read (with the reason), or a folder with its entries. A folder one
 * level too deep is not entered. `end` is where the walk stopped because there are too many folders.
 */
export type VisitedFolder = { readonly directory: string } & (
  | { readonly kind: "run" }
  | { readonly kind: "unreadable"; readonly problem: string }
  | { readonly kind: "folder"; readonly entries: readonly Dirent[] }
  | { readonly kind: "too-deep"; readonly isRun: boolean }
  | { readonly kind: "end" }
);

/** Visits the folders level by level, starting with the root. */
export async function* walkFolders(folder: StudioFolder): AsyncGenerator<VisitedFolder> {
  const seen = new Set<string>();
  let level = [folder.root];
  let visitedFolders = 0;
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
    const next: string[] = [];
    for (const directory of level) {
      if (visitedFolders++ >= MAX_FOLDERS) return yield { kind: "end", directory };
      const visited = await visitFolder(folder, directory, seen);
      if (visited === undefined) continue;
      yield visited;
      if (visited.kind === "folder") next.push(...listFoldersToEnter(visited));
    }
    level = next;
  }
  for (const directory of level) {
    if (visitedFolders++ >= MAX_FOLDERS) return yield { kind: "end", directory };
    if (folder.inspect(directory).kind !== "folder") continue;
    const isRun = folder.inspectorFor(directory)("run.json").kind === "file";
    yield { kind: "too-deep", directory, isRun };
  }
}

/** Returns undefined for anything but a folder, and for a folder that was visited before. */
async function visitFolder(
  folder: StudioFolder,
  directory: string,
  seen: Set<string>,
): Promise<VisitedFolder | undefined> {
  const here = folder.inspect(directory);
  if (here.kind === "unreadable") return { kind: "unreadable", directory, problem: here.problem };
  if (here.kind !== "folder" || seen.has(here.inode)) return undefined;
  seen.add(here.inode);
  const at = folder.inspectorFor(directory);
  if (at("run.json").kind !== "missing") return { kind: "run", directory };
  // A run that makes its demonstrations has a report and a lock, and no record yet.
  const isBeginning = at("progress.json").kind === "file" && at("run.lock").kind === "file";
  if (isBeginning && findRunOwner(directory) !== undefined) return { kind: "run", directory };
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  return { kind: "folder", directory, entries };
}

/** Lists subfolders and links. Where a link leads is checked before it is entered. */
function listFoldersToEnter({
  directory,
  entries,
}: Extract<VisitedFolder, { kind: "folder" }>): string[] {
  return entries
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    .filter(({ name }) => !name.startsWith(".") && !NOT_ENTERED.has(name))
    .map(({ name }) => join(directory, name));
}
