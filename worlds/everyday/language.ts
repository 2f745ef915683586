/** What the goals of the Everyday world are told of it: whom a task may name, how people are found, what is written to them. */
import type { Language } from "bowline/goals";
import { PARTS, POOLS } from "./population/names.ts";
import { dayAfter } from "./population/time.ts";
import { sentence } from "./sentences.ts";
import { mentionable, namesStrangers } from "./strangers.ts";

const NAMES = new Set(PARTS.flatMap((part) => [...POOLS[part].first, ...POOLS[part].cities]));

/** Of every task that the algebra composes here. */
export const LANGUAGE: Language = {
  namesStrangers,
  canMention: mentionable,
  keepsCapital: (word) => NAMES.has(word),
  findPerson: ({ name }, variable) => ({
    cells: [
      `var ${variable}=apis.contacts.find({name:${JSON.stringify(name)}})[0].handle;print(${variable})`,
    ],
    apps: ["contacts"],
  }),
  sentence,
  dayAfter,
};
