/** The stories of late trains, for the family `late-train`. */
import type { Story } from "../family.ts";

export interface TrainStory extends Story {
  readonly town: string;
  /** What the appointment is, such as `Viewing of the boat`. */
  readonly appointment: string;
  readonly motive: (person: string) => string;
}

export const stories: readonly TrainStory[] = [
  {
    name: "boat",
    split: "test-challenge",
    town: "Brookhaven",
    appointment: "Viewing of the boat",
    motive: (person) =>
      `${person} sells an old sailing boat in Brookhaven, and we have dreamt of one for years`,
  },
  {
    name: "workshop",
    split: "test-challenge",
    town: "Kilnford",
    appointment: "Pottery lesson",
    motive: (person) =>
      `${person} has promised to teach us how to throw a pot, in the workshop in Kilnford`,
  },
  {
    name: "archive",
    split: "test-challenge",
    town: "Oldmere",
    appointment: "Visit of the archive",
    motive: (person) => `${person} has found letters of my grandmother in the archive of Oldmere`,
  },
];
