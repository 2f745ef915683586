/** All trials of tuning for reading: a table with a line a method, and a figure. */
import {
  LABEL_HEIGHT,
  lineStyle,
  svgDot,
  svgLine,
  svgText,
} from "../../../src/report/chart-parts.ts";
import { html, raw } from "../../../src/report/html.ts";
import { formatPercent } from "../../../src/report/index.ts";
import { table } from "../markdown-table.ts";
import { best, nextTrial, scoreOf, TRIALS, type Trial } from "./trials.ts";

/** The trials of methods that have had all of theirs. */
export function finished(trials: readonly Trial[]): Trial[] {
  const done = new Set(
    methodsOf(trials).filter((method) => nextTrial(method, of(trials, method)) === undefined),
  );
  return trials.filter(({ method }) => done.has(method));
}

/** Each trial as "what was tried: greedy / T = 1"; the chosen one in bold. */
export function trialsTable(trials: readonly Trial[]): string {
  const heads = ["dev TGC, greedy / T = 1", "", "", "a fourth rate", "its own number", ""];
  const rows = methodsOf(trials).map((method) => {
    const done = of(trials, method);
    const cells = Array.from({ length: TRIALS }, (_, i) => {
      const trial = done[i];
      if (trial === undefined) return "";
      const cell = `${saidOf(trial)}: ${formatPercent(trial.greedy)} / ${formatPercent(trial.sampled)}`;
      return trial === best(done) ? `**${cell}**` : cell;
    });
    return [`\`${method}\``, ...cells];
  });
  return table(["method", ...heads], rows);
}

function saidOf({ rate, knob }: Trial): string {
  return knob ? `${knob.field.split(".").at(-1)} ${knob.value}` : rateText(rate);
}

const rateText = (rate: number) => rate.toExponential();

const methodsOf = (trials: readonly Trial[]) => [...new Set(trials.map(({ method }) => method))];
const of = (trials: readonly Trial[], method: string) =>
  trials.filter((trial) => trial.method === method);

const PLOT = { left: 170, width: 420, top: 44 };
const ROW = LABEL_HEIGHT + 7;

/** Where each method's trials lie, by what they are chosen by: rates full, its own number hollow, the chosen named. */
export function trialsChart(trials: readonly Trial[]): string {
  const methods = methodsOf(trials);
  const height = PLOT.top + methods.length * ROW + 30;
  const x = (share: number) => PLOT.left + share * PLOT.width;
  const grid = [0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      svgLine([x(share), PLOT.top - 6], [x(share), height - 26], "#8884") +
      svgText([x(share), height - 10], `${share * 100}%`, "middle"),
  );
  const rows = methods.map((method, i) => {
    const y = PLOT.top + (i + 0.5) * ROW;
    const { colour } = lineStyle(i);
    const done = of(trials, method);
    const marks = done.map((trial) =>
      svgDot([x(scoreOf(trial)), y], colour, trial.knob ? "hollow" : "full"),
    );
    const top = best(done)!;
    const chosen = `${rateText(top.rate)}${top.knob ? `, ${saidOf(top)}` : ""}: ${formatPercent(scoreOf(top))}`;
    const name = svgText([PLOT.left - 12, y + 4], method, "end", ` fill="${colour}"`);
    return name + marks.join("") + svgText([x(1) + 12, y + 4], chosen);
  });
  const title =
    "Trials on dev: mean of greedy and T = 1 TGC; ● rates, ○ a number of the method's own";
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 ${height}" font-family="system-ui, sans-serif" font-size="12" fill="#888">
<title>${title}</title>${raw(svgText([PLOT.left, 18], title, "start", ` font-size="13"`))}
${raw([...grid, ...rows].join("\n"))}
</svg>
`.source;
}
