/**
 * What music and photos share beyond the kit: marks that are asked for more often than their absence, names that the split may
 * say, code that finds things by name or follows keys, and actions of other apps: a message that says a name, a todo.
 */
import {
  type ActionKit,
  type ActionSpec,
  byArgument,
  type Column,
  type DrawContext,
  drawnActionWithPerson,
  drawnClause,
  type FilterCode,
  jsLiteral,
  type NeedsPhrase,
  phraseAlternatives,
  phraseTag,
  type WithOrWithoutOptions,
  withOrWithout,
} from "bowline/goals";
import type { Reader, TableRow, Writer } from "bowline/world";
import { texts, todoLists, todos } from "../../apps/tables.ts";
import { NOW } from "../../population/time.ts";

/** A column that is true or false: an argument of the list API, or shown by items. */
export const flag = <R extends TableRow>(
  chance: number,
  property: keyof R & string,
  { arg, ...options }: WithOrWithoutOptions & { readonly arg?: string } = {},
): NeedsPhrase<NeedsPhrase<Column<R>>> =>
  withOrWithout<R>(
    (row) => row[property] === true,
    (yes) => (arg ? byArgument(arg)(yes) : { test: `${yes ? "" : "!"}x.${property}` }),
    { chance, ...options },
  );

/** Rows with one of the names that tasks of the split may say; a row may have several. */
export const spoken = <R extends TableRow>(
  names: (split: DrawContext["split"]) => readonly string[],
  of: (row: R, db: Reader) => string | null | readonly string[],
  code: (literal: string) => FilterCode,
  options: Pick<WithOrWithoutOptions, "excludes"> = {},
): NeedsPhrase<Column<R>> => {
  const has = (row: R, db: Reader, name: string) => [of(row, db)].flat().includes(name);
  return phraseTag((phrase) =>
    drawnClause(({ rng, db, split }, rows) => {
      const some = names(split).filter((name) => rows.some((row) => has(row, db, name)));
      if (some.length === 0) return undefined;
      const name = rng.pick(some);
      return {
        words: phraseAlternatives(phrase, name),
        holds: (row, reader) => has(row, reader, name),
        code: code(jsLiteral(name)),
      };
    }, options),
  );
};

/** `1 song`, `2 songs`. */
export const counted = (noun: string) => (count: number) =>
  `${count} ${noun}${count === 1 ? "" : "s"}`;

/** A phrase of actions that another app has too, so that it says in which. */
export const inThe = (app: string, what: string) =>
  `In the ${app} app, ${what} | Use the ${app} app to ${what} | Through the ${app} app, ${what}
    | Let the ${app} app ${what} | With the ${app} app, ${what}`;

/** A list of no or one key: what is called so among what a search finds, `where` the item `x` fits besides. */
export const called =
  (api: string, property: string, where = "") =>
  (name: string) =>
    `apis.${api}({query:${jsLiteral(name)},size:20}).items.filter(x=>x.${property}===${jsLiteral(name)}${where}).map(x=>x.id)`;

/** What one call answers for each key, without repeats. */
export const ofEach = (call: string) => (from: string) =>
  `[...new Set(${from}.map(x=>apis.${call}))]`;

/** What the items of one call say for each key, without repeats. */
export const ofItems = (call: string, property: string) => (from: string) =>
  `[...new Set(${from}.flatMap(x=>apis.${call}.items.map(y=>y.${property})))]`;

/** The ids on all pages of a call for each key, without repeats. */
export const ofPages = (call: string) => (from: string, to: string) => [
  `var ${to}=[],p,r;for(const x of ${from}){p=1;do{r=apis.${call};${to}.push(...r.items.map(y=>y.id))}while(r.more)}${to}=[...new Set(${to})];print(${to})`,
];

/** A statement that leaves all items of a list in a variable. */
export const pages = (list: string, call: string) =>
  `var ${list}=[],p=1,r;do{r=apis.${call};${list}.push(...r.items)}while(r.more);`;

function sendText(db: Writer, person: number, text: string): void {
  const flags = { outgoing: true, replyTo: null, reaction: null, starred: false, unread: false };
  // Instants are not content; any will do.
  db.insert(texts, { person, text, ...flags, at: NOW });
}

/**
 * Texts a contact the name of each thing, `song`: its `property`, of the row, of what the API gives, and in words. `when` also
 * gets the state from before the task.
 */
export const telling = <R extends TableRow>(
  { applies }: ActionKit<R>,
  thing: string,
  property: keyof R & string,
  api: string,
  when?: (row: R, db: Reader, before: Reader) => boolean,
): ActionSpec<R> =>
  drawnActionWithPerson((friend, draw) => {
    const rest = `a message for each ${thing} that says its ${property} and nothing else`;
    return applies((db, row) => sendText(db, friend.value.id, String(row[property])), {
      ...(when ? { when: (row: R, db: Reader) => when(row, db, draw.db) } : {}),
      call: `const o=apis.${api}({id:x});apis.messages.send({to:${friend.code},text:o.${property}})`,
    })`Tell ${friend.words} about #: ${rest} | Let ${friend.words} know of # by ${rest}
      | Text ${friend.words} about #, ${rest}
      | Message ${friend.words} about #, with ${rest} | Inform ${friend.words} of #, by ${rest}`;
  });

export function addTodo(db: Writer, title: string, due: string | null): void {
  const list = db.where(todoLists, { name: "inbox" })[0]!.id;
  db.insert(todos, { title, list, due, done: false });
}
