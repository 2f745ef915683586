/** Where results may lie below a folder: JSON files of a bounded size that are no part of a run; so many and no more. */
import { join, relative, sep } from "node:path";
import { type Inside, walk } from "../runs/index.ts";

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
  for await (const passed of walk(inside)) {
    if (found.length >= MOST_FILES) break;
    if (passed.kind !== "folder") continue;
    const { directory, entries } = passed;
    const files = entries.filter(
      (entry) => !entry.isDirectory() && /^[^.].*\.json$/.test(entry.name),
    );
    found.push(...files.flatMap(({ name }) => jsonFile(inside, join(directory, name))));
  }
  return found.sort((a, b) => b.changedMs - a.changedMs || (a.id < b.id ? -1 : 1));
}

/** None or one: links out of the folder and large files are none. */
function jsonFile(inside: Inside, path: string): JsonFile[] {
  const at = inside.at(path);
  if (at.kind !== "file" || at.size > LIMIT_BYTES) return [];
  return [{ id: relative(inside.root, path).split(sep).join("/"), path, changedMs: at.changedMs }];
}
