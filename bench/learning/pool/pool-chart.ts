/**
 * Draws the runs of the study "seventy-two tasks": the greedy score on unseen tasks against that on the training tasks
 * that repeat. On the diagonal, a policy does as well on tasks that it has never seen. Below it, it has learned tasks
 * by heart.
 */
import { lineStyle, svgDot, svgLine, svgText } from "../../../src/report/chart-parts.ts";
import { html, raw } from "../../../src/report/html.ts";
import { ARMS } from "./arms.ts";
import type { PoolRunFile } from "./result-files.ts";

const SIZE = 320;
const [LEFT, TOP] = [60, 40];
const GRID = "rgba(128,128,128,0.35)";

/** Draws one dot for each run of the primary cell. The axes begin at the lowest score, rounded down to ten points. */
export function drawPool(all: readonly PoolRunFile[]): string {
  const runs = all.flatMap(({ cell, arm, after }) => {
    const [unseen, training] = [after["test-normal"]?.tgc, after["pool"]?.tgc];
    return cell === "primary" && unseen !== undefined && training !== undefined
      ? [{ arm, unseen, training }]
      : [];
  });
  const lowest = Math.min(0.9, ...runs.flatMap(({ unseen, training }) => [unseen, training]));
  const low = Math.floor(lowest * 10) / 10;
  const place = (share: number) => ((share - low) / (1 - low)) * SIZE;
  const at = (x: number, y: number) => [LEFT + place(x), TOP + SIZE - place(y)] as const;
  const ticks = Array.from({ length: Math.round((1 - low) * 10) + 1 }, (_, i) => low + i / 10);
  const axes = ticks.flatMap((tick) => [
    svgLine(at(low, tick), at(1, tick), GRID),
    svgText([LEFT - 8, at(low, tick)[1] + 4], `${Math.round(100 * tick)}%`, "end"),
    svgText([at(tick, low)[0], TOP + SIZE + 18], `${Math.round(100 * tick)}%`, "middle"),
  ]);
  const arms = Object.keys(ARMS).filter((arm) => runs.some((run) => run.arm === arm));
  const dots = runs.map(({ arm, unseen, training }) =>
    svgDot(at(training, unseen), lineStyle(arms.indexOf(arm)).colour, "full"),
  );
  const legend = arms.map((arm, i) => {
    const y = TOP + 14 + 20 * i;
    const { colour } = lineStyle(i);
    return `${svgDot([LEFT + SIZE + 24, y - 4], colour, "full")}${svgText([LEFT + SIZE + 34, y], ARMS[arm]!.label)}`;
  });
  const titles = [
    svgText([LEFT, TOP - 18], "TGC on unseen tasks, greedy"),
    svgText([LEFT + SIZE / 2, TOP + SIZE + 40], "TGC on the 72 training tasks, greedy", "middle"),
  ];
  const parts = [...titles, ...axes, svgLine(at(low, low), at(1, 1), GRID), ...dots, ...legend];
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 ${TOP + SIZE + 56}" font-family="system-ui, sans-serif" font-size="12" fill="#888">
<title>Seventy-two tasks: TGC on unseen tasks against TGC on training tasks, a dot for each run</title>
${raw(parts.join("\n"))}
</svg>
`.source;
}
