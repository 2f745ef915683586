/** Renders the scores before and after training: a chart with intervals, the tables, and how the behaviour changed. */

import type { Score, Summary } from "../spec/index.ts";
import { type Bar, barStyle, placeBars } from "./bar-scale.ts";
import { formatChange, formatCompact, formatPercent } from "./format.ts";
import { type Html, html, raw } from "./html.ts";
import {
  chooseBehaviourRow,
  formatBehaviourName,
  formatTgc,
  listBehaviours,
  listDifficultyRows,
  listScoreRows,
  type ScoreRow,
} from "./score-rows.ts";

export function renderScoresSection(summary: Summary): Html {
  const rows = listScoreRows(summary);
  return html`<section id="result"><h2>Before and after training</h2>
<div class="result">
${renderBeforeAfterChart(rows)}
<div class="scroll">${renderScoreTable(rows)}${renderDifficultyTable(rows)}</div>
</div>
<p class="note"><b>TGC</b> (task goal completion) is the percentage of tasks whose checks all pass, with its 95% interval (tasks of a scenario count as one cluster). <b>SGC</b> (scenario goal completion) is the percentage of scenarios whose three tasks all pass.
<b>Before</b> means after the warm start and before the first LOOP update. Test tasks are never trained on.</p>
${renderBehaviour(rows)}</section>`;
}

function renderChange(before: number, after: number): Html {
  const text = formatChange(before, after);
  const kind = text.startsWith("+") ? "up" : text.startsWith("−") ? "down" : "same";
  return html`<td class="${kind}">${text}</td>`;
}

function renderScoreTable(rows: readonly ScoreRow[]): Html {
  return html`<table><thead><tr><th>split</th><th>decoding</th><th>TGC before</th><th>TGC after</th><th>change</th><th>SGC before</th><th>SGC after</th><th>change</th></tr></thead>
<tbody>${rows.map(
    ({ split, mode, before, after }) =>
      html`<tr><th>${split}</th><td>${mode}</td><td>${formatTgc(before)}</td><td>${formatTgc(after)}</td>${renderChange(before.tgc, after.tgc)}<td>${formatPercent(before.sgc)}</td><td>${formatPercent(after.sgc)}</td>${renderChange(before.sgc, after.sgc)}</tr>`,
  )}</tbody></table>`;
}

function renderDifficultyTable(rows: readonly ScoreRow[]): Html {
  return html`<table><thead><tr><th>split</th><th>difficulty</th><th>share of tasks</th><th>TGC before</th><th>TGC after</th><th>change</th><th>SGC before</th><th>SGC after</th><th>change</th></tr></thead>
<tbody>${listDifficultyRows(rows).map(
    ({ split, level, share, before, after }) =>
      html`<tr><th>${split}</th><td>${level}</td><td>${formatPercent(share)}%</td><td>${formatPercent(before.tgc)}</td><td>${formatPercent(after.tgc)}</td>${renderChange(before.tgc, after.tgc)}<td>${formatPercent(before.sgc)}</td><td>${formatPercent(after.sgc)}</td>${renderChange(before.sgc, after.sgc)}</tr>`,
  )}</tbody></table>`;
}

const WIDTH = 460;
const ROW_HEIGHT = 46;
const PLOT_LEFT = 128;
const PLOT_RIGHT = WIDTH - 24;

/**
 * Draws TGC (the share of tasks that pass) before and after training with its interval, for each split and mode, on one
 * axis from 0 to 100%.
 */
function renderBeforeAfterChart(rows: readonly ScoreRow[]): Html {
  const height = rows.length * ROW_HEIGHT + 34;
  const xForShare = (share: number) =>
    Math.round((PLOT_LEFT + share * (PLOT_RIGHT - PLOT_LEFT)) * 10) / 10;
  const grid = [0, 0.25, 0.5, 0.75, 1].map(
    (tick) =>
      `<line class="grid" x1="${xForShare(tick)}" x2="${xForShare(tick)}" y1="8" y2="${height - 26}"/><text class="tick" x="${xForShare(tick)}" y="${height - 9}" text-anchor="middle">${tick * 100}%</text>`,
  );
  const marks = rows.map(({ before, after }, i) => {
    const y = 8 + i * ROW_HEIGHT + ROW_HEIGHT / 2;
    return [
      `<line class="way" x1="${xForShare(before.tgc)}" x2="${xForShare(after.tgc)}" y1="${y}" y2="${y}"/>`,
      drawMark(before, "before", xForShare, y),
      drawMark(after, "after", xForShare, y),
    ].join("");
  });
  const labels = rows.map(({ split, mode, before, after }, i) => {
    const y = 8 + i * ROW_HEIGHT + ROW_HEIGHT / 2;
    return html`<text class="name" x="0" y="${y - 2}">${split}</text><text class="tick" x="0" y="${y + 13}">${mode}</text>
<title>${`${split} ${mode}: ${formatPercent(before.tgc)}% to ${formatPercent(after.tgc)}%`}</title>`;
  });
  return html`<figure class="chart wide"><figcaption><b>Task goal completion</b><span class="key"><i class="before"></i>before <i class="after"></i>after</span></figcaption>
<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Task goal completion before and after">${raw(grid.join(""))}${raw(marks.join(""))}${labels}</svg></figure>`;
}

function drawMark(score: Score, name: string, x: (share: number) => number, y: number): string {
  const [low, high] = score.tgcInterval;
  const value = formatPercent(score.tgc);
  const lift = name === "before" ? 20 : -11;
  return `<g class="${name}"><line class="interval" x1="${x(low)}" x2="${x(high)}" y1="${y}" y2="${y}"/><circle cx="${x(score.tgc)}" cy="${y}" r="5.5"/><text x="${x(score.tgc)}" y="${y + lift}" text-anchor="middle">${value}</text></g>`;
}

/**
 * Renders the agent's behaviour before and after training, on the first scored split. Behaviour that never occurs is
 * omitted.
 */
function renderBehaviour(rows: readonly ScoreRow[]): Html {
  const row = chooseBehaviourRow(rows);
  const names = row ? listBehaviours(row) : [];
  if (row === undefined || names.length === 0) return html``;
  const lines = names.map((name) => {
    const before = row.before.behaviour[name] ?? 0;
    const after = row.after.behaviour[name] ?? 0;
    const [barBefore, barAfter] = placeBars([before, after]);
    const renderBar = (value: number, kind: string, bar: Bar) =>
      html`<td class="bar"><span class="scale"><i class="${kind}" style="${barStyle(bar)}"></i></span><span>${formatCompact(value)}</span></td>`;
    return html`<tr><th>${formatBehaviourName(name)}</th>${renderBar(before, "before", barBefore!)}${renderBar(after, "after", barAfter!)}</tr>`;
  });
  return html`<h3>Behaviour <small>on ${row.split}, ${row.mode}; counts are per task, rates per turn; the two bars of a row begin at zero of one scale, which ends at the larger value</small></h3>
<div class="scroll"><table class="behaviour"><thead><tr><th></th><th>before</th><th>after</th></tr></thead><tbody>${lines}</tbody></table></div>`;
}
