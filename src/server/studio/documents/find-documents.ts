/** Finds JSON files below a folder that may be results: of limited size and number, and outside run directories. */
import { join, relative, sep } from "node:path";
import { type StudioFolder, walkFolders } from "../runs/index.ts";

const MAX_FILES = 2000;
const MAX_FILE_BYTES = 2_000_000;

/** A JSON file. Its id is its path below the folder. */
export interface JsonFile {
  readonly id: string;
  readonly path: string;
  readonly changedMs: number;
}

/** Returns the JSON files below the folder, newest first. */
export async function findJsonFiles(folder: StudioFolder): Promise<JsonFile[]> {
  const found: JsonFile[] = [];
  for await (const visited of walkFolders(folder)) {
    if (found.length >= MAX_FILES) break;
    if (visited.kind !== "folder") continue;
    const { directory, entries } = visited;
    const files = entries.filter(
      (entry) => !entry.isDirectory() && /^[^.].*\.json$/.test(entry.name),
    );
    found.push(...files.flatMap(({ name }) => toJsonFiles(folder, join(directory, name))));
  }
  return found.sort((a, b) => b.changedMs - a.changedMs || (a.id < b.id ? -1 : 1));
}

/** Returns the file in an array, or an empty array for a large file or a link that leads out of the folder. */
function toJsonFiles(folder: StudioFolder, path: string): JsonFile[] {
  const at = folder.inspect(path);
  if (at.kind !== "file" || at.size > MAX_FILE_BYTES) return [];
  return [{ id: relative(folder.root, path).split(sep).join("/"), path, changedMs: at.changedMs }];
}
