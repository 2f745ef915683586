/**
 * Decodes single tokens, to show a turn token by token. A token may be only a part of a character. Such bytes are shown
 * as the replacement character.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readText } from "../core/index.ts";
import { loadTokenizer } from "../text/index.ts";

export type DecodeToken = (id: number) => string;

/** Loads the tokenizer of any checkpoint of the run. Returns undefined when the run has no checkpoint yet. */
export function loadTokenDecoder(directory: string): DecodeToken | undefined {
  const path = ["final", "latest", "warm"]
    .map((name) => join(directory, "checkpoints", name, "tokenizer.json"))
    .find((file) => existsSync(file));
  if (path === undefined) return undefined;
  const tokenizer = loadTokenizer(readText(path));
  const textById = new Map<number, string>();
  return (id) => {
    const text = textById.get(id) ?? tokenizer.decode([id]);
    textById.set(id, text);
    return text;
  };
}
