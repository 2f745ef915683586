/**
 * Decides which texts a task of a split may mention. Each place or city belongs to a part of the population, and a
 * title may contain the name of a place or city.
 */
import type { ComposedSplit } from "bowline/goals";
import { placesOfPart } from "../life/life.ts";
import { PARTS, POOLS } from "../population/name-pools.ts";

/** Returns true when the text contains no place or city of another part. */
export function canMention(split: ComposedSplit, text: string): boolean {
  return PARTS.every(
    (part) =>
      part === split ||
      ![...placesOfPart(part), ...POOLS[part].cities].some((name) => text.includes(name)),
  );
}

/** Returns the cities where the people of a split live. */
export function citiesOfSplit(split: ComposedSplit): readonly string[] {
  return POOLS[split].cities;
}
