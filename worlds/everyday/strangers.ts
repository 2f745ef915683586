/**
 * Who may be named: no task names people, cities, groups or places that belong to another part of the population.
 */
import type { ComposedSplit } from "bowline/goals";
import type { TableRow } from "bowline/world";
import { placesOf } from "./life/life.ts";
import { PARTS, POOLS } from "./population/names.ts";

interface Names {
  readonly strange: RegExp;
  /** A place may contain the last name of a stranger. */
  readonly own: RegExp;
}
const names = new Map<ComposedSplit, Names>();

export function namesStrangers(text: string, split: ComposedSplit): boolean {
  const known = names.get(split) ?? namesFor(split);
  names.set(split, known);
  return known.strange.test(text) && known.strange.test(text.replace(known.own, ""));
}

function namesFor(split: ComposedSplit): Names {
  const namesOf = (part: (typeof PARTS)[number]) => {
    const { last, cities, groups } = POOLS[part];
    return [...last, ...cities, ...groups, ...placesOf(part)];
  };
  const mine = new Set(namesOf(split));
  const others = PARTS.filter((part) => part !== split).flatMap(namesOf);
  const strange = others.filter((name) => !mine.has(name));
  return {
    strange: new RegExp(`\\b(${strange.join("|")})\\b`),
    own: new RegExp(`\\b(${placesOf(split).join("|")})\\b`, "g"),
  };
}

/** Rows are frozen and shared, so each is read once a split. */
const verdicts = new Map<ComposedSplit, WeakMap<TableRow, boolean>>();

/** Whether a value of this row may stand in an instruction. References are not followed. */
export function mentionable(row: TableRow, split: ComposedSplit): boolean {
  const seen = verdicts.get(split) ?? new WeakMap<TableRow, boolean>();
  verdicts.set(split, seen);
  const known = seen.get(row);
  if (known !== undefined) return known;
  const texts = Object.values(row).filter((cell) => typeof cell === "string");
  const verdict = !texts.some((text) => namesStrangers(text, split));
  seen.set(row, verdict);
  return verdict;
}
