/** The stories of purchases that somebody allows, for the family `approved-purchase`. */
import type { Category } from "../../apps/shop/tables.ts";
import type { Story } from "../family.ts";

export interface PurchaseStory extends Story {
  readonly motive: string;
  readonly choices: readonly [string, string];
  readonly category: Category;
  readonly colours: readonly [string, string];
  readonly purpose: string;
}

export const stories: readonly PurchaseStory[] = [
  {
    name: "kettles",
    split: "test-normal",
    motive: "The kettles in the office kitchens have had their day",
    choices: ["Kestrel kettle", "Plover kettle"],
    category: "kitchen",
    colours: ["red", "white"],
    purpose: "New kettles",
  },
  {
    name: "lamps",
    split: "test-normal",
    motive: "The nursery moves into its new rooms, and it is still dark in there",
    choices: ["Moonrise lamp", "Starlit lamp"],
    category: "home",
    colours: ["yellow", "blue"],
    purpose: "Lamps for the nursery",
  },
  {
    name: "rackets",
    split: "test-normal",
    motive: "The youngest in the club play with rackets that are older than they are",
    choices: ["Falcon racket", "Swift racket"],
    category: "sports",
    colours: ["green", "black"],
    purpose: "Rackets for the young ones",
  },
];
