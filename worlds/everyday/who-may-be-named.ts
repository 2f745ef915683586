/**
 * Decides who may be named. No task names people, cities, groups or places that belong to another part of the
 * population.
 */
import type { ComposedSplit } from "bowline/goals";
import type { TableRow } from "bowline/world";
import { placesOfPart } from "./life/life.ts";
import { PARTS, POOLS } from "./population/name-pools.ts";

interface NamePatterns {
  readonly strange: RegExp;
  /** Matches the places of the split. A place may contain the last name of a person of another split. */
  readonly own: RegExp;
}
const patternsBySplit = new Map<ComposedSplit, NamePatterns>();

export function namesStrangers(text: string, split: ComposedSplit): boolean {
  const known = patternsBySplit.get(split) ?? makePatterns(split);
  patternsBySplit.set(split, known);
  return known.strange.test(text) && known.strange.test(text.replace(known.own, ""));
}

function makePatterns(split: ComposedSplit): NamePatterns {
  const namesOfPart = (part: (typeof PARTS)[number]) => {
    const { last, cities, groups } = POOLS[part];
    return [...last, ...cities, ...groups, ...placesOfPart(part)];
  };
  const ownNames = new Set(namesOfPart(split));
  const others = PARTS.filter((part) => part !== split).flatMap(namesOfPart);
  const strangeNames = others.filter((name) => !ownNames.has(name));
  return {
    strange: new RegExp(`\\b(${strangeNames.join("|")})\\b`),
    own: new RegExp(`\\b(${placesOfPart(split).join("|")})\\b`, "g"),
  };
}

/**
 * The stored results of checks of rows. Rows are frozen and shared, so each row has to be checked only once for each
 * split.
 */
const resultsBySplit = new Map<ComposedSplit, WeakMap<TableRow, boolean>>();

/**
 * Returns true when the texts of this row may occur in an instruction. Rows to which this row refers are not checked.
 */
export function isMentionable(row: TableRow, split: ComposedSplit): boolean {
  const seen = resultsBySplit.get(split) ?? new WeakMap<TableRow, boolean>();
  resultsBySplit.set(split, seen);
  const known = seen.get(row);
  if (known !== undefined) return known;
  const texts = Object.values(row).filter((cell) => typeof cell === "string");
  const verdict = !texts.some((text) => namesStrangers(text, split));
  seen.set(row, verdict);
  return verdict;
}
