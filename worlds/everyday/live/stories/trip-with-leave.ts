/** The stories of trips to which the owner has to agree, for the family `trip-with-leave`. */
import type { Story } from "../family.ts";

export interface TripStory extends Story {
  readonly town: string;
  /** What takes place there, such as `Opening of the mill`. */
  readonly occasion: string;
  readonly motive: (person: string) => string;
  /** The hotel that the host recommends, and a cheaper one. */
  readonly hotels: readonly [string, string];
  /** What may be thought of later: a stop, and a thing to pack. */
  readonly stop: string;
  readonly thing: string;
}

export const stories: readonly TripStory[] = [
  {
    name: "mill",
    split: "test-challenge",
    town: "Alderwick",
    occasion: "Opening of the mill",
    motive: (person) => `${person} has repaired an old mill for six years, and now it opens`,
    hotels: ["Hotel Millrace", "Hotel Farside"],
    stop: "Dinner at the weir",
    thing: "rubber boots",
  },
  {
    name: "exhibition",
    split: "test-challenge",
    town: "Thornhaven",
    occasion: "First evening of the exhibition",
    motive: (person) => `${person} shows paintings in public for the first time in ten years`,
    hotels: ["Hotel Gallery", "Hotel Outskirts"],
    stop: "Visit to the studio",
    thing: "dark suit",
  },
  {
    name: "premiere",
    split: "test-challenge",
    town: "Lintwater",
    occasion: "Premiere of the play",
    motive: (person) => `${person} plays a great part at last, in a theatre with ninety seats`,
    hotels: ["Hotel Curtain", "Hotel Backstreet"],
    stop: "Supper with the actors",
    thing: "opera glasses",
  },
];
