/** The stories of outings that are planned on three days, for the family `outing-in-three-days`. */
import type { Story } from "../family.ts";

export interface OutingStory extends Story {
  readonly motive: string;
  /** What it is called, such as `boat trip`. */
  readonly affair: string;
  readonly company: string;
  readonly street: string;
  readonly offer: string;
}

export const stories: readonly OutingStory[] = [
  {
    name: "boat-trip",
    split: "test-normal",
    motive: "Since autumn we have talked about going down the river together, and now we do it",
    affair: "boat trip",
    company: "Grebe Boats",
    street: "Quay Street",
    offer: "We have a boat with a roof for you, and blankets",
  },
  {
    name: "pottery-evening",
    split: "test-normal",
    motive:
      "The old neighbours from the first floor want to make bowls together, and I organise it",
    affair: "pottery evening",
    company: "Clay and Kiln",
    street: "Potter Street",
    offer: "We keep the big table for you, and bring old clothes",
  },
  {
    name: "night-walk",
    split: "test-normal",
    motive: "For the night of the owls we want a guide who knows where they nest",
    affair: "owl walk",
    company: "Fern Guides",
    street: "Forest Street",
    offer: "We walk for three hours, slowly and without lamps",
  },
];
