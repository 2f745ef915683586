/**
 * All compositions, and which split owns which. A test signature is a selector with an action, two or the count, as a
 * whole in no training task. Its parts are, and most of its pairs of a selector and one action as well: alone, or within a
 * larger task (`signatures.test.ts` counts them). test-challenge needs the calendar, which no training task opens.
 */

import type { Difficulty, Split } from "bowline/world";
import {} from "bowline/world";
import { actions, pairs } from "./actions.ts";
import type { Action, Selector } from "./parts.ts";
import { selectors } from "./selectors.ts";

export interface Signature {
  readonly name: string;
  readonly selector: Selector;
  /** One or two actions; none: the answer is the number of things selected. */
  readonly actions: readonly Action[];
  readonly difficulty: Difficulty;
  readonly split: Split;
}

/** Apps that no training, dev or test-normal task touches. */
export const CHALLENGE_APPS: readonly string[] = ["calendar"];

/**
 * Actions that would empty or collide with what a selector selects on: labelling the mails of a label changes the very
 * set, so the instruction would depend on when it is read.
 */
const CLASHES: readonly string[] = [
  "mails.labelled+label",
  "mails.starred+star",
  "todos.due+set-due",
  "todos.in-list+move",
  "notes.tagged+tag",
];

function clash(selector: Selector, chosen: readonly Action[]): boolean {
  return chosen.some((action) => CLASHES.includes(`${selector.name}+${action.name}`));
}

/** Single actions, pairs that commute, and the count (no action). */
function compositions(kind: Selector["kind"]): (readonly Action[])[] {
  const own = actions.filter((action) => action.kind === kind);
  const double = pairs
    .map(([first, second]) => [first, second].map((name) => own.find((a) => a.name === name)))
    .filter((pair): pair is Action[] => pair.every((action) => action !== undefined));
  return [...own.map((action) => [action]), ...double, []];
}

/**
 * Which of a composition's selectors go to which split. A test asks for a whole that was never seen, of parts that were:
 * so two selectors at least stay in train, and what is held out moves along the diagonal of the table.
 */
function splitOf(selector: Selector, chosen: readonly Action[], column: number): Split {
  const used = [selector.app, ...chosen.map((action) => action.app)];
  if (used.some((app) => CHALLENGE_APPS.includes(app))) return "test-challenge";
  const rows = selectorsFor(selector.kind, chosen);
  const row = (rows.indexOf(selector) + column) % rows.length;
  if (rows.length >= 3 && row === 0) return "test-normal";
  return rows.length >= 4 && row === 2 ? "dev" : "train";
}

function selectorsFor(kind: Selector["kind"], chosen: readonly Action[]): Selector[] {
  return selectors.filter(
    (selector) => selector.kind === kind && !clash(selector, chosen) && !trivial(selector, chosen),
  );
}

/** Counting one named person asks nothing. */
function trivial(selector: Selector, chosen: readonly Action[]): boolean {
  return selector.direct && chosen.length === 0;
}

function difficultyOf(selector: Selector, chosen: readonly Action[]): Difficulty {
  const simple = selector.direct && chosen.length === 1 && chosen[0]!.difficulty === 1;
  return simple ? 1 : 2;
}

export const signatures: readonly Signature[] = selectors.flatMap((selector) =>
  compositions(selector.kind)
    .map((chosen, column) => ({ chosen, column }))
    .filter(({ chosen }) => !clash(selector, chosen) && !trivial(selector, chosen))
    .map(({ chosen, column }) => ({
      name: `${selector.name} > ${chosen.map((action) => action.name).join(" + ") || "count"}`,
      selector,
      actions: chosen,
      difficulty: difficultyOf(selector, chosen),
      split: splitOf(selector, chosen, column),
    })),
);

export function signaturesOf(split: Split): readonly Signature[] {
  const own = signatures.filter((signature) => signature.split === split);
  if (own.length === 0) throw new Error(`no signatures in ${split}`);
  return own;
}
