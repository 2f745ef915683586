/**
 * Functions that the parts of music and photos use: they make columns that are true or false and columns of names that
 * a split may mention, write code that finds things by name or reads lists, and make actions in other apps (sending a
 * message with a name, adding a todo).
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

/**
 * Makes a column that is true or false. The list API has an argument for it, or its items show it. `chance` is the
 * probability that a task asks for true.
 */
export const yesOrNoColumn = <R extends TableRow>(
  chance: number,
  property: keyof R & string,
  { arg, ...options }: WithOrWithoutOptions & { readonly arg?: string } = {},
): NeedsPhrase<NeedsPhrase<Column<R>>> =>
  withOrWithout<R>(
    (row) => row[property] === true,
    (yes) => (arg ? byArgument(arg)(yes) : { test: `${yes ? "" : "!"}x.${property}` }),
    { chance, ...options },
  );

/** Makes a column for rows with one of the names that tasks of the split may mention. A row may have several names. */
export const mentionableNameColumn = <R extends TableRow>(
  names: (split: DrawContext["split"]) => readonly string[],
  namesOf: (row: R, db: Reader) => string | null | readonly string[],
  code: (literal: string) => FilterCode,
  options: Pick<WithOrWithoutOptions, "excludes"> = {},
): NeedsPhrase<Column<R>> => {
  const hasName = (row: R, db: Reader, name: string) => [namesOf(row, db)].flat().includes(name);
  return phraseTag((phrase) =>
    drawnClause(({ rng, db, split }, rows) => {
      const possibleNames = names(split).filter((name) =>
        rows.some((row) => hasName(row, db, name)),
      );
      if (possibleNames.length === 0) return undefined;
      const name = rng.pick(possibleNames);
      return {
        words: phraseAlternatives(phrase, name),
        holds: (row, reader) => hasName(row, reader, name),
        code: code(jsLiteral(name)),
      };
    }, options),
  );
};

/** Returns a function that writes a count with a noun: `1 song`, `2 songs`. */
export const countWithNoun = (noun: string) => (count: number) =>
  `${count} ${noun}${count === 1 ? "" : "s"}`;

/** Writes the phrase of an action that other apps have too. It says which app to use. */
export const inAppPhrase = (app: string, wish: string) =>
  `In the ${app} app, ${wish} | Use the ${app} app to ${wish} | Through the ${app} app, ${wish}
    | Let the ${app} app ${wish} | With the ${app} app, ${wish}`;

/**
 * Writes an expression that searches for a name. Its value is a list with the key of the thing that has exactly this
 * name, or an empty list. `extraTest` is another test of the item `x`.
 */
export const findByExactNameCode =
  (api: string, property: string, extraTest = "") =>
  (name: string) =>
    `apis.${api}({query:${jsLiteral(name)},size:20}).items.filter(x=>x.${property}===${jsLiteral(name)}${extraTest}).map(x=>x.id)`;

/** Writes the distinct answers of a call for each key. */
export const distinctFromCall = (call: string) => (from: string) =>
  `[...new Set(${from}.map(x=>apis.${call}))]`;

/** Writes the distinct values of a property of the items that a call returns for each key. */
export const distinctFromItems = (call: string, property: string) => (from: string) =>
  `[...new Set(${from}.flatMap(x=>apis.${call}.items.map(y=>y.${property})))]`;

/** Writes cells that collect the distinct ids on all pages of a call for each key. */
export const distinctFromPages = (call: string) => (from: string, to: string) => [
  `var ${to}=[],p,r;for(const x of ${from}){p=1;do{r=apis.${call};${to}.push(...r.items.map(y=>y.id))}while(r.more)}${to}=[...new Set(${to})];print(${to})`,
];

/** Writes a statement that stores all items of a list in a variable. */
export const readAllItemsCode = (list: string, call: string) =>
  `var ${list}=[],p=1,r;do{r=apis.${call};${list}.push(...r.items)}while(r.more);`;

function insertSentText(db: Writer, person: number, text: string): void {
  const flags = { outgoing: true, replyTo: null, reaction: null, starred: false, unread: false };
  // Checks ignore times, so this time is arbitrary.
  db.insert(texts, { person, text, ...flags, at: NOW });
}

/**
 * Makes an action that sends a contact a text with the name of each thing, such as a song. `property` is the property
 * of rows and API results that holds the name. `when` also gets the state before the task.
 */
export const textNameToContactAction = <R extends TableRow>(
  { applies }: ActionKit<R>,
  thing: string,
  property: keyof R & string,
  api: string,
  when?: (row: R, db: Reader, before: Reader) => boolean,
): ActionSpec<R> =>
  drawnActionWithPerson((friend, draw) => {
    const messageText = `a message for each ${thing} that says its ${property} and nothing else`;
    return applies((db, row) => insertSentText(db, friend.value.id, String(row[property])), {
      ...(when ? { when: (row: R, db: Reader) => when(row, db, draw.db) } : {}),
      call: `const o=apis.${api}({id:x});apis.messages.send({to:${friend.code},text:o.${property}})`,
    })`Tell ${friend.words} about #: ${messageText}
      | Let ${friend.words} know of # by ${messageText}
      | Text ${friend.words} about #, ${messageText}
      | Message ${friend.words} about #, with ${messageText}
      | Inform ${friend.words} of #, by ${messageText}`;
  });

export function insertInboxTodo(db: Writer, title: string, due: string | null): void {
  const list = db.where(todoLists, { name: "inbox" })[0]!.id;
  db.insert(todos, { title, list, due, done: false });
}
