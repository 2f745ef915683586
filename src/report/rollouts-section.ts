/**
 * Renders a sample of rollouts: a list with filters, and each rollout turn by turn, with tokens coloured by advantage.
 */

import { isPassed, joinRolloutTokens } from "../algo/index.ts";
import type { Turn } from "../spec/index.ts";
import { cutLine } from "./format.ts";
import { type Html, html } from "./html.ts";
import type { SelectedRollout } from "./rollout-selection.ts";
import { actionText, type CheckResult, describeResult, observationText } from "./rollout-text.ts";
import type { TokenNotes } from "./run-directory.ts";
import type { DecodeToken } from "./token-text.ts";

export function renderRolloutsSection(
  shown: readonly SelectedRollout[],
  decodeToken: DecodeToken | undefined,
): Html {
  if (shown.length === 0) return html``;
  const phases = [...new Set(shown.map(({ phase }) => phase))];
  const hasNotes = decodeToken !== undefined && shown.some(({ notes }) => notes !== undefined);
  const largest = Math.max(
    ...shown.flatMap(({ notes }) => listAdvantages(notes)).map(Math.abs),
    1e-9,
  );
  const colouring = decodeToken && { textOf: decodeToken, largest };
  return html`<section id="rollouts"><h2>Rollouts <small>a sample of ${shown.length}</small></h2>
<form class="filters">
<label>phase <select name="phase"><option value="">all</option>${phases.map((phase) => html`<option>${phase}</option>`)}</select></label>
<label>result <select name="passed"><option value="">all</option><option value="1">solved</option><option value="0">failed</option></select></label>
<label>task <input name="task" type="search" placeholder="words of the instruction, a signature or an id"></label>
<output name="found"></output></form>
${hasNotes && html`<p class="note legend">Tokens that the agent sampled in training are coloured by advantage: <i class="swatch" style="--a:1"></i> positive, made more likely; <i class="swatch" style="--a:-1"></i> negative, made less likely. Point at a token to see its numbers. A token is underlined if its ratio differs from 1 by more than 0.1.</p>`}
<div class="browser"><ol class="list">${shown.map(renderListItem)}</ol>
<div class="detail">${shown.map((item, i) => renderRollout(item, i, colouring))}</div></div></section>`;
}

function renderListItem({ rollout, phase, label }: SelectedRollout, i: number): Html {
  const solved = isPassed(rollout);
  const words =
    `${rollout.task.id} ${rollout.task.signature} ${rollout.task.instruction}`.toLowerCase();
  return html`<li data-phase="${phase}" data-passed="${solved ? 1 : 0}" data-words="${words}"><a href="#rollout-${i}"><span class="mark ${solved ? "yes" : "no"}">${solved ? "✓" : "✗"}</span><span>${cutLine(rollout.task.instruction, 90)}<small>${label} · ${rollout.task.id}</small></span></a></li>`;
}

function renderRollout(
  { rollout, notes, label }: SelectedRollout,
  i: number,
  view: TokenColouring | undefined,
): Html {
  const { task, evaluation } = rollout;
  const solved = isPassed(rollout);
  const facts = [label, task.id, `difficulty ${task.difficulty}`, task.signature];
  const joined = joinRolloutTokens(rollout);
  const createTokenView = ({ segment = 0 }: Turn): TokenView | undefined => {
    if (!notes || !joined || !view) return undefined;
    const start = segment === 0 ? 0 : joined.starts[segment - 1]!;
    return { tokens: joined.ids, notes, start, ...view };
  };
  return html`<article id="rollout-${i}"><p class="facts">${facts.join(" · ")}</p>
<p class="instruction">${task.instruction}</p>
${rollout.turns.map((turn, t) => renderTurn(turn, t, createTokenView(turn)))}
<p class="verdict ${solved ? "yes" : "no"}">${solved ? "✓" : "✗"} ${describeResult(rollout)}</p>
${rollout.failure && html`<p class="failure">${rollout.failure.boundary}: ${rollout.failure.message}</p>`}
<ul class="checks">${evaluation?.checks.map(renderCheck) ?? []}</ul></article>`;
}

function renderCheck(check: CheckResult): Html {
  return html`<li class="${check.passed ? "yes" : "no"}"><span class="mark">${check.passed ? "✓" : "✗"}</span><span>${check.name} <small>${check.label}</small>${check.detail && html`<span class="why">${check.detail}</span>`}</span></li>`;
}

interface TokenColouring {
  readonly textOf: DecodeToken;
  /** The largest |advantage| on the page. It is shown in the full colour. */
  readonly largest: number;
}

interface TokenView extends TokenColouring {
  /** The token ids of all rows of the rollout, joined. `start` is where the turn's row begins in them. */
  readonly tokens: readonly number[];
  readonly start: number;
  readonly notes: TokenNotes;
}

/**
 * Returns the advantages of a rollout's tokens. They are all equal unless a method gives tokens different advantages.
 */
function listAdvantages(notes: TokenNotes | undefined): number[] {
  return notes ? [...notes.values()].map(({ advantage }) => advantage) : [];
}

function renderTurn(turn: Turn, index: number, view: TokenView | undefined): Html {
  const code = view && turn.span ? renderTokens(turn.span, view) : html`${actionText(turn)}`;
  const seen = turn.part
    ? `(${turn.part})`
    : observationText(turn).trimEnd() || "(nothing printed)";
  return html`<div class="turn"><span class="number">${index + 1}</span><div><pre class="code">${code}</pre>
<pre class="observation ${turn.status}">${turn.limit && html`<b>limit: ${turn.limit}</b>\n`}${seen}</pre></div></div>`;
}

function renderTokens(
  span: readonly [number, number],
  { tokens, notes, textOf, largest, start }: TokenView,
): Html {
  const [from, to] = span.map((position) => start + position) as [number, number];
  const spans = tokens.slice(from, to).map((id, i) => {
    const note = notes.get(from + i);
    const text = textOf(id);
    const special = /^<\|.*\|>$/.test(text);
    const shown = special ? text.slice(2, -2) : text;
    if (!note) return html`<span>${shown}</span>`;
    const moved = Math.abs(note.ratio - 1) > 0.1;
    const share = Math.sqrt(Math.abs(note.advantage) / largest);
    const strength = (Math.sign(note.advantage) * share).toFixed(2);
    return html`<span class="token${moved ? " moved" : ""}${special ? " special" : ""}" style="--a:${strength}" data-note="${`advantage ${formatSigned(note.advantage)} · ratio ${note.ratio.toFixed(3)}`}">${shown}</span>`;
  });
  return html`${spans}`;
}

function formatSigned(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;
}
