/** An A/A check as text: how often the test calls equal arms different, score by score. */
import { formatPercent, formatScoreName } from "../../report/index.ts";
import { type ArmSize, MIN_SEEDS, SIZE_BOUNDS, type SizeCheck } from "../../train/index.ts";
import type { Paint } from "../terminal.ts";
import { renderTable } from "./table.ts";
import { wrapText } from "./text.ts";

export function renderAaTest(
  sizes: readonly ArmSize[],
  all: SizeCheck,
  { paint, columns }: { readonly paint: Paint; readonly columns: number },
): string {
  const dim = (text: string) => paint("dim", text);
  const table = renderTable(
    [
      { title: "arm" },
      { title: "world" },
      { title: "score" },
      ...["runs", "A/A pairs", "rejected", "size"].map((title) => ({
        title,
        align: "right" as const,
      })),
    ],
    sizes.map(({ arm, world, on, runs, pairs, rejected, size }) => [
      arm,
      world,
      formatScoreName(on),
      String(runs),
      String(pairs),
      String(rejected),
      `${formatPercent(size)}%`,
    ]),
    dim,
  );
  const [low, high] = SIZE_BOUNDS;
  const holds = all.size >= low && all.size <= high;
  const verdict = paint(
    ["bold", holds ? "green" : "red"],
    `${holds ? "✓" : "✗"} size ${formatPercent(all.size)}% at nominal 5% (within ${low * 100} to ${high * 100}% it holds)`,
  );
  const caption = `An A/A pair: ${2 * MIN_SEEDS} of the runs, drawn at random, ${MIN_SEEDS} a side, paired at random; the paired t test over runs of the comparisons that were fixed beforehand. Runs of one arm differ by nothing but chance, so whatever is rejected is a false alarm.`;
  const lines = wrapText(caption, Math.min(columns, 100) - 2).map((line) => dim(`  ${line}`));
  return [table, "", `  ${verdict}`, "", ...lines].join("\n");
}
