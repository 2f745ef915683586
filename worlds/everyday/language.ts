/**
 * The language of goals in the Everyday world: which people a task may name, how a solution finds people, and which
 * texts tasks send to people.
 */
import type { Language } from "bowline/goals";
import { PARTS, POOLS } from "./population/name-pools.ts";
import { dayFromStart } from "./population/time.ts";
import { drawSentence } from "./sentences.ts";
import { isMentionable, namesStrangers } from "./who-may-be-named.ts";

const NAMES = new Set(PARTS.flatMap((part) => [...POOLS[part].first, ...POOLS[part].cities]));

/** The language of every task that is composed in this world. */
export const LANGUAGE: Language = {
  namesStrangers,
  canMention: isMentionable,
  keepsCapital: (word) => NAMES.has(word),
  findPerson: ({ name }, variable) => ({
    cells: [
      `var ${variable}=apis.contacts.find({name:${JSON.stringify(name)}}).items[0].handle;print(${variable})`,
    ],
    apps: ["contacts"],
  }),
  sentence: drawSentence,
  dayAfter: dayFromStart,
};
