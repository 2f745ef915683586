/**
 * The topics of errands: a topic is an adjective and a noun. A search for the noun alone first finds a decoy, whose
 * topic has another adjective.
 */
import type { Rng } from "bowline/world";

/** The adjectives of topics. These words occur in no row of the population. */
export const ADJECTIVES =
  "red blue green silver wooden paper copper velvet amber striped hollow crooked".split(" ");
export const NOUNS = (
  "picnic ladder sledge canoe puzzle lantern carpet violin harbour compass " +
  "kettle pillow saddle trumpet basket anchor mirror hammer blanket tunnel"
).split(" ");

/** Draws `count` topics with different nouns. */
export function drawTopics(rng: Rng, count: number): string[] {
  return rng.sample(NOUNS, count).map((noun) => `${rng.pick(ADJECTIVES)} ${noun}`);
}

/** Returns a topic with the same noun and another adjective. */
export function changeAdjective(rng: Rng, topic: string): string {
  const [adjective, noun] = topic.split(" ");
  return `${rng.pick(ADJECTIVES.filter((other) => other !== adjective))} ${noun}`;
}
