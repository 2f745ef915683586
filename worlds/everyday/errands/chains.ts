/**
 * Which finder goes with which action, in which split, and which steps may follow each other.
 *
 * No pair of a finder and an action occurs in two splits, so every single step of a test errand is a pair that training
 * never shows, of parts that it shows with others. That holds at each length, so a longer test errand is longer and
 * nothing else.
 */

import type { Rng, Split } from "bowline/world";
import { actions } from "./actions.ts";
import type { Finder, Step } from "./parts.ts";
import { mailFinders } from "./places/mails.ts";
import { messageFinders } from "./places/messages.ts";
import { noteFinders } from "./places/notes.ts";
import { personFinders } from "./places/people.ts";
import { todoFinders } from "./places/todos.ts";

export const finders: readonly Finder[] = [
  ...mailFinders,
  ...noteFinders,
  ...messageFinders,
  ...todoFinders,
  ...personFinders,
];

/** Of the four finders behind an action two stay in train; what is held out moves along the diagonal of the table. */
function splitOf(row: number, column: number): Split {
  const place = (row + column) % 4;
  return place === 0 ? "test-normal" : place === 2 ? "dev" : "train";
}

/** The steps of a split: its pairs of a finder and an action. */
export function stepsOf(split: Split): readonly Step[] {
  return actions.flatMap((action) => {
    const column = actions.filter(({ kind }) => kind === action.kind).indexOf(action);
    return finders
      .filter(({ kind }) => kind === action.kind)
      .filter((_, row) => splitOf(row, column) === split)
      .map((finder) => ({ finder, action }));
  });
}

/**
 * What says a text is not among the things that are searched for it, or the search would find the former; a person
 * hands on the own name, which the step before may have said. An action occurs once, or two steps would share a check.
 */
function mayFollow(chain: readonly Step[], next: Step): boolean {
  const { kind } = chain.at(-1)!.finder;
  const person = kind === "person";
  const said = person ? [kind, chain.at(-2)?.finder.kind] : [kind];
  const { searches = next.finder.kind, takes } = next.finder;
  return (
    kind !== next.finder.kind &&
    !said.includes(searches) &&
    (!person || takes === "name") &&
    chain.every(({ action }) => action !== next.action)
  );
}

/** A chain of so many steps that begins with `first`. */
export function drawChain(rng: Rng, steps: readonly Step[], first: Step, length: number): Step[] {
  for (let attempt = 0; attempt < 200; attempt++) {
    const chain = [first];
    while (chain.length < length) {
      const open = steps.filter((step) => mayFollow(chain, step));
      if (open.length === 0) break;
      chain.push(rng.pick(open));
    }
    if (chain.length === length) return chain;
  }
  throw new Error(`no chain of ${length} steps begins with ${first.finder.name}`);
}

export const nameOf = (chain: readonly Step[]): string =>
  chain.map(({ finder, action }) => `${finder.name} + ${action.name}`).join(" > ");
