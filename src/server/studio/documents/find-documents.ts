/**
 * Where results may lie below a folder: JSON files of a bounded size, to a depth of three. Runs are not looked into, for
 * their files are theirs; nor are hidden folders, and the walk ends after so many files.
 */
import { readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { Inside } from "../runs/index.ts";

const DEPTH = 3;
const MOST_FOLDERS = 5000;
const MOST_FILES = 2000;
const LIMIT_BYTES = 2_000_000;

/** Its path below the folder is its id. */
export interface JsonFile {
  readonly id: string;
  readonly path: string;
  readonly changedMs: number;
}

/** Newest first. */
export async function findJson(inside: Inside): Promise<JsonFile[]> {
  const found: JsonFile[] = [];
  let level = [inside.root];
  let looked = 0;
  for (let depth = 0; depth <= DEPTH && level.length > 0; depth++) {
    const next: string[] = [];
    for (const directory of level) {
      if (looked++ >= MOST_FOLDERS || found.length >= MOST_FILES) break;
      const { files, folders } = await entriesOf(inside, directory);
      found.push(...files.flatMap((path) => jsonFile(inside, path)));
      next.push(...folders);
    }
    level = next;
  }
  return found.sort((a, b) => b.changedMs - a.changedMs || (a.id < b.id ? -1 : 1));
}

async function entriesOf(inside: Inside, directory: string) {
  const none = { files: [], folders: [] };
  if (inside.at(directory).kind !== "folder") return none;
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    if (entries.some(({ name }) => name === "run.json")) return none;
    const shown = entries.filter(({ name }) => !/^\.|^node_modules$/.test(name));
    const pathsOf = (kept: typeof entries) => kept.map(({ name }) => join(directory, name));
    return {
      files: pathsOf(shown.filter((entry) => !entry.isDirectory() && /\.json$/.test(entry.name))),
      folders: pathsOf(shown.filter((entry) => entry.isDirectory())),
    };
  } catch {
    return none;
  }
}

/** None or one: links out of the folder and large files are none. */
function jsonFile(inside: Inside, path: string): JsonFile[] {
  const at = inside.at(path);
  if (at.kind !== "file" || at.size > LIMIT_BYTES) return [];
  return [{ id: relative(inside.root, path).split(sep).join("/"), path, changedMs: at.changedMs }];
}
