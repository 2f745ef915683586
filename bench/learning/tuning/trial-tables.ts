/** Shows all trials of tuning, in a table with a row for each method, and in a figure. */
import {
  LABEL_HEIGHT,
  lineStyle,
  svgDot,
  svgLine,
  svgText,
} from "../../../src/report/chart-parts.ts";
import { html, raw } from "../../../src/report/html.ts";
import { formatPercent } from "../../../src/report/index.ts";
import { formatTable } from "../markdown-table.ts";
import { bestTrial, nextTrial, TRIALS_PER_METHOD, type Trial, trialScore } from "./trials.ts";

/** Returns the trials of those methods whose trials are all finished. */
export function keepFinishedMethods(trials: readonly Trial[]): Trial[] {
  const done = new Set(
    listMethods(trials).filter(
      (method) => nextTrial(method, trialsOfMethod(trials, method)) === undefined,
    ),
  );
  return trials.filter(({ method }) => done.has(method));
}

/** Formats each trial as "tried value: greedy score / score at T = 1", with the chosen trial in bold. */
export function formatTrials(trials: readonly Trial[]): string {
  const heads = [
    "dev TGC, greedy / T = 1",
    "",
    "",
    "a fourth rate",
    "the method's other field",
    "",
  ];
  const rows = listMethods(trials).map((method) => {
    const done = trialsOfMethod(trials, method);
    const cells = Array.from({ length: TRIALS_PER_METHOD }, (_, i) => {
      const trial = done[i];
      if (trial === undefined) return "";
      const cell = `${describeTrial(trial)}: ${formatPercent(trial.greedy)} / ${formatPercent(trial.sampled)}`;
      return trial === bestTrial(done) ? `**${cell}**` : cell;
    });
    return [`\`${method}\``, ...cells];
  });
  return formatTable(["method", ...heads], rows);
}

function describeTrial({ rate, knob }: Trial): string {
  return knob ? `${knob.field.split(".").at(-1)} ${knob.value}` : formatRate(rate);
}

const formatRate = (rate: number) => rate.toExponential();

const listMethods = (trials: readonly Trial[]) => [...new Set(trials.map(({ method }) => method))];
const trialsOfMethod = (trials: readonly Trial[], method: string) =>
  trials.filter((trial) => trial.method === method);

const PLOT = { left: 170, width: 420, top: 44 };
const ROW = LABEL_HEIGHT + 7;

/**
 * Draws the score of each trial: a full dot for a learning rate, a hollow dot for the other field, and a label for the
 * chosen trial.
 */
export function drawTrials(trials: readonly Trial[]): string {
  const methods = listMethods(trials);
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
    const done = trialsOfMethod(trials, method);
    const marks = done.map((trial) =>
      svgDot([x(trialScore(trial)), y], colour, trial.knob ? "hollow" : "full"),
    );
    const top = bestTrial(done)!;
    const chosen = `${formatRate(top.rate)}${top.knob ? `, ${describeTrial(top)}` : ""}: ${formatPercent(trialScore(top))}`;
    const name = svgText([PLOT.left - 12, y + 4], method, "end", ` fill="${colour}"`);
    return name + marks.join("") + svgText([x(1) + 12, y + 4], chosen);
  });
  const title =
    "Trials on dev: mean of greedy and T = 1 TGC; ● learning rates, ○ values of the method's other field";
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 ${height}" font-family="system-ui, sans-serif" font-size="12" fill="#888">
<title>${title}</title>${raw(svgText([PLOT.left, 18], title, "start", ` font-size="13"`))}
${raw([...grid, ...rows].join("\n"))}
</svg>
`.source;
}
