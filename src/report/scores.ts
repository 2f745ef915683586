/** Before and after: a picture with intervals, the table behind it, and how the behaviour changed. */

import type { Score, Summary } from "../spec/index.ts";
import { type Html, html, raw } from "./html.ts";
import {
  behaviourNames,
  behaviourRow,
  behaviourWords,
  difficultyRows,
  type ScoreRow,
  scoreRows,
  withInterval,
} from "./score-rows.ts";
import { compact, percent, points } from "./words.ts";

export function scoresSection(summary: Summary): Html {
  const rows = scoreRows(summary);
  return html`<section id="result"><h2>Before and after</h2>
<div class="result">
${dumbbells(rows)}
<div class="scroll">${scoreTable(rows)}${difficultyTable(rows)}</div>
</div>
<p class="note"><b>TGC</b>: tasks whose checks all pass, in percent, with the 95% interval (tasks of a scenario count as one cluster). <b>SGC</b>: scenarios whose three tasks all pass.
<b>Before</b> is after the warm start and before the first LOOP update. Test tasks were never trained on.</p>
${behaviours(rows)}</section>`;
}

function change(before: number, after: number): Html {
  const text = points(before, after);
  const kind = text.startsWith("+") ? "up" : text.startsWith("−") ? "down" : "same";
  return html`<td class="${kind}">${text}</td>`;
}

function scoreTable(rows: readonly ScoreRow[]): Html {
  return html`<table><thead><tr><th>split</th><th>decoding</th><th>TGC before</th><th>TGC after</th><th>points</th><th>SGC before</th><th>SGC after</th><th>points</th></tr></thead>
<tbody>${rows.map(
    ({ split, mode, before, after }) =>
      html`<tr><th>${split}</th><td>${mode}</td><td>${withInterval(before)}</td><td>${withInterval(after)}</td>${change(before.tgc, after.tgc)}<td>${percent(before.sgc)}</td><td>${percent(after.sgc)}</td>${change(before.sgc, after.sgc)}</tr>`,
  )}</tbody></table>`;
}

function difficultyTable(rows: readonly ScoreRow[]): Html {
  return html`<table><thead><tr><th>split</th><th>difficulty</th><th>of tasks</th><th>TGC before</th><th>TGC after</th><th>points</th><th>SGC before</th><th>SGC after</th><th>points</th></tr></thead>
<tbody>${difficultyRows(rows).map(
    ({ split, level, share, before, after }) =>
      html`<tr><th>${split}</th><td>${level}</td><td>${percent(share)}%</td><td>${percent(before.tgc)}</td><td>${percent(after.tgc)}</td>${change(before.tgc, after.tgc)}<td>${percent(before.sgc)}</td><td>${percent(after.sgc)}</td>${change(before.sgc, after.sgc)}</tr>`,
  )}</tbody></table>`;
}

const WIDTH = 460;
const ROW = 46;
const LEFT = 128;
const RIGHT = WIDTH - 24;

/** TGC of each split and mode on one axis from 0 to 100%: where it was, where it is, and how sure that is. */
function dumbbells(rows: readonly ScoreRow[]): Html {
  const height = rows.length * ROW + 34;
  const x = (share: number) => Math.round((LEFT + share * (RIGHT - LEFT)) * 10) / 10;
  const grid = [0, 0.25, 0.5, 0.75, 1].map(
    (tick) =>
      `<line class="grid" x1="${x(tick)}" x2="${x(tick)}" y1="8" y2="${height - 26}"/><text class="tick" x="${x(tick)}" y="${height - 9}" text-anchor="middle">${tick * 100}%</text>`,
  );
  const marks = rows.map(({ before, after }, i) => {
    const y = 8 + i * ROW + ROW / 2;
    return [
      `<line class="way" x1="${x(before.tgc)}" x2="${x(after.tgc)}" y1="${y}" y2="${y}"/>`,
      mark(before, "before", x, y),
      mark(after, "after", x, y),
    ].join("");
  });
  const labels = rows.map(({ split, mode, before, after }, i) => {
    const y = 8 + i * ROW + ROW / 2;
    return html`<text class="name" x="0" y="${y - 2}">${split}</text><text class="tick" x="0" y="${y + 13}">${mode}</text>
<title>${`${split} ${mode}: ${percent(before.tgc)}% to ${percent(after.tgc)}%`}</title>`;
  });
  return html`<figure class="chart wide"><figcaption><b>Task goal completion</b><span class="key"><i class="before"></i>before <i class="after"></i>after</span></figcaption>
<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Task goal completion before and after">${raw(grid.join(""))}${raw(marks.join(""))}${labels}</svg></figure>`;
}

function mark(score: Score, name: string, x: (share: number) => number, y: number): string {
  const [low, high] = score.tgcInterval;
  const value = percent(score.tgc);
  const lift = name === "before" ? 20 : -11;
  return `<g class="${name}"><line class="interval" x1="${x(low)}" x2="${x(high)}" y1="${y}" y2="${y}"/><circle cx="${x(score.tgc)}" cy="${y}" r="5.5"/><text x="${x(score.tgc)}" y="${y + lift}" text-anchor="middle">${value}</text></g>`;
}

/** What the agent does before and after, on the first split that was scored; what it never does is left out. */
function behaviours(rows: readonly ScoreRow[]): Html {
  const row = behaviourRow(rows);
  const names = row ? behaviourNames(row) : [];
  if (row === undefined || names.length === 0) return html``;
  const lines = names.map((name) => {
    const before = row.before.behaviour[name] ?? 0;
    const after = row.after.behaviour[name] ?? 0;
    const most = Math.max(before, after, 1e-9);
    const bar = (value: number, kind: string) =>
      html`<td class="bar"><i class="${kind}" style="width:${Math.round((value / most) * 100)}%"></i><span>${compact(value)}</span></td>`;
    return html`<tr><th>${behaviourWords(name)}</th>${bar(before, "before")}${bar(after, "after")}</tr>`;
  });
  return html`<h3>Behaviour <small>on ${row.split}, ${row.mode}; counts a task, rates a turn</small></h3>
<div class="scroll"><table class="behaviour"><thead><tr><th></th><th>before</th><th>after</th></tr></thead><tbody>${lines}</tbody></table></div>`;
}
