/** The browsable sample of rollouts: a list to filter, and each one turn by turn, its tokens coloured by advantage. */

import { joinRolloutTokens } from "../algo/index.ts";
import type { Turn } from "../spec/index.ts";
import { type Html, html } from "./html.ts";
import { type Check, doneIn, seenAfter, verdict } from "./rollout-text.ts";
import type { Notes } from "./run-directory.ts";
import type { Shown } from "./sample.ts";
import type { TokenText } from "./token-text.ts";
import { cut } from "./words.ts";

export function rolloutsSection(shown: readonly Shown[], textOf: TokenText | undefined): Html {
  if (shown.length === 0) return html``;
  const phases = [...new Set(shown.map(({ phase }) => phase))];
  const hasNotes = textOf !== undefined && shown.some(({ notes }) => notes !== undefined);
  const largest = Math.max(
    ...shown.flatMap(({ notes }) => advantagesOf(notes)).map(Math.abs),
    1e-9,
  );
  const view = textOf && { textOf, largest };
  return html`<section id="rollouts"><h2>Rollouts <small>a sample of ${shown.length}</small></h2>
<form class="filters">
<label>phase <select name="phase"><option value="">all</option>${phases.map((phase) => html`<option>${phase}</option>`)}</select></label>
<label>result <select name="passed"><option value="">all</option><option value="1">solved</option><option value="0">failed</option></select></label>
<label>task <input name="task" type="search" placeholder="words of the instruction, a signature, an id"></label>
<output name="found"></output></form>
${hasNotes && html`<p class="note legend">Tokens that the agent sampled in training are coloured by advantage: <i class="swatch" style="--a:1"></i> more of this, <i class="swatch" style="--a:-1"></i> less of this. Point at one for its numbers; underlined where the ratio has left 1 by more than 0.1.</p>`}
<div class="browser"><ol class="list">${shown.map(listItem)}</ol>
<div class="detail">${shown.map((item, i) => article(item, i, view))}</div></div></section>`;
}

function listItem({ rollout, phase, label }: Shown, i: number): Html {
  const solved = rollout.evaluation?.passed === true;
  const words =
    `${rollout.task.id} ${rollout.task.signature} ${rollout.task.instruction}`.toLowerCase();
  return html`<li data-phase="${phase}" data-passed="${solved ? 1 : 0}" data-words="${words}"><a href="#rollout-${i}"><span class="mark ${solved ? "yes" : "no"}">${solved ? "✓" : "✗"}</span><span>${cut(rollout.task.instruction, 90)}<small>${label} · ${rollout.task.id}</small></span></a></li>`;
}

function article({ rollout, notes, label }: Shown, i: number, view: Tint | undefined): Html {
  const { task, evaluation } = rollout;
  const solved = evaluation?.passed === true;
  const facts = [label, task.id, `difficulty ${task.difficulty}`, task.signature];
  const joined = joinRolloutTokens(rollout);
  const viewOf = ({ segment = 0 }: Turn): TokenView | undefined => {
    if (!notes || !joined || !view) return undefined;
    const start = segment === 0 ? 0 : joined.starts[segment - 1]!;
    return { tokens: joined.ids, notes, start, ...view };
  };
  return html`<article id="rollout-${i}"><p class="facts">${facts.join(" · ")}</p>
<p class="instruction">${task.instruction}</p>
${rollout.turns.map((turn, t) => turnBlock(turn, t, viewOf(turn)))}
<p class="verdict ${solved ? "yes" : "no"}">${solved ? "✓" : "✗"} ${verdict(rollout)}</p>
${rollout.failure && html`<p class="failure">${rollout.failure.boundary}: ${rollout.failure.message}</p>`}
<ul class="checks">${evaluation?.checks.map(checkItem) ?? []}</ul></article>`;
}

function checkItem(check: Check): Html {
  return html`<li class="${check.passed ? "yes" : "no"}"><span class="mark">${check.passed ? "✓" : "✗"}</span><span>${check.name} <small>${check.label}</small>${check.detail && html`<span class="why">${check.detail}</span>`}</span></li>`;
}

interface Tint {
  readonly textOf: TokenText;
  /** The largest |advantage| on the page gets the full colour. */
  readonly largest: number;
}

interface TokenView extends Tint {
  /** Of all rows of the rollout, end to end; `start` is where the turn's row begins. */
  readonly tokens: readonly number[];
  readonly start: number;
  readonly notes: Notes;
}

/** One for each rollout: all of its tokens share it, unless an algorithm says otherwise. */
function advantagesOf(notes: Notes | undefined): number[] {
  return notes ? [...notes.values()].map(({ advantage }) => advantage) : [];
}

function turnBlock(turn: Turn, index: number, view: TokenView | undefined): Html {
  const code = view && turn.span ? tokenSpans(turn.span, view) : html`${doneIn(turn)}`;
  const seen = turn.part ? `(${turn.part})` : seenAfter(turn).trimEnd() || "(nothing printed)";
  return html`<div class="turn"><span class="number">${index + 1}</span><div><pre class="code">${code}</pre>
<pre class="observation ${turn.status}">${turn.limit && html`<b>limit: ${turn.limit}</b>\n`}${seen}</pre></div></div>`;
}

function tokenSpans(
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
    return html`<span class="token${moved ? " moved" : ""}${special ? " special" : ""}" style="--a:${strength}" data-note="${`advantage ${signed(note.advantage)} · ratio ${note.ratio.toFixed(3)}`}">${shown}</span>`;
  });
  return html`${spans}`;
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;
}
