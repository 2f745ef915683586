/** Columns of the owner's notes, by which goals narrow, rank and ask for notes. */
import {
  alternatives,
  type ColumnExposure,
  declareColumns,
  type Filter,
  jsLiteral,
  superlatives,
} from "bowline/goals";
import type { Reader } from "bowline/world";
import { items, notebooks } from "../../apps/notes/tables.ts";
import { activeShares, readTraits } from "../../apps/notes/traits.ts";
import { type Note, notes } from "../../apps/tables.ts";
import { drawWordClause } from "../files-notes-todos.ts";

const countReaders = ({ id }: Note, db: Reader) => activeShares(db, { note: id }).length;

const notebookName = ({ id }: Note, db: Reader) => {
  const { notebook } = readTraits(db, id);
  return notebook === null ? null : (db.get(notebooks, notebook)?.name ?? "removed");
};

const chosenColour = ({ id }: Note, db: Reader) => {
  const { colour } = readTraits(db, id);
  return colour === "plain" ? null : colour;
};

/** Returns the sum of the amounts in a note about costs, in cents. */
const totalCostCents = ({ text }: Note) =>
  [...text.matchAll(/: \$(\d+\.\d\d)/g)].reduce(
    (sum, [, amount]) => sum + Math.round(Number(amount) * 100),
    0,
  );

/** Writes phrases for texts that contain a word. */
export const textContainsPhrase = (
  word: string,
) => alternatives`whose text has the word "${word}" in it
  | in whose text you can read "${word}" | whose text mentions "${word}"
  | that say "${word}" somewhere in the text | with "${word}" somewhere in their text`;

/**
 * Declares the columns of notes. One of the list APIs has arguments for more of the columns. The other list APIs show
 * these values in their items.
 */
