/**
 * Draws the runs of the study "seventy-two tasks", with a panel for each cell and a column for each arm.
 * A run has a full mark for its greedy score on unseen tasks, and a hollow one for its greedy score on the training tasks
 * that repeat. The distance between the two marks shows how much the policy has learned by heart.
 */
import {
  lineStyle,
  type MarkKind,
  svgDot,
  svgLine,
  svgSquare,
  svgText,
} from "../../../src/report/chart-parts.ts";
import { html, raw } from "../../../src/report/html.ts";
import { ARMS } from "./arms.ts";
import type { PoolRunFile } from "./result-files.ts";

const [LEFT, TOP, HEIGHT] = [50, 64, 280];
/**
 * Widths in pixels: of an arm's column, of the step from one seed to the next, and of the space between two panels. The
 * mark of seed 3 is in the middle of its column.
 */
const [COLUMN, STEP, SPACE] = [38, 6, 46];
const LEGEND_WIDTH = 230;
const GRID = "rgba(128,128,128,0.35)";

const PANELS: readonly (readonly [cell: string, title: string])[] = [
  ["primary", "72 tasks, luck 40%"],
  ["fresh", "fresh tasks, luck 40%"],
  ["hasty-85", "72 tasks, 85% hasty"],
  ["luck-12", "72 tasks, luck 12%"],
];

/** A panel of the figure shows the runs of one cell. Each of its arms has a column, and the first begins at `left`. */
interface Panel {
  readonly title: string;
  readonly runs: readonly PoolRunFile[];
  readonly arms: readonly string[];
  readonly left: number;
}

/** Draws the whole figure. The vertical axis begins at the lowest score, rounded down to a multiple of ten points. */
export function drawPool(runs: readonly PoolRunFile[]): string {
  const arms = Object.keys(ARMS).filter((arm) => runs.some((run) => run.arm === arm));
  const panels = placePanels(runs, arms);
  const legendLeft = panels.length === 0 ? LEFT : rightEdge(panels.at(-1)!) + SPACE;
  const scores = runs.flatMap((run) => [unseenScore(run), trainingScore(run) ?? 1]);
  const low = Math.floor(Math.min(0.9, ...scores) * 10) / 10;
  const y = (share: number) => TOP + HEIGHT * (1 - (share - low) / (1 - low));
  const levels = Array.from({ length: Math.round((1 - low) * 10) + 1 }, (_, i) => low + i / 10);
  const drawn = panels.flatMap((panel) => [
    svgText([panel.left, TOP - 18], panel.title),
    ...levels.flatMap((level) => [
      svgLine([panel.left, y(level)], [rightEdge(panel), y(level)], GRID),
      svgText([panel.left - 8, y(level) + 4], `${Math.round(100 * level)}%`, "end"),
    ]),
    ...panel.runs.flatMap((run) => {
      const column = panel.left + COLUMN * (panel.arms.indexOf(run.arm) + 0.5);
      const x = column + STEP * (run.seed - 3);
      const index = arms.indexOf(run.arm);
      const training = trainingScore(run);
      return [
        drawMark([x, y(unseenScore(run))], index, "full"),
        ...(training === undefined ? [] : [drawMark([x, y(training)], index, "hollow")]),
      ];
    }),
  ]);
  const legend = arms.map((arm, i) => {
    const line = TOP + 14 + 20 * i;
    return `${drawMark([legendLeft, line - 4], i, "full")}${svgText([legendLeft + 10, line], ARMS[arm]!.label)}`;
  });
  const head = svgText(
    [LEFT, 20],
    "TGC, greedy, a mark for each run: full on unseen tasks, hollow on the training tasks that repeat",
  );
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${legendLeft + LEGEND_WIDTH} ${TOP + HEIGHT + 20}" font-family="system-ui, sans-serif" font-size="12" fill="#888">
<title>Seventy-two tasks: TGC on unseen tasks and on training tasks, two marks for each run</title>
${raw([head, ...drawn, ...legend].join("\n"))}
</svg>
`.source;
}

/** Returns a panel for each cell that has runs, placed from left to right. */
function placePanels(runs: readonly PoolRunFile[], arms: readonly string[]): readonly Panel[] {
  const panels: Panel[] = [];
  for (const [cell, title] of PANELS) {
    const own = runs.filter((run) => run.cell === cell);
    if (own.length === 0) continue;
    const last = panels.at(-1);
    const left = last === undefined ? LEFT : rightEdge(last) + SPACE;
    const shown = arms.filter((arm) => own.some((run) => run.arm === arm));
    panels.push({ title, runs: own, arms: shown, left });
  }
  return panels;
}

/** Draws a mark of the arm with this index: a square if an earlier arm has the same colour, and else a dot. */
function drawMark(at: readonly [number, number], index: number, kind: MarkKind): string {
  const { colour, dash } = lineStyle(index);
  return (dash === "" ? svgDot : svgSquare)(at, colour, kind);
}

const rightEdge = ({ left, arms }: Panel) => left + arms.length * COLUMN;
const unseenScore = ({ after }: PoolRunFile) => after["test-normal"]!.tgc;
const trainingScore = ({ after }: PoolRunFile) => after["pool"]?.tgc;
