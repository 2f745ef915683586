/** What notes can tell (prices, costs, days, sentences), facts about all of them, and deeds. */
import {
  customIngredient,
  type DrawContext,
  deeds,
  facts,
  moneyInWords,
  sources,
  wordList,
} from "bowline/goals";
import type { Reader } from "bowline/world";
import { notebooks, noteVersions, traits } from "../../apps/notes/tables.ts";
import { isActive, setTraits } from "../../apps/notes/traits.ts";
import { type Note, notes } from "../../apps/tables.ts";
import { placesOfPart } from "../../life/life.ts";
import { dayFromStart } from "../../population/time.ts";
import { drawSentence } from "../../sentences.ts";
import { countPages } from "../papers.ts";
import { namedNote, notesByTitle } from "./words.ts";

const newNote = (title: string, text: string) => ({ title, text, tag: null, pinned: false });

/** An active note about a place of the split. */
function placeNote(draw: DrawContext, start: string, fits: (row: Note) => boolean = () => true) {
  const titles = new Set(placesOfPart(draw.split).map((place) => `${start} ${place}`));
  return namedNote(draw, (row) => titles.has(row.title) && fits(row));
}

/** A note that is written for this task alone. */
function writtenNote(draw: DrawContext, title: string, text: string) {
  const wanted = title.toLowerCase();
  if (draw.db.all(notes).some((row) => row.title.toLowerCase().includes(wanted))) return undefined;
  return notesByTitle.called(
    draw,
    title,
    text,
    (db) => void db.insert(notes, newNote(title, text)),
  );
}

const textOf = (code: string) => `apis.notes.show({id:${code}}).text`;

const WARES = wordList(
  "kayak | canoe | paddle boat | sledge | tandem | rowing boat | snow shoes | camper | pony | raft",
);
const PAPERS = wordList("passport | tax form | insurance | library card | ferry booking");
const SAYINGS = wordList("answer | greeting | excuse | announcement | reply");

const budgetIn = ({ text }: Note) => Number(/Budget: \$(\d+\.\d\d)/.exec(text)?.[1]);
const dayIn = ({ text }: Note) => /Day: (\S+)/.exec(text)?.[1] ?? "";

const hasBudget = ({ text }: Note) => text.includes("Budget: $");
const isAhead = (row: Note) => dayIn(row) > dayFromStart(0);
const plan = (fits: (row: Note) => boolean) => (draw: DrawContext) =>
  placeNote(draw, "Plan for the", fits);

function wording(draw: DrawContext) {
  const text = drawSentence(draw.rng, draw.split);
  return writtenNote(draw, `Wording of the ${draw.rng.pick(SAYINGS)}`, text);
}

export const noteSources = sources("notes", ({ source }) => ({
  price: source.money("v", (draw) => {
    const { rng } = draw;
    const [ware = "", other = ""] = rng.sample(WARES, 2);
    const [value, more] = [rng.integer(450, 19_900), rng.integer(450, 19_900)];
    const text = `Deposit for the ${other}: ${moneyInWords(more)}.\nThe ${ware} is ${moneyInWords(value)} a day.`;
    const note = writtenNote(draw, `Rent of a ${ware}`, text);
    if (!note) return undefined;
    return {
      value,
      words: `the price of the ${ware} a day in ${note.words}`,
      code: `Number(${textOf(note.code)}.match(/is \\$([\\d.]*\\d)/)[1])`,
      uses: [note],
    };
  }),
  "cost-line": source.money("v", (draw) => {
    const note = placeNote(draw, "Costs of the");
    const lines = [...(note?.value.text ?? "").matchAll(/^([a-z ]+): \$(\d+\.\d\d)/gm)];
    if (!note || lines.length === 0) return undefined;
    const [, what = "", amount = ""] = draw.rng.pick(lines);
    return {
      value: Math.round(Number(amount) * 100),
      words: `the amount for the ${what} in ${note.words}`,
      code: `Number(${textOf(note.code)}.match(/^${what}: \\$(\\d+\\.\\d\\d)/m)[1])`,
      uses: [note],
    };
  }),
  budget: source.money("v", plan(hasBudget), ({ value, words, code }) => ({
    value: Math.round(budgetIn(value) * 100),
    words: `the budget in ${words}`,
    code: `Number(${textOf(code)}.match(/Budget: \\$(\\d+\\.\\d\\d)/)[1])`,
  })),
  "plan-day": source.day("v", plan(isAhead), ({ value, words, code }) => ({
    value: dayIn(value),
    words: `the day in ${words}`,
    code: `${textOf(code)}.match(/Day: (\\S+)/)[1]`,
  })),
  deadline: source.day("v", (draw) => {
    const { rng } = draw;
    const what = rng.pick(PAPERS);
    const [day, other] = [dayFromStart(rng.integer(3, 50)), dayFromStart(-rng.integer(3, 50))];
    const text = `Asked on ${other}.\nIt runs out on ${day}.`;
    const note = writtenNote(draw, `About the ${what}`, text);
    if (!note) return undefined;
    return {
      value: day,
      words: `the day on which the ${what} runs out according to ${note.words}`,
      code: `${textOf(note.code)}.match(/runs out on (\\d{4}-\\d\\d-\\d\\d)/)[1]`,
      uses: [note],
    };
  }),
  sentence: source.text("v", wording, ({ value, words, code }) => ({
    value,
    words: `the text of ${words}`,
    code: textOf(code),
  })),
}));

