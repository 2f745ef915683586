/** Faults to plant: small changes of one line of source each, drawn by a seed over files, places and operators. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { Rng } from "../../src/core/index.ts";

export interface Fault {
  /** From the root of the repository. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly operator: string;
  readonly before: string;
  readonly after: string;
}

/** What is replaced, and by what. Biome puts spaces around operators, so type parameters are not met. */
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

/** Draws `count` faults over the sources of the package and of the Everyday world: a file first, then a place in it. */
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

/** Every place of a file in which an operator can be planted. Comments, imports and types are left alone. */
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

/** False inside a string or a comment at the end of a line, as far as one line can tell. */
function isCode(line: string, index: number): boolean {
  const start = line.slice(0, index);
  const isInString = ['"', "`"].some((quote) => start.split(quote).length % 2 === 0);
  return !isInString && !start.includes("//");
}
