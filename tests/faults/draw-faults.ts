/** Draws faults to plant in the source. A fault is a small change of one line, and a seed decides which are drawn. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { Rng } from "../../src/core/index.ts";

export interface Fault {
  /** Path from the root of the repository. */
  readonly file: string;
  /** Line number, counted from 1. */
  readonly line: number;
  readonly operator: string;
  readonly before: string;
  readonly after: string;
}

/** Patterns and their replacements. Biome puts spaces around operators, so type parameters do not match. */
const OPERATORS: readonly (readonly [name: string, from: RegExp, to: string])[] = [
  ["< becomes <=", / < /g, " <= "],
  ["<= becomes <", / <= /g, " < "],
  ["> becomes >=", / > /g, " >= "],
  [">= becomes >", / >= /g, " > "],
  ["=== becomes !==", / === /g, " !== "],
  ["!== becomes ===", / !== /g, " === "],
  ["&& becomes ||", / && /g, " || "],
  ["|| becomes &&", / \|\| /g, " && "],
  ["+ becomes -", / \+ (?=[\w(])/g, " - "],
  ["- becomes +", / - (?=[\w(])/g, " + "],
  ["* becomes /", / \* (?=[\w(])/g, " / "],
  ["true becomes false", /\btrue\b/g, "false"],
  ["false becomes true", /\bfalse\b/g, "true"],
  ["max becomes min", /\bMath\.max\b/g, "Math.min"],
  ["min becomes max", /\bMath\.min\b/g, "Math.max"],
  ["0 becomes 1", /(?<![\w."'-])0(?![\w."'])/g, "1"],
  ["1 becomes 2", /(?<![\w."'-])1(?![\w."'])/g, "2"],
  ["some becomes every", /\.some\(/g, ".every("],
  ["every becomes some", /\.every\(/g, ".some("],
  ["a negation is dropped", /!(?=[a-z(])/g, ""],
];

/**
 * Draws up to `count` faults in the package and the Everyday world. It first draws different files and then one fault
 * in each file.
 */
export function drawFaults(root: string, seed: number, count: number): Fault[] {
  const rng = new Rng(seed);
  const byFile = listSourceFiles(root).map((file) => listFaults(root, file));
  const files = byFile.filter((faults) => faults.length > 0);
  return rng
    .shuffle(files)
    .slice(0, count)
    .map((faults) => rng.pick(faults));
}

function listSourceFiles(root: string): string[] {
  return ["src", "worlds"]
    .flatMap((folder) => listFiles(join(root, folder)))
    .filter((path) => path.endsWith(".ts") && !/\.test\.ts$|\/(testing|tests|dist)\//.test(path))
    .map((path) => relative(root, path))
    .sort();
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? listFiles(path) : [path];
  });
}

/** Lists every fault that can be planted in a file. It skips lines that begin a comment, an import or a type. */
function listFaults(root: string, file: string): Fault[] {
  return readFileSync(join(root, file), "utf8")
    .split("\n")
    .flatMap((before, i) =>
      /^\s*(\/\*|\*|\/\/|import |export (type|interface) |readonly )/.test(before)
        ? []
        : OPERATORS.flatMap(([operator, from, to]) =>
            [...before.matchAll(from)]
              .filter(({ index }) => isCode(before, index))
              .map(({ index, 0: { length } }) => ({
                file,
                line: i + 1,
                operator,
                before,
                after: before.slice(0, index) + to + before.slice(index + length),
              })),
          ),
    );
}

/** Returns false where the text of one line shows that `index` is in a string or behind `//`. */
function isCode(line: string, index: number): boolean {
  const start = line.slice(0, index);
  const isInString = ['"', "`"].some((quote) => start.split(quote).length % 2 === 0);
  return !isInString && !start.includes("//");
}
