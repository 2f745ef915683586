/** The stories and twists of shared costs of trips, for the family `shared-trip-costs`. */
import type { Story } from "../family.ts";

export interface TripStory extends Story {
  readonly group: string;
  readonly motive: string;
  readonly lodge: string;
  readonly tickets: string;
  readonly boat: string;
}

export const stories: readonly TripStory[] = [
  {
    name: "lake",
    split: "test-challenge",
    group: "Lake weekend",
    motive:
      "Our weekend at the lake is over, and the costs have to be shared before everybody forgets them",
    lodge: "Pine Lodge",
    tickets: "sauna tickets",
    boat: "boat",
  },
  {
    name: "mountains",
    split: "test-challenge",
    group: "Three summits",
    motive: "We are back from the mountains. I want the money sorted out before the next tour",
    lodge: "Ridge Hut",
    tickets: "cable car",
    boat: "mountain guide",
  },
  {
    name: "festival",
    split: "test-challenge",
    group: "Festival days",
    motive:
      "The festival was wonderful and expensive. I do not want to be the one who paid for it all",
    lodge: "Meadow Camp",
    tickets: "festival tickets",
    boat: "night bus",
  },
];

export interface Outcome {
  /** Who was right about the fuel, if somebody objects. */
  readonly objection?: "right" | "wrong";
  readonly declines?: boolean;
  readonly corrected?: boolean;
  /** The second expense is in split already. */
  readonly entered?: boolean;
}
export const TWISTS: {
  readonly [twist: string]: { readonly demand?: boolean; readonly outcomes: readonly Outcome[] };
} = {
  "came-by-train": {
    outcomes: [
      { objection: "right" },
      { objection: "right", corrected: true },
      { objection: "right", entered: true },
    ],
  },
  "wrong-memory": {
    outcomes: [
      { objection: "wrong", entered: true },
      { objection: "wrong" },
      { objection: "wrong", declines: true },
    ],
  },
  "second-bill": {
    demand: true,
    outcomes: [
      { corrected: true },
      { corrected: true, entered: true },
      { objection: "right", corrected: true },
    ],
  },
};
