/** The file of results of the mode of MINT, and its table. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { successWithin, type TurnsToSuccess } from "../../worlds/mint/mint.ts";
import { formatTable } from "../learning/markdown-table.ts";

/** After how many turns a policy solved each task, without a partner and with one. */
export interface MintScores {
  readonly alone: TurnsToSuccess;
  readonly partner: TurnsToSuccess;
}

export interface MintRun {
  readonly seed: number;
  readonly before: MintScores;
  readonly after: MintScores;
}

const PATH = join(import.meta.dirname, "results", "mint.json");

export const readMintRuns = (): MintRun[] =>
  existsSync(PATH) ? (JSON.parse(readFileSync(PATH, "utf8")) as MintRun[]) : [];

/** Adds a run to the file, with one line for each run. */
export function writeMintRun(run: MintRun): void {
  const runs = [...readMintRuns().filter(({ seed }) => seed !== run.seed), run];
  const lines = runs.sort((a, b) => a.seed - b.seed).map((one) => JSON.stringify(one));
  writeFileSync(PATH, `[\n${lines.join(",\n")}\n]\n`);
}

const TURNS = [1, 2, 3, 4, 5];

/** Formats success within 1 to 5 turns, in percent. `difference` gives the interval of the difference over tasks. */
export function formatMint(
  difference: (before: readonly number[], after: readonly number[]) => string,
): string {
  const solved = (found: TurnsToSuccess) => found.map((turns) => Number(turns !== null));
  const percent = (found: TurnsToSuccess) =>
    TURNS.map((k) => (100 * successWithin(found, k)).toFixed(1));
  const rows = readMintRuns().flatMap(({ seed, before, after }) =>
    (["alone", "partner"] as const).flatMap((who) => [
      [`${seed}`, who, "before", ...percent(before[who]), ""],
      [
        `${seed}`,
        who,
        "after",
        ...percent(after[who]),
        difference(solved(before[who]), solved(after[who])),
      ],
    ]),
  );
  const head = [
    "seed",
    "partner",
    "training",
    ...TURNS.map((k) => `${k}`),
    "difference at 5 [95%]",
  ];
  return rows.length === 0 ? "" : formatTable(head, rows);
}
