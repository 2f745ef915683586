/** Words and code that the parts of the money apps share: amounts, days, notes, single persons, loops over pages. */
import {
  type Draw,
  dayWords,
  type Forms,
  moneyWords,
  type Person,
  type Value,
} from "../../../../goals/index.ts";
import { atLeast, atMost, centsAtLeast, oneOfSome } from "../bounds.ts";

export { AT, TODAY } from "./writes.ts";

export const js = (value: unknown): string => JSON.stringify(value);

/** What a drawn clause needs beside `holds`. */
interface Bound<T> {
  readonly bound: T;
  readonly words: Forms;
}

/** Money of at least so much, such that a few of the amounts reach it. */
export function largeOnes(draw: Draw, cents: readonly number[]): Bound<number> | undefined {
  const bound = centsAtLeast(draw.rng, cents);
  if (bound === undefined || bound <= 0) return undefined;
  const m = moneyWords(bound);
  return {
    bound,
    words: [
      `of at least ${m}`,
      `of ${m} or more`,
      `with an amount of at least ${m}`,
      `that are not below ${m}`,
      `that come to ${m} or more`,
    ],
  };
}

/** Dates of a day or later, such that a few of the rows have them. */
export function lateOnes(draw: Draw, days: readonly string[]): Bound<string> | undefined {
  const bound = atLeast(draw.rng, days);
  if (bound === undefined) return undefined;
  const d = dayWords(bound);
  return {
    bound,
    words: [
      `dated ${d} or later`,
      `with a date of ${d} or later`,
      `that are dated no earlier than ${d}`,
      `that date from ${d} or later`,
      `whose date is ${d} or later`,
    ],
  };
}

/** Plans whose next day is so early. */
export function soonOnes(draw: Draw, days: readonly string[]): Bound<string> | undefined {
  const bound = atMost(draw.rng, days);
  if (bound === undefined) return undefined;
  const d = dayWords(bound);
  return {
    bound,
    words: [
      `due on ${d} or earlier`,
      `with a next date of ${d} or earlier`,
      `that come up no later than ${d}`,
      `that are next due by ${d} at the latest`,
      `whose next date is ${d} or earlier`,
    ],
  };
}

/** A word that some of the texts have in them and others have not. */
export function mentioning(
  draw: Draw,
  texts: readonly string[],
  candidates: readonly string[],
  field = "note",
): Bound<string> | undefined {
  const found = texts.flatMap((text) =>
    candidates.filter((word) => text.toLowerCase().includes(word)),
  );
  const bound = oneOfSome(draw.rng, found);
  if (bound === undefined || texts.every((text) => text.toLowerCase().includes(bound))) {
    return undefined;
  }
  const w = js(bound);
  return {
    bound,
    words: [
      `whose ${field} mentions ${w}`,
      `that mention ${w} in their ${field}`,
      `with ${w} in the ${field}`,
      `that have ${w} in the ${field}`,
      `with a ${field} that contains ${w}`,
    ],
  };
}

export const mentions = (text: string, word: string) => text.toLowerCase().includes(word);

/** A person among the rows' people, for a clause. */
export function sideOf(draw: Draw, ids: readonly (number | null)[]): Value<Person> | undefined {
  const among = ids.filter((id) => id !== null);
  return among.length > 0 && new Set(among).size > 1 ? draw.person(among) : undefined;
}

/** Cells that leave in `out` what `item` (of the key `k`) gives for each of the keys in `from`, each once. */
export function each(item: string, from: string, out: string): readonly string[] {
  return [`var ${out}=[...new Set(${from}.map(k=>${item}))].filter(k=>k!==null);print(${out})`];
}

/** Cells that leave in `out` the keys that a list API gives for any of the keys in `from`. */
export function gather(
  api: string,
  args: string,
  key: string,
  from: string,
  out: string,
): readonly string[] {
  return [
    `var ${out}=[];for(const k of ${from}){let p=1,r;do{r=apis.${api}({${args},size:20,page:p++});${out}.push(...r.items.map(x=>x.${key}))}while(r.more)}${out}=[...new Set(${out})];print(${out})`,
  ];
}
