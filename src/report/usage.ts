/** What the run's tokens were spent on, by phase and by task, and what they cost where they have a price. */

import type { Summary } from "../spec/index.ts";
import { type Html, html } from "./html.ts";
import { money, short, usageLine } from "./usage-text.ts";

interface Line {
  readonly name: string;
  readonly prefill: number;
  readonly cached: number;
  readonly sampled: number;
  readonly trained: number;
  readonly cost?: number | undefined;
}

const PHASES: { readonly [phase: string]: string } = {
  warm: "warm start",
  before: "evaluation before",
  collect: "training rollouts",
  learn: "learning",
  evaluate: "evaluations later",
};

/** Nothing for runs of versions that did not count. */
export function usageSection({ usage }: Summary): Html {
  if (usage === undefined) return html``;
  const phases = Object.entries(usage.phases).map(([name, tokens]) => ({
    name: PHASES[name] ?? name,
    ...tokens,
  }));
  const tasks = usage.tasks.map(({ task, rollouts, ...tokens }) => ({
    name: `${task} (${rollouts} rollouts)`,
    ...tokens,
  }));
  return html`<section id="tokens"><h2>Tokens</h2><p class="note">${usageLine(usage)}.</p>
<div class="scroll">${table("phase", phases, false)}${table("dearest tasks", tasks, usage.cost !== undefined)}</div></section>`;
}

function table(what: string, lines: readonly Line[], priced: boolean): Html {
  if (lines.length === 0) return html``;
  const rows = lines.map(
    ({ name, prefill, cached, sampled, trained, cost = 0 }) =>
      html`<tr><th>${name}</th>${[prefill, cached, sampled, trained].map((count) => html`<td>${short(count)}</td>`)}${priced ? html`<td>${money(cost)}</td>` : html``}</tr>`,
  );
  return html`<table><thead><tr><th>${what}</th><th>read</th><th>again</th><th>sampled</th><th>trained</th>${priced ? html`<th>cost</th>` : html``}</tr></thead><tbody>${rows}</tbody></table>`;
}
