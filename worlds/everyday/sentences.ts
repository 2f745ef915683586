/** The sentences that people in this world send one another and write down. */

import type { ComposedSplit } from "bowline/goals";
import type { Rng } from "bowline/world";

const SENTENCES = [
  "see you soon",
  "the plan has changed, call me",
  "thanks for everything last week",
  "please send me the address again",
  "I will be half an hour late",
  "bring a warm jacket",
  "the tickets are at the door",
  "we meet at the north gate",
  "let us talk about it on Monday",
  "I have your umbrella",
  "the key is under the blue pot",
  "could you confirm by tonight",
  "the doctor moved my appointment",
  "dinner is on me next time",
  "the parcel has arrived",
  "good luck tomorrow",
  "the car is ready to be picked up",
  "I found the photos we talked about",
  "do not forget the charger",
  "our table is booked for eight",
] as const;

/** Draws a sentence. The second half of the sentences is kept for the test splits. */
export function drawSentence(rng: Rng, split: ComposedSplit): string {
  const half = SENTENCES.length / 2;
  return rng.pick(split.startsWith("test") ? SENTENCES.slice(half) : SENTENCES.slice(0, half));
}
