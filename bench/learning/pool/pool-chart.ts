/**
 * Draws the runs of the study "seventy-two tasks", with a panel for each cell and a column for each arm: the greedy score
 * on unseen tasks as a full dot, and that on the training tasks that repeat as a hollow one. The distance of the two is
 * what a policy has learned by heart.
 */
import { lineStyle, svgDot, svgLine, svgText } from "../../../src/report/chart-parts.ts";
import { html, raw } from "../../../src/report/html.ts";
import { ARMS } from "./arms.ts";
import type { PoolRunFile } from "./result-files.ts";

const [LEFT, TOP, HEIGHT] = [50, 64, 280];
/** The widths of an arm's column, of the step from seed to seed (seed 3 is in its middle), and between panels. */
const [COLUMN, STEP, SPACE] = [38, 6, 46];
const LEGEND_WIDTH = 230;
const GRID = "rgba(128,128,128,0.35)";

const PANELS: readonly (readonly [cell: string, title: string])[] = [
  ["primary", "72 tasks repeat, luck 40%"],
  ["fresh", "fresh tasks, luck 40%"],
  ["hasty-85", "72 tasks repeat, 85% hasty"],
  ["luck-12", "72 tasks repeat, luck 12%"],
];

/** Draws the dots of each run. The vertical axis begins at the lowest score, rounded down to ten points. */
export function drawPool(runs: readonly PoolRunFile[]): string {
  const arms = Object.keys(ARMS).filter((arm) => runs.some((run) => run.arm === arm));
  const scores = runs.flatMap((run) => [unseenScore(run), trainingScore(run) ?? 1]);
  const low = Math.floor(Math.min(0.9, ...scores) * 10) / 10;
  const y = (share: number) => TOP + HEIGHT * (1 - (share - low) / (1 - low));
  const levels = Array.from({ length: Math.round((1 - low) * 10) + 1 }, (_, i) => low + i / 10);
  let left = LEFT;
  const panels = PANELS.flatMap(([cell, title]) => {
    const own = runs.filter((run) => run.cell === cell);
    if (own.length === 0) return [];
    const shown = arms.filter((arm) => own.some((run) => run.arm === arm));
    const right = left + shown.length * COLUMN;
    const parts = [
      svgText([left, TOP - 18], title),
      ...levels.flatMap((level) => [
        svgLine([left, y(level)], [right, y(level)], GRID),
        svgText([left - 8, y(level) + 4], `${Math.round(100 * level)}%`, "end"),
      ]),
      ...own.flatMap((run) => {
        const x = left + COLUMN * (shown.indexOf(run.arm) + 0.5) + STEP * (run.seed - 3);
        const { colour } = lineStyle(arms.indexOf(run.arm));
        const training = trainingScore(run);
        return [
          svgDot([x, y(unseenScore(run))], colour, "full"),
          ...(training === undefined ? [] : [svgDot([x, y(training)], colour, "hollow")]),
        ];
      }),
    ];
    left = right + SPACE;
    return parts;
  });
  const legend = arms.map((arm, i) => {
    const line = TOP + 14 + 20 * i;
    return `${svgDot([left, line - 4], lineStyle(i).colour, "full")}${svgText([left + 10, line], ARMS[arm]!.label)}`;
  });
  const head = svgText(
    [LEFT, 20],
    "TGC, greedy, a dot for each run: full on unseen tasks, hollow on the training tasks that repeat",
  );
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${left + LEGEND_WIDTH} ${TOP + HEIGHT + 20}" font-family="system-ui, sans-serif" font-size="12" fill="#888">
<title>Seventy-two tasks: TGC on unseen tasks and on training tasks, two dots for each run</title>
${raw([head, ...panels, ...legend].join("\n"))}
</svg>
`.source;
}

const unseenScore = ({ after }: PoolRunFile) => after["test-normal"]!.tgc;
const trainingScore = ({ after }: PoolRunFile) => after["pool"]?.tgc;
