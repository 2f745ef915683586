/** Makes the table of results/laptop-imitation.json: scores of runs that imitate demonstrations and learn nothing else. */
import { groupBy } from "../../src/algo/index.ts";
import { formatTable } from "./markdown-table.ts";
import { formatShares } from "./table-cells.ts";

/** The scores of one run, as shares from 0 to 1. */
export interface ImitationLine {
  readonly seed: number;
  readonly demonstrations: number;
  /** Share of hasty demonstrations, from 0 to 1. */
  readonly hastyShare: number;
  readonly machine: string;
  /** Time of the whole run, with its evaluations. */
  readonly seconds: number;
  /** Scores by split and decoding, such as `test-normal@T1`. */
  readonly scores: Readonly<Record<string, { readonly tgc: number; readonly sgc: number }>>;
}

/** The content of `results/laptop-imitation.json`. */
export interface Imitation {
  readonly version: 1;
  readonly lines: readonly ImitationLine[];
}

/** Returns the runs in groups with the same demonstrations. */
export const groupByDemonstrations = (lines: readonly ImitationLine[]) => [
  ...groupBy(lines, ({ demonstrations, hastyShare }) => `${demonstrations} ${hastyShare}`).values(),
];

/** Makes a table with a row for each number of demonstrations: TGC on test-normal, greedily and at T = 1. */
export function formatImitation({ lines }: Imitation): string {
  const rows = groupByDemonstrations(lines).map((runs) => {
    const { demonstrations, hastyShare } = runs[0]!;
    const cells = ["test-normal", "test-normal@T1"].map((on) =>
      formatShares(runs.flatMap(({ scores }) => scores[on]?.tgc ?? [])),
    );
    const careful = Math.round(demonstrations * (1 - hastyShare));
    const hasty = demonstrations - careful;
    const count = (value: number) => value.toLocaleString("en");
    const name = hasty === 0 ? count(careful) : `${count(careful)} and ${count(hasty)} hasty ones`;
    return [name, String(runs.length), ...cells];
  });
  const heads = ["careful demonstrations", "runs", "TGC test-normal, greedy", "T = 1"];
  return formatTable(heads, rows);
}
