/**
 * Sentences about happenings as people write them: what was paid, and when something starts.
 *
 * Each sentence about a payment has exactly one amount, the words `the <what> at the <place>` and the word `paid`, so
 * that code can find them wherever they are in the sentence.
 */
import type { Rng } from "bowline/world";
import type { Cost, Happening } from "./life.ts";

/** Returns the words for a cost, such as `the wine at the Copper Fox`. */
export function describeCost(
  { what }: Pick<Cost, "what">,
  { place }: Pick<Happening, "place">,
): string {
  return `the ${what} at the ${place}`;
}

export function makePaidSentence(rng: Rng, happening: Happening, cost: Cost): string {
  const [thing, price] = [describeCost(cost, happening), `$${(cost.cents / 100).toFixed(2)}`];
  return rng.pick([
    `I paid ${price} for ${thing}.`,
    `Just so you know, I paid for ${thing}: ${price} in all.`,
    `That was fun! ${price} is what I paid for ${thing}.`,
    `I found the receipt: for ${thing} I paid ${price}.`,
    `Can we split ${thing}? I paid ${price}.`,
  ]);
}

/** Makes a sentence such as `it starts at 19:30 on 2026-03-20`, with exactly one time and one day. */
export function makeStartSentence(rng: Rng, { title, day, time }: Happening): string {
  return rng.pick([
    `${title}: it starts at ${time} on ${day}.`,
    `Do not forget, ${title} is on ${day}, we start at ${time}.`,
    `See you on ${day} for ${title}, come at ${time}.`,
    `On ${day} at ${time}, that is when we start. I mean ${title}.`,
  ]);
}
