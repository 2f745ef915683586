/** One thing that a task may name: a mail or an event whose title stands in no other row's, of people who may be named. */
import type { DrawContext } from "bowline/goals";
import { canMention } from "../mentionable.ts";

/** A row that fits, of people who may be named, with a title that stands in no other row's. */
export function soleOf<R>(
  { rng, split, people }: DrawContext,
  rows: readonly R[],
  of: { readonly title: (row: R) => string; readonly people: (row: R) => readonly number[] },
  fits: (row: R) => boolean,
): R | undefined {
  const mine = new Set(people.map(({ id }) => id));
  const titleOf = (row: R) => of.title(row).toLowerCase();
  const found = rows.filter(
    (row) =>
      canMention(split, of.title(row)) && of.people(row).every((id) => mine.has(id)) && fits(row),
  );
  const alone = (one: R) => rows.filter((row) => titleOf(row).includes(titleOf(one))).length === 1;
  return rng.shuffle(found).slice(0, 12).find(alone);
}