export const noteFacts = facts("notes", ({ fact }) => ({
  archived: fact(
    "number",
    (db) =>
      db.where(traits, { state: "archived" }).filter(({ note }) => db.get(notes, note)).length,
    countPages("apis.notes.archived({size:20,page:p++})"),
  )`the number of archived notes | the number of notes in the archive | the count of my archived
    notes | the number of notes that I have archived | the number of notes which lie in my archive`,
  trips: fact(
    "number",
    (db) => {
      const notebook = db.where(notebooks, { name: "Trips" })[0]?.id ?? 0;
      return db.where(traits, { notebook }).filter(({ note }) => db.get(notes, note)).length;
    },
    'apis.notes.notebooks({size:20}).items.find(b=>b.name==="Trips").size',
  )`the number of notes in the notebook "Trips" (with archived and trashed ones) | the size of the
    notebook "Trips", archived and trashed notes included | the number of notes that the list
    of notebooks shows for "Trips" | the count of notes in "Trips" that the list of notebooks gives
    | the number of notes of the notebook "Trips", those in archive and trash included`,
  costs: fact(
    "number",
    (db) => db.where(notes, { tag: "costs" }).filter(({ id }) => isActive(db, id)).length,
    'apis.notes.tags({size:20}).items.find(t=>t.name==="costs").size',
  )`the number of notes with the tag "costs" (without archived and trashed ones) | the number of
    notes tagged "costs" that are neither archived nor in the trash | the count that the list
    of tags gives for "costs" in the notes app | the number of notes that the tags of the notes app
    show for "costs" | the number of notes tagged "costs", those in archive and trash not included`,
}));

const TITLES = wordList("Idea | Reminder to self | Quote | Dream | Overheard | Question");
const PRICED = wordList("hedge trimmer | stove | carpet | skylight | bunk bed | pump");
const BOOKS = wordList("Garden | Music | Letters | Languages | Wishes | Repairs | Films");

const PRICES = PRICED.map((thing) => `Price of the ${thing}`);
const noteTitle = customIngredient(({ rng }) => `${rng.pick(TITLES)} ${rng.integer(2, 99)}`);

const lastOf = (db: Reader, note: number) => db.where(noteVersions, { note }).at(-1);
const changedNote = (draw: DrawContext) =>
  namedNote(draw, ({ id }) => lastOf(draw.db, id) !== undefined);

export const noteDeeds = deeds("notes", ({ deed, deedWithOne, taskValue, oneOf }) => ({
  add: deed({ text: taskValue("text"), title: noteTitle }, ({ text, title }) => ({
    apply: (db) => void db.insert(notes, newNote(title.value, text.value)),
    call: `apis.notes.add({title:${title.code},text:${text.code}})`,
  }))`Add a note "$title"; its text is $text | Write a note with the title "$title" and this text:
    $text | Make a note called "$title" whose text is $text
    | I need a new note "$title" that says $text | Under the title "$title", note down $text`,
  "note-price": deed({ amount: taskValue("money"), title: oneOf(PRICES) }, ({ amount, title }) => {
    const text = `$${(amount.value / 100).toFixed(2)}`;
    return {
      apply: (db) => void db.insert(notes, newNote(title.value, text)),
      call: `apis.notes.add({title:${title.code},text:"$"+Number(${amount.code}).toFixed(2)})`,
    };
  })`Add a note "$title" whose text is just an amount such as $12.50; the amount is $amount
    | Write a note with the title "$title" and only an amount, such as $12.50, as text: $amount
    | Make a note called "$title" that says nothing but an amount (such as $12.50), namely $amount
    | I need a note "$title" with an amount in the form $12.50 as its text; take $amount
    | Under the title "$title", note down, in the form $12.50, $amount`,
  "add-notebook": deedWithOne(oneOf(BOOKS), ({ value: name, code }, { db: now }) => {
    if (now.where(notebooks, { name }).length > 0) return undefined;
    return {
      apply: (db) => void db.insert(notebooks, { name }),
      call: `apis.notes.addNotebook({name:${code}})`,
    };
  })`Add a notebook "$" to my notes | Make a new notebook called "$"
    | Create the notebook "$" in the notes app | I need a new notebook "$" in the notes app
    | Let there be an empty notebook "$" in the notes app`,
  undo: deedWithOne(changedNote, ({ value: { id }, code }, { db: now }) => {
    const { title, text } = lastOf(now, id)!;
    return {
      apply: (db) => void db.update(notes, id, { title, text }),
      call: `apis.notes.undo({id:${code}})`,
    };
  })`Undo the last change of $ | Take back the last change of $ | Let $ be as it was before its last
    change | Bring back what was there before the last change of $
    | Reverse the last change that was made to $`,
  merge: deed({ from: namedNote, into: namedNote }, ({ from, into }) => {
    if (from.value.id === into.value.id) return undefined;
    return {
      apply: (db) => {
        setTraits(db, from.value.id, { state: "trashed" });
        const { id, text } = db.get(notes, into.value.id)!;
        db.update(notes, id, { text: `${text}\n${from.value.text}` });
      },
      call: `apis.notes.merge({id:${from.code},into:${into.code}})`,
    };
  })`Merge $from into $into | Let $into take in $from by merging the two | Add the text of $from to
    the end of $into by merging the first into the second | By a merge, let $from
    become part of $into | Merge the text of $from into $into, so that the first goes to the trash`,
}));
