/**
 * Hides where the folder of a connection is. The agent sees `{dir}` in its place, in answers and in arguments, so that
 * equal episodes in different folders read the same.
 */
import { realpathSync } from "node:fs";

const SHOWN = "{dir}";

/** Exchanges the path of one folder and `{dir}` in values that JSON has. */
export class ShownFolder {
  /** The paths of the folder as JSON writes them inside a text, the longest first. */
  readonly #paths: readonly string[];
  readonly #real: string;

  constructor(directory: string) {
    const paths = [...new Set([realpathSync(directory), directory])];
    this.#paths = paths.map(escapeForJson).sort((a, b) => b.length - a.length);
    this.#real = escapeForJson(directory);
  }

  /** Returns an answer with `{dir}` in the place of the folder's path. */
  toShown<T>(value: T): T {
    return exchange(value, this.#paths, SHOWN);
  }

  /** Returns arguments with the folder's path in the place of `{dir}`. */
  toReal<T>(value: T): T {
    return exchange(value, [SHOWN], this.#real);
  }
}

const escapeForJson = (path: string) => JSON.stringify(path).slice(1, -1);

function exchange<T>(value: T, found: readonly string[], by: string): T {
  const text = JSON.stringify(value);
  if (text === undefined || !found.some((one) => text.includes(one))) return value;
  return JSON.parse(found.reduce((result, one) => result.replaceAll(one, by), text)) as T;
}
