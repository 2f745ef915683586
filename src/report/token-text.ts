/**
 * The text of single tokens, for showing a turn token by token. A token may be a part of a character; such bytes show
 * as the replacement character, which is what they are on their own.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadTokenizer } from "../text/index.ts";

export type TokenText = (id: number) => string;

/** From the tokenizer of any checkpoint of the run; undefined when there is none yet. */
export function tokenTextOf(directory: string): TokenText | undefined {
  const path = ["final", "latest", "warm"]
    .map((name) => join(directory, "checkpoints", name, "tokenizer.json"))
    .find((file) => existsSync(file));
  if (path === undefined) return undefined;
  const tokenizer = loadTokenizer(readFileSync(path, "utf8"));
  const known = new Map<number, string>();
  return (id) => {
    const text = known.get(id) ?? tokenizer.decode([id]);
    known.set(id, text);
    return text;
  };
}
