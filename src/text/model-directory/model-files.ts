/**
 * Reads the text files of a model by their names in a Hugging Face folder. They may come from such a folder, or from a
 * GGUF file, which has the same contents under its own keys.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isFile } from "../../core/index.ts";
import { readGgufTexts } from "../gguf/read-texts.ts";
import { generationConfigFromConfig } from "./config-format.ts";
import { readText } from "./read-text.ts";

/** The text files of a model. */
export interface ModelFiles {
  /** The path of the model, for messages. */
  readonly path: string;
  /**
   * Returns the content of a file, or undefined if it is missing. Throws a `checkpoint` error if it cannot be read. A
   * missing `generation_config.json` has the fields about sampling that `config.json` may have.
   */
  read(name: string): string | undefined;
  /** Returns the sorted names of the files in a subfolder. */
  list(folder: string): readonly string[];
  /** Returns the path of a file for messages. */
  displayPath(name: string): string;
}

/** Opens a folder or a GGUF file. Throws a `checkpoint` error if the GGUF file is invalid. */
export function openModelFiles(path: string): ModelFiles {
  return isFile(path)
    ? modelFilesFromTexts(path, readGgufTexts(path), () => path)
    : openFolder(path);
}

/** Returns text files with the given contents by file name. */
export function modelFilesFromTexts(
  path: string,
  texts: Readonly<Record<string, string>>,
  displayPath: ModelFiles["displayPath"] = (name) => join(path, name),
): ModelFiles {
  return { path, read: (name) => texts[name], list: () => [], displayPath: displayPath };
}

function openFolder(directory: string): ModelFiles {
  const read = (name: string) => {
    const path = join(directory, name);
    return existsSync(path) ? readText(path) : undefined;
  };
  return {
    path: directory,
    read(name) {
      const text = read(name);
      if (text !== undefined || name !== "generation_config.json") return text;
      return generationConfigFromConfig(read("config.json") ?? "");
    },
    list(folder) {
      const path = join(directory, folder);
      return existsSync(path) ? readdirSync(path).sort() : [];
    },
    displayPath: (name) => join(directory, name),
  };
}