const declareNoteColumns = (exposure: {
  readonly notebook: ColumnExposure;
  readonly colour: ColumnExposure;
  readonly shared: Filter<Note>["code"];
}) =>
  declareColumns<Note>(
    ({
      atLeast,
      atMost,
      choice,
      drawnClause,
      day,
      alternatives,
      withProperty,
      money,
      number,
      text,
    }) => ({
      title: text(({ title }) => title, { item: "title", noun: "title" }),
      tag: choice(({ tag }) => tag, { arg: "tag" })`tagged "$" | with the tag "$"
      | that have the tag "$" | which are tagged "$" | that carry the tag "$"`,
      untagged: withProperty(({ tag }) => tag === null, { test: "x.tag===null" })`without a tag
      | that have no tag | with no tag at all | which are not tagged | that lack a tag`,
      pinned: withProperty(({ pinned }) => pinned, { args: "pinned:true" })`
      that are pinned | which I have pinned | that I pinned | which are pinned at the moment
      | that are currently pinned`,
      says: drawnClause(
        drawWordClause(({ text }) => text, "apis.notes.show({id:x.id}).text", textContainsPhrase),
      ),
      linked: withProperty(
        ({ id }, db) => readTraits(db, id).links.some((to) => db.get(notes, to)),
        { test: "apis.notes.links({id:x.id}).items.length>0" },
      )`that link to another note | with a link to another note
      | that have at least one link to another note
      | which point to another note by a link | from which a link leads to another note`,
      "open-items": withProperty(
        ({ id }, db) => db.where(items, { note: id, done: false }).length > 0,
        { test: "apis.notes.checklist({id:x.id,done:false}).items.length>0" },
      )`with something open on their checklist | whose checklist has at least one open item
      | that have an item on the checklist which is not ticked | with at least one
      item on the checklist that is not ticked yet | in whose checklist something is still open`,
      shared: withProperty((row, db) => countReaders(row, db) > 0, exposure.shared)`
      that are shared with somebody | which I share with someone
      | that I share with at least one person
      | that at least one other person can see because I share them
      | which are shared with one person or more`,
      people: number(countReaders, {
        code: "apis.notes.show({id:x.id}).shared",
        noun: "number of readers (people with whom a note is shared)",
      }),
      notebook: choice(notebookName, exposure.notebook)`
      in the notebook "$" | of the notebook "$" | that are in my notebook "$"
      | which lie in the notebook "$" | that I keep in the notebook "$"`,
      colour: choice(chosenColour, exposure.colour)`
        with the colour $ | that are $ | which have the colour $
      | whose colour is $ | that are coloured $`,
      size: number(
        ({ text }) => text.length,
        { item: "size", noun: "length in characters" },
        superlatives`longest / shortest | longest / shortest | longest / shortest
          | longest / shortest | longest / shortest`,
        atLeast("long")`with $ or more characters of text | whose text has at least $ characters
        | that have a text of $ characters or more
        | whose text is no shorter than $ characters | with a text of no fewer than $ characters`,
      ),
      payer: drawnClause(
        (draw, rows) => {
          const paidByText = (name: string) => `paid by ${name}`;
          const among = draw.people.filter(({ name }) =>
            rows.some(({ text }) => text.includes(paidByText(name))),
          );
          const who = draw.person(among.map(({ id }) => id))?.value.name;
          if (who === undefined) return undefined;
          return {
            words: alternatives`in which ${who} paid something | with a cost that ${who} paid
            | that name ${who} as somebody who paid
            | in which at least one cost was paid by ${who} | with ${who} among those who paid`,
            holds: ({ text }) => text.includes(paidByText(who)),
            code: {
              test: `apis.notes.show({id:x.id}).text.includes(${jsLiteral(paidByText(who))})`,
            },
          };
        },
        { excludes: ["says", "pinned", "shared"] },
      ),
      total: money(
        totalCostCents,
        {
          code: "[...apis.notes.show({id:x.id}).text.matchAll(/: \\$(\\d+\\.\\d\\d)/g)].reduce((t,m)=>t+Math.round(m[1]*100),0)/100",
          noun: "sum of the costs",
        },
        superlatives`most expensive / cheapest | costliest / cheapest
          | most expensive / least expensive | most expensive / cheapest
          | priciest / cheapest`,
      ),
      things: number(
        ({ id }, db) => db.where(items, { note: id }).length,
        {
          code: "apis.notes.checklist({id:x.id,size:20}).items.length",
          noun: "number of items on the checklist",
        },
        superlatives`fullest (by items) / emptiest (by items) | fullest (by items) / emptiest (by
          items) | fullest (by items) / emptiest (by items) | fullest (by items) / emptiest (by
          items) | fullest (by items) / emptiest (by items)`,
      ),
      day: day(
        ({ id }, db) => readTraits(db, id).day,
        { item: "day", noun: "day of the reminder" },
        superlatives`latest (by reminder) / earliest (by reminder) | latest (by reminder) /
          earliest (by reminder) | latest (by reminder) / earliest (by reminder) | latest (by
          reminder) / earliest (by reminder) | latest (by reminder) / earliest (by reminder)`,
        atMost("until", {
          arg: "until",
        })`due on $ or earlier | that remind me on or before $ | that remind me no later than $ |
          that are to remind me on $ or before it | that remind me by $ (that day included)`,
        atLeast(
          "from",
        )`due on $ or later | that remind me on or after $ | that remind me no earlier than $ |
          that are to remind me on $ or after it | that remind me from $ on (that day included)`,
      ),
      time: choice(({ id }, db) => readTraits(db, id).time ?? "", {
        item: "time",
      })`due at $ | that remind me at $ | that shall remind me at $ | that are to remind me at $ |
        that have $ as the time of the reminder`,
    }),
  );

export const columnsByArgument = declareNoteColumns({
  notebook: { arg: "notebook" },
  colour: { arg: "colour" },
  shared: { args: "shared:true" },
});
export const columnsByItem = declareNoteColumns({
  notebook: { item: "notebook" },
  colour: { item: "colour" },
  shared: { test: "apis.notes.show({id:x.id}).shared>0" },
});
