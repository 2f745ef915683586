/** Tiny training runs, whose files the campaign damages and whose processes it kills. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FAKE_RUN, fakeMakers } from "../../src/testing/fake-makers.ts";
import { type Config, type Makers, resolveConfig, trainWith } from "../../src/train/index.ts";

/** Reads the fields that `train-tiny.mjs` sets too. */
function readFields(): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(new URL("tiny-run.json", import.meta.url), "utf8"));
}

/** A run on the fake world with the table engine. It takes half a second and writes every kind of file. */
export const TINY_CONFIG: Config = resolveConfig({
  recipe: "smoke",
  overrides: { ...FAKE_RUN, ...readFields() },
});

/** Trains or continues the tiny run in `out`. */
export const trainTiny = (out: string, makers: Makers = fakeMakers()) =>
  trainWith(makers, TINY_CONFIG, { out });

/** Begins the tiny run in `out`. Its engine fails in the update with this number, counted from 1. */
export async function trainTinyUntil(out: string, update: number): Promise<void> {
  const makers = fakeMakers();
  let updates = 0;
  const createEngine: Makers["createEngine"] = async (name, request, origin) => {
    const engine = await makers.createEngine(name, request, origin);
    return {
      ...engine,
      update: (step) => {
        if (++updates === update) throw new Error("killed");
        return engine.update(step);
      },
    };
  };
  await trainTiny(out, { ...makers, createEngine }).catch((error: unknown) => {
    if (!String(error).includes("killed")) throw error;
  });
}

/** Files and fields with wall times, and the lock of a process. */
const TIMED_FILES = ["timings.jsonl", "run.lock"];
const TIMED_FIELDS =
  /(?<=<dt>time<\/dt><dd>)[^<]*|(?<="(?:seconds|evaluationSeconds|timingsBytes)": ?)[\d.e+-]+/g;

/** Reads all files of a run as text, without wall times. Two runs with equal numbers have equal texts. */
export function readRunFiles(directory: string): Map<string, string> {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .filter((name) => !TIMED_FILES.includes(name))
    .sort();
  return new Map(
    names.map((name) => [
      name,
      readFileSync(join(directory, name), "latin1").replace(TIMED_FIELDS, "0"),
    ]),
  );
}

/** Returns how two runs differ, in one line; undefined when they do not. */
export function describeDifference(
  actual: ReadonlyMap<string, string>,
  expected: ReadonlyMap<string, string>,
): string | undefined {
  const names = [...new Set([...expected.keys(), ...actual.keys()])];
  const differing = names.flatMap((name) => {
    const [left, right] = [actual.get(name), expected.get(name)];
    if (left === right) return [];
    if (left === undefined) return [`${name} is missing`];
    if (right === undefined) return [`${name} is left over`];
    const at = [...left].findIndex((character, i) => character !== right[i]);
    return [
      `${name} differs at ${at}: ${JSON.stringify(left.slice(Math.max(0, at - 30), at + 60))} in place of ${JSON.stringify(right.slice(Math.max(0, at - 30), at + 60))}`,
    ];
  });
  return differing.length > 0 ? differing.slice(0, 3).join("; ") : undefined;
}
