/** Where results may lie below a folder: JSON files of a bounded size that are no part of a run; so many and no more. */
import { join, relative, sep } from "node:path";
import { type StudioFolder, walkFolders } from "../runs/index.ts";

const MAX_FILES = 2000;
const MAX_FILE_BYTES = 2_000_000;

/** Its path below the folder is its id. */
export interface JsonFile {
  readonly id: string;
  readonly path: string;
  readonly changedMs: number;
}

/** Newest first. */
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

/** None or one: links out of the folder and large files are none. */
function toJsonFiles(folder: StudioFolder, path: string): JsonFile[] {
  const at = folder.inspect(path);
  if (at.kind !== "file" || at.size > MAX_FILE_BYTES) return [];
  return [{ id: relative(folder.root, path).split(sep).join("/"), path, changedMs: at.changedMs }];
}
