/** Renders how many tokens the run used, by phase and by task, and what they cost when they have a price. */

import type { Summary } from "../spec/index.ts";
import { type Html, html } from "./html.ts";
import { formatCost, formatTokenCount, formatUsage } from "./usage-text.ts";

interface UsageLine {
  readonly name: string;
  readonly prefill: number;
  readonly cached: number;
  readonly sampled: number;
  readonly trained: number;
  readonly cost?: number | undefined;
}

const PHASE_NAMES: { readonly [phase: string]: string } = {
  warm: "warm start",
  before: "evaluation before training",
  collect: "training rollouts",
  learn: "learning",
  evaluate: "later evaluations",
};

/** Renders the section, or nothing when the run did not count its tokens. */
export function renderUsageSection({ usage }: Summary): Html {
  if (usage === undefined) return html``;
  const phases = Object.entries(usage.phases).map(([name, tokens]) => ({
    name: PHASE_NAMES[name] ?? name,
    ...tokens,
  }));
  const tasks = usage.tasks.map(({ task, rollouts, ...tokens }) => ({
    name: `${task} (${rollouts} rollouts)`,
    ...tokens,
  }));
  return html`<section id="tokens"><h2>Tokens</h2><p class="note">${formatUsage(usage)}.</p>
<div class="scroll">${renderTable("phase", phases, false)}${renderTable("most expensive tasks", tasks, usage.cost !== undefined)}</div></section>`;
}

function renderTable(what: string, lines: readonly UsageLine[], priced: boolean): Html {
  if (lines.length === 0) return html``;
  const rows = lines.map(
    ({ name, prefill, cached, sampled, trained, cost = 0 }) =>
      html`<tr><th>${name}</th>${[prefill, cached, sampled, trained].map((count) => html`<td>${formatTokenCount(count)}</td>`)}${priced ? html`<td>${formatCost(cost)}</td>` : html``}</tr>`,
  );
  return html`<table><thead><tr><th>${what}</th><th>prompt</th><th>cached</th><th>sampled</th><th>trained</th>${priced ? html`<th>cost</th>` : html``}</tr></thead><tbody>${rows}</tbody></table>`;
}
