/** The stories of presents that the owner has to agree to, for the family `present-with-leave`. */
import type { Category } from "../../apps/shop/tables.ts";
import type { Story } from "../family.ts";

export interface PresentStory extends Story {
  /** Why there is a present, about the full name of the one who gets it. */
  readonly motive: (name: string) => string;
  readonly thing: string;
  /** Two things of the shop, which differ in their first word, and what the owner says about each. */
  readonly choices: readonly [Choice, Choice];
  readonly category: Category;
  readonly wishes: readonly [string, string];
}

export interface Choice {
  readonly name: string;
  readonly reason: string;
}

export const stories: readonly PresentStory[] = [
  {
    name: "new-flat",
    split: "train",
    motive: (name) =>
      `${name} has moved out at last, into a first flat, and the kitchen is nearly empty`,
    thing: "casserole",
    choices: [
      { name: "Copper casserole", reason: "The old stove there runs on gas, so the copper one." },
      { name: "Iron casserole", reason: "They have an induction stove, so it must be iron." },
    ],
    category: "kitchen",
    wishes: ["May the new kitchen smell of soup!", "Good luck in the new flat!"],
  },
  {
    name: "retirement",
    split: "train",
    motive: (name) =>
      `${name} stops working at the end of the month and wants to sleep outdoors at last`,
    thing: "sleeping bag",
    choices: [
      { name: "Arctic sleeping bag", reason: "The first trip goes to Lapland: the arctic one." },
      { name: "Summer sleeping bag", reason: "It is for the south of Spain, so take the summer." },
    ],
    category: "outdoors",
    wishes: ["No alarm clock any more!", "Many nights under the stars!"],
  },
  {
    name: "first-child",
    split: "train",
    motive: (name) => `${name} had a daughter on Sunday, and I have not sent anything yet`,
    thing: "blanket",
    choices: [
      { name: "Woollen blanket", reason: "Their flat is cold, so better the woollen one." },
      { name: "Cotton blanket", reason: "Wool makes the father sneeze. Cotton, please." },
    ],
    category: "home",
    wishes: ["Welcome to the world, little one!", "All the best for the three of you!"],
  },
  {
    name: "choir-leader",
    split: "dev",
    motive: (name) => `${name} has led our choir for twenty years, and on Friday we celebrate that`,
    thing: "music stand",
    choices: [
      { name: "Walnut music stand", reason: "It will stand in the living room: walnut, please." },
      { name: "Folding music stand", reason: "It has to fit into a suitcase, so the folding one." },
    ],
    category: "home",
    wishes: ["Thank you for twenty years of music!", "To the next twenty years!"],
  },
];
