/**
 * All signatures, and the split to which each belongs. A signature is a selector with one action, two actions or the
 * count. As a whole, a test signature occurs in no training task. Its parts do occur in training, and so do most of its
 * pairs of a selector and one action (`signatures.test.ts` counts them). test-challenge needs the calendar, which no
 * training task opens.
 */

import type { Difficulty, Split } from "bowline/world";
import { actions, pairs } from "./actions.ts";
import type { Action, Selector } from "./algebra.ts";
import { selectors } from "./selectors.ts";

export interface Signature {
  readonly name: string;
  readonly selector: Selector;
  /** One or two actions. When there is none, the answer is the number of things selected. */
  readonly actions: readonly Action[];
  readonly difficulty: Difficulty;
  readonly split: Split;
}

/** The apps that no training, dev or test-normal task uses. */
export const CHALLENGE_APPS: readonly string[] = ["calendar"];

/**
 * Pairs of a selector and an action that changes which rows the selector selects. For example, setting another label on
 * all mails with a label would change the set itself, so the instruction would be ambiguous.
 */
const CLASHING_PAIRS: readonly string[] = [
  "mails.labelled+label",
  "mails.starred+star",
  "todos.due+set-due",
  "todos.in-list+move",
  "notes.tagged+tag",
];

function isClashing(selector: Selector, chosen: readonly Action[]): boolean {
  return chosen.some((action) => CLASHING_PAIRS.includes(`${selector.name}+${action.name}`));
}

/**
 * Lists the choices of actions for a kind: single actions, pairs that can be done in either order, and the count (no
 * action).
 */
function listActionChoices(kind: Selector["kind"]): (readonly Action[])[] {
  const own = actions.filter((action) => action.kind === kind);
  const double = pairs
    .map(([first, second]) => [first, second].map((name) => own.find((a) => a.name === name)))
    .filter((pair): pair is Action[] => pair.every((action) => action !== undefined));
  return [...own.map((action) => [action]), ...double, []];
}

/**
 * Chooses the split of a signature. A test task combines parts that training has in a way that training does not have.
 * So for each choice of actions, at least two selectors stay in train. The signatures of the other splits lie on
 * diagonals of the table of selectors and actions.
 */
function chooseSplit(selector: Selector, chosen: readonly Action[], column: number): Split {
  const usedApps = [selector.app, ...chosen.map((action) => action.app)];
  if (usedApps.some((app) => CHALLENGE_APPS.includes(app))) return "test-challenge";
  const rows = selectorsWithActions(selector.kind, chosen);
  const row = (rows.indexOf(selector) + column) % rows.length;
  if (rows.length >= 3 && row === 0) return "test-normal";
  return rows.length >= 4 && row === 2 ? "dev" : "train";
}

function selectorsWithActions(kind: Selector["kind"], chosen: readonly Action[]): Selector[] {
  return selectors.filter(
    (selector) =>
      selector.kind === kind && !isClashing(selector, chosen) && !isTrivial(selector, chosen),
  );
}

/** Returns true for a task that asks how many people one named person is, because its answer is always 1. */
function isTrivial(selector: Selector, chosen: readonly Action[]): boolean {
  return selector.direct && chosen.length === 0;
}

function computeDifficulty(selector: Selector, chosen: readonly Action[]): Difficulty {
  const simple = selector.direct && chosen.length === 1 && chosen[0]!.difficulty === 1;
  return simple ? 1 : 2;
}

export const signatures: readonly Signature[] = selectors.flatMap((selector) =>
  listActionChoices(selector.kind)
    .map((chosen, column) => ({ chosen, column }))
    .filter(({ chosen }) => !isClashing(selector, chosen) && !isTrivial(selector, chosen))
    .map(({ chosen, column }) => ({
      name: `${selector.name} > ${chosen.map((action) => action.name).join(" + ") || "count"}`,
      selector,
      actions: chosen,
      difficulty: computeDifficulty(selector, chosen),
      split: chooseSplit(selector, chosen, column),
    })),
);

export function signaturesOf(split: Split): readonly Signature[] {
  const own = signatures.filter((signature) => signature.split === split);
  if (own.length === 0) throw new Error(`no signatures in ${split}`);
  return own;
}
