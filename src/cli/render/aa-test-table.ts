/** Shows the result of an A/A test as text: how often the test of `bowline compare` calls equal arms different. */
import { formatPercent, formatScoreName } from "../../report/index.ts";
import { type ArmSize, MIN_SEEDS, SIZE_BOUNDS, type SizeCheck } from "../../train/index.ts";
import type { Paint } from "../terminal.ts";
import { renderTable } from "./table.ts";
import { wrapText } from "./text.ts";

/** Renders the rate of false alarms of each arm and score, and the verdict on all of them. */
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
      ...["runs", "A/A pairs", "rejected", "rejection rate"].map((title) => ({
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
    `${holds ? "✓" : "✗"} rejection rate ${formatPercent(all.size)}% at a nominal 5% (accepted: ${low * 100} to ${high * 100}%)`,
  );
  const caption = `For an A/A pair, ${2 * MIN_SEEDS} runs of one arm are drawn at random and paired at random, ${MIN_SEEDS} on each side. They are tested like the comparisons that were fixed beforehand, by a paired t test over runs. Runs of one arm differ only by chance, so every rejection is a false alarm.`;
  const lines = wrapText(caption, Math.min(columns, 100) - 2).map((line) => dim(`  ${line}`));
  return [table, "", `  ${verdict}`, "", ...lines].join("\n");
}
