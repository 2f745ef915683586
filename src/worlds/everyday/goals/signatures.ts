/**
 * All compositions, and which split owns which. A test signature is a pair of parts that no training task combines,
 * although each part occurs in training; test-challenge needs the calendar, which no training task opens.
 */
import { assert } from "../../../core/index.ts";
import type { Difficulty, Split } from "../../../spec/index.ts";
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

function compositions(selector: Selector): (readonly Action[])[] {
  const own = actions.filter((action) => action.kind === selector.kind);
  const double = pairs
    .map(([first, second]) => [first, second].map((name) => own.find((a) => a.name === name)))
    .filter((pair): pair is Action[] => pair.every((action) => action !== undefined));
  return [...own.map((action) => [action]), ...double, []].filter(
    (chosen) => !clash(selector, chosen),
  );
}

/** A kind with fewer selectors is trained on whole: its actions would be seen with one selector or none. */
const FEWEST_SELECTORS = 3;

/** Diagonals of the selector x composition table of a kind, so that every part keeps training examples. */
function splitOf(selector: Selector, chosen: readonly Action[], column: number): Split {
  const used = [selector.app, ...chosen.map((action) => action.app)];
  if (used.some((app) => CHALLENGE_APPS.includes(app))) return "test-challenge";
  const rows = selectors.filter(({ kind }) => kind === selector.kind);
  if (rows.length < FEWEST_SELECTORS) return "train";
  const row = rows.indexOf(selector);
  const diagonal = (2 * row + column) % 5;
  if (diagonal === 0) return "test-normal";
  return diagonal === 2 && row % 2 === 0 ? "dev" : "train";
}

function difficultyOf(selector: Selector, chosen: readonly Action[]): Difficulty {
  const simple = selector.direct && chosen.length === 1 && chosen[0]!.difficulty === 1;
  return simple ? 1 : 2;
}

export const signatures: readonly Signature[] = selectors.flatMap((selector) =>
  compositions(selector)
    // Counting one named person asks nothing.
    .filter((chosen) => !(selector.direct && chosen.length === 0))
    .map((chosen, column) => ({
      name: `${selector.name} > ${chosen.map((action) => action.name).join(" + ") || "count"}`,
      selector,
      actions: chosen,
      difficulty: difficultyOf(selector, chosen),
      split: splitOf(selector, chosen, column),
    })),
);

export function signaturesOf(split: Split): readonly Signature[] {
  const own = signatures.filter((signature) => signature.split === split);
  assert(own.length > 0, `no signatures in ${split}`);
  return own;
}
