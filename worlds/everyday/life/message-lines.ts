/**
 * Sentences about happenings, as people write them: what was paid, and when something starts.
 *
 * Each way to say what was paid has exactly one amount, the words `the <what> at the <place>` and the word `paid`, so
 * whoever reads the text finds them wherever they stand in it.
 */
import type { Rng } from "bowline/world";
import type { Cost, Happening } from "./life.ts";

/** `the wine at the Copper Fox` */
export function costWords(
  { what }: Pick<Cost, "what">,
  { place }: Pick<Happening, "place">,
): string {
  return `the ${what} at the ${place}`;
}

export function paidLine(rng: Rng, happening: Happening, cost: Cost): string {
  const [thing, price] = [costWords(cost, happening), `$${(cost.cents / 100).toFixed(2)}`];
  return rng.pick([
    `I paid ${price} for ${thing}.`,
    `Just so you know, I paid for ${thing}: ${price} in all.`,
    `That was fun! ${price} is what I paid for ${thing}.`,
    `I found the receipt: for ${thing} I paid ${price}.`,
    `Can we split ${thing}? I paid ${price}.`,
  ]);
}

/** `starts at 19:30 on 2026-03-20` or the like; one time and one day. */
export function startLine(rng: Rng, { title, day, time }: Happening): string {
  return rng.pick([
    `${title}: it starts at ${time} on ${day}.`,
    `Do not forget, ${title} is on ${day}, we start at ${time}.`,
    `See you on ${day} for ${title}, come at ${time}.`,
    `On ${day} at ${time}, that is when we start. I mean ${title}.`,
  ]);
}
