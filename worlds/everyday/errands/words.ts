/** Topics of errands: an adjective and a noun. A short search for the noun alone finds another adjective's thing first. */
import type { Rng } from "bowline/world";

/** No row of the population has one of these words. */
export const ADJECTIVES =
  "red blue green silver wooden paper copper velvet amber striped hollow crooked".split(" ");
export const NOUNS = (
  "picnic ladder sledge canoe puzzle lantern carpet violin harbour compass " +
  "kettle pillow saddle trumpet basket anchor mirror hammer blanket tunnel"
).split(" ");

/** So many topics with different nouns. */
export function drawTopics(rng: Rng, count: number): string[] {
  return rng.sample(NOUNS, count).map((noun) => `${rng.pick(ADJECTIVES)} ${noun}`);
}

/** The same noun with another adjective. */
export function nearTopic(rng: Rng, topic: string): string {
  const [adjective, noun] = topic.split(" ");
  return `${rng.pick(ADJECTIVES.filter((other) => other !== adjective))} ${noun}`;
}
