/** What the parts of contacts and messages share: code and words for values, and who can be reached. */

import type { Draw, Forms, Value } from "../../../../goals/index.ts";
import type { Reader } from "../../../../world/index.ts";
import { type Group, groups, members, people } from "../../apps/tables.ts";
import { oneOfSome } from "../bounds.ts";

/** Instants are not content; any will do. */
export const AT = "2026-03-12T09:00:00Z";
export const TODAY = AT.slice(0, 10);

export const js = (value: unknown): string => JSON.stringify(value);

export const dollarsOf = (cents: number): string => (cents / 100).toFixed(2);

/** Nothing can be sent to a blocked contact or one that is gone. */
export function reachable(db: Reader, person: number | null): boolean {
  return person !== null && db.get(people, person)?.blocked === false;
}

/** Groups all of whose members may be named: there is at least one. */
export function ownGroups({ db, people }: Draw): readonly Group[] {
  const own = new Set(people.map(({ id }) => id));
  return db.all(groups).filter((group) => {
    const inside = db.where(members, { group: group.id });
    return inside.length > 0 && inside.every(({ person }) => own.has(person));
  });
}

/** A word that some of the texts have in them and others have not; case is ignored. */
export function someWord(
  draw: Draw,
  texts: readonly string[],
  candidates: readonly string[],
): string | undefined {
  const found = candidates.flatMap((word) =>
    texts.filter((text) => text.toLowerCase().includes(word)).map(() => word),
  );
  const word = oneOfSome(draw.rng, found);
  return word && texts.some((text) => !text.toLowerCase().includes(word)) ? word : undefined;
}

export const has = (text: string, word: string): boolean => text.toLowerCase().includes(word);

export function wordForms(word: string): Forms {
  const w = js(word);
  return [
    `that mention ${w}`,
    `with the word ${w} in them`,
    `that contain the word ${w}`,
    `in which ${w} is mentioned`,
    `that have ${w} in their text`,
  ];
}

/** Something that an app knows of a person, found by one expression. */
export function looked<T>(
  draw: Draw,
  person: Value<unknown>,
  app: string,
  { value, words, code }: { readonly value: T; readonly words: string; readonly code: string },
): Value<T> {
  const name = draw.variable("v");
  const cell = `var ${name}=${code};print(${name})`;
  const apps = [app, ...person.apps];
  return { value, words, code: name, cells: [...person.cells, cell], apps };
}

/** An expression that gives all items of a paged list. */
export function every(api: string, args: string): string {
  const all = [args, "size:20", "page:p++"].filter(Boolean).join();
  return `(()=>{const a=[];let p=1,r;do{r=apis.${api}({${all}});a.push(...r.items)}while(r.more);return a})()`;
}

/** Cells that leave in `to` what `item` (an expression over the key `k`) gives for the keys in `from`, each once. */
export function each(item: string, from: string, to: string): readonly string[] {
  return [`var ${to}=[...new Set(${from}.flatMap(k=>${item}))];print(${to})`];
}
