/** What a task of a split may say aloud: places of happenings belong to parts, and a title may contain one. */
import type { ComposedSplit } from "bowline/goals";
import { placesOfPart } from "../life/life.ts";
import { PARTS, POOLS } from "../population/name-pools.ts";

/** No place of another part occurs in the text. */
export function mentionable(split: ComposedSplit, text: string): boolean {
  return PARTS.every(
    (part) =>
      part === split ||
      ![...placesOfPart(part), ...POOLS[part].cities].some((name) => text.includes(name)),
  );
}

/** The cities whose contacts the split knows. */
export function citiesOf(split: ComposedSplit): readonly string[] {
  return POOLS[split].cities;
}
