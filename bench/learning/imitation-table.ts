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
  readonly seconds: number;
  /** Scores by split and decoding, such as `test-normal@T1`. */
  readonly scores: Readonly<Record<string, { readonly tgc: number; readonly sgc: number }>>;
}

/** The content of `results/laptop-imitation.json`. */
export interface Imitation {
  readonly version: 1;
  readonly machine: string;
  readonly lines: readonly ImitationLine[];
}

/** Makes a table with a row for each number of demonstrations: TGC and SGC on test-normal, greedily and at T = 1. */
export function formatImitation({ lines }: Imitation): string {
  const groups = groupBy(lines, ({ demonstrations, hastyShare }) =>
    [demonstrations, hastyShare].join(),
  );
  const rows = [...groups.values()].map((runs) => {
    const { demonstrations, hastyShare } = runs[0]!;
    const cells = (["tgc", "sgc"] as const).flatMap((measure) =>
      ["test-normal", "test-normal@T1"].map((on) =>
        formatShares(runs.flatMap(({ scores }) => scores[on]?.[measure] ?? [])),
      ),
    );
    const careful = Math.round(demonstrations * (1 - hastyShare));
    const hasty = demonstrations - careful;
    const count = (value: number) => value.toLocaleString("en");
    const name = hasty === 0 ? count(careful) : `${count(careful)} and ${count(hasty)} hasty ones`;
    return [name, String(runs.length), ...cells];
  });
  const heads = ["careful demonstrations", "runs", "TGC, greedy", "T = 1", "SGC, greedy", "T = 1"];
  return formatTable(heads, rows);
}
