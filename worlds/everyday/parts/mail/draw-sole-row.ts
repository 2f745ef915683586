import type { DrawContext } from "bowline/goals";
import { canMention } from "../mentionable.ts";

/**
 * Draws a row for which `fits` returns true and whose people the task may name. No other row's title contains the title
 * of this row.
 */
export function drawSoleRow<R>(
  { rng, split, people }: DrawContext,
  rows: readonly R[],
  describe: { readonly title: (row: R) => string; readonly people: (row: R) => readonly number[] },
  fits: (row: R) => boolean,
): R | undefined {
  const nameableIds = new Set(people.map(({ id }) => id));
  const lowerCaseTitle = (row: R) => describe.title(row).toLowerCase();
  const found = rows.filter(
    (row) =>
      canMention(split, describe.title(row)) &&
      describe.people(row).every((id) => nameableIds.has(id)) &&
      fits(row),
  );
  const hasUniqueTitle = (one: R) =>
    rows.filter((row) => lowerCaseTitle(row).includes(lowerCaseTitle(one))).length === 1;
  return rng.shuffle(found).slice(0, 12).find(hasUniqueTitle);
}
