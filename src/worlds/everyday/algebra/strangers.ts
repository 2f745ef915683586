/**
 * Who may be named: no task names people, cities, groups or places that belong to another part of the population.
 */
import type { ComposedSplit } from "../../../spec/index.ts";
import type { TableRow } from "../../../world/index.ts";
import { placesOf } from "../life/life.ts";
import { PARTS, POOLS } from "../population/names.ts";

const patterns = new Map<ComposedSplit, RegExp>();

export function namesStrangers(text: string, split: ComposedSplit): boolean {
  const known = patterns.get(split) ?? strangersOf(split);
  patterns.set(split, known);
  return known.test(text);
}

function strangersOf(split: ComposedSplit): RegExp {
  const namesOf = (part: (typeof PARTS)[number]) => {
    const { last, cities, groups } = POOLS[part];
    return [...last, ...cities, ...groups, ...placesOf(part)];
  };
  const mine = new Set(namesOf(split));
  const names = PARTS.filter((part) => part !== split).flatMap(namesOf);
  return new RegExp(`\\b(${names.filter((name) => !mine.has(name)).join("|")})\\b`);
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
