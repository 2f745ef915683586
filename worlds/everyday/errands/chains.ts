/**
 * Decides which finder goes with which action in which split, and which steps may follow each other.
 *
 * No pair of a finder and an action occurs in two splits. So training never shows a step of a test errand, but it shows
 * the step's finder and action in other pairs. This holds for every number of steps, so longer test errands differ from
 * shorter ones only in their length.
 */

import type { Rng, Split } from "bowline/world";
import { actions } from "./actions.ts";
import { mailFinders } from "./finders/mails.ts";
import { messageFinders } from "./finders/messages.ts";
import { noteFinders } from "./finders/notes.ts";
import { personFinders } from "./finders/people.ts";
import { todoFinders } from "./finders/todos.ts";
import type { Finder, Step } from "./step-types.ts";

export const finders: readonly Finder[] = [
  ...mailFinders,
  ...noteFinders,
  ...messageFinders,
  ...todoFinders,
  ...personFinders,
];

/**
 * Assigns a pair of a finder and an action to a split. Of the four finders for an action, two belong to train. The
 * pairs of the other splits lie on diagonals of the table of finders and actions.
 */
function splitOfPair(finderIndex: number, actionIndex: number): Split {
  const place = (finderIndex + actionIndex) % 4;
  return place === 0 ? "test-normal" : place === 2 ? "dev" : "train";
}

/** Returns the pairs of a finder and an action that belong to a split. */
export function stepsOfSplit(split: Split): readonly Step[] {
  return actions.flatMap((action) => {
    const actionIndex = actions.filter(({ kind }) => kind === action.kind).indexOf(action);
    return finders
      .filter(({ kind }) => kind === action.kind)
      .filter((_, finderIndex) => splitOfPair(finderIndex, actionIndex) === split)
      .map((finder) => ({ finder, action }));
  });
}

/**
 * Returns true when a step may follow the chain. A step must not search for things of the kind from which the text was
 * read, because the search would find that thing again. When the step before found a person, the text is the person's
 * name, which an even earlier thing may contain. Each action occurs once in a chain, so that no two steps share a
 * check.
 */
function canFollow(chain: readonly Step[], next: Step): boolean {
  const { kind } = chain.at(-1)!.finder;
  const isPerson = kind === "person";
  const excludedKinds = isPerson ? [kind, chain.at(-2)?.finder.kind] : [kind];
  const { searchedKind = next.finder.kind, keyKind } = next.finder;
  return (
    kind !== next.finder.kind &&
    !excludedKinds.includes(searchedKind) &&
    (!isPerson || keyKind === "name") &&
    chain.every(({ action }) => action !== next.action)
  );
}

/** Draws a chain of `length` steps that begins with `first`. */
export function drawChain(rng: Rng, steps: readonly Step[], first: Step, length: number): Step[] {
  for (let attempt = 0; attempt < 200; attempt++) {
    const chain = [first];
    while (chain.length < length) {
      const possible = steps.filter((step) => canFollow(chain, step));
      if (possible.length === 0) break;
      chain.push(rng.pick(possible));
    }
    if (chain.length === length) return chain;
  }
  throw new Error(
    `found no chain of ${length} steps that begins with ${first.finder.name} in 200 attempts`,
  );
}

export const chainSignature = (chain: readonly Step[]): string =>
  chain.map(({ finder, action }) => `${finder.name} + ${action.name}`).join(" > ");
