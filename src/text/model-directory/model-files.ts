/**
 * The texts of a model by the names that they have in a Hugging Face folder, wherever they come from: the folder, or a GGUF
 * file, which holds the same facts under keys of its own.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isFile } from "../../core/index.ts";
import { readGgufTexts } from "../gguf/read-texts.ts";
import { readText } from "./read-text.ts";

export interface ModelFiles {
  /** What the model is called in messages. */
  readonly path: string;
  /** Undefined: there is none of this name. Throws a `checkpoint` error where it cannot be read. */
  read(name: string): string | undefined;
  /** Names in a folder of it, sorted. */
  list(folder: string): readonly string[];
  /** How a message calls the file. */
  displayPath(name: string): string;
}

/** Of a folder, or of a GGUF file. Throws a `checkpoint` error on a broken file. */
export function openModelFiles(path: string): ModelFiles {
  return isFile(path)
    ? modelFilesFromTexts(path, readGgufTexts(path), () => path)
    : openFolder(path);
}

/** Texts that are there already. */
export function modelFilesFromTexts(
  path: string,
  texts: Readonly<Record<string, string>>,
  where: ModelFiles["displayPath"] = (name) => join(path, name),
): ModelFiles {
  return { path, read: (name) => texts[name], list: () => [], displayPath: where };
}

function openFolder(directory: string): ModelFiles {
  return {
    path: directory,
    read(name) {
      const path = join(directory, name);
      return existsSync(path) ? readText(path) : undefined;
    },
    list(folder) {
      const path = join(directory, folder);
      return existsSync(path) ? readdirSync(path).sort() : [];
    },
    displayPath: (name) => join(directory, name),
  };
}
