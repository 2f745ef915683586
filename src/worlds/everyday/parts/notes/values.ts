/** What notes can tell (prices, costs, days, sentences), facts about all of them, and deeds. */
import {
  type Draw,
  deeds,
  facts,
  js,
  listOf,
  moneyWords,
  sources,
} from "../../../../goals/index.ts";
import { notebooks, noteVersions, traits } from "../../apps/notes/tables.ts";
import { isActive, setTraits } from "../../apps/notes/traits.ts";
import { type Note, notes } from "../../apps/tables.ts";
import { placesOf } from "../../life/life.ts";
import { dayAfter } from "../../population/time.ts";
import { sentence } from "../../sentences.ts";
import { countPages } from "../papers.ts";
import { namedNote, notesByTitle } from "./words.ts";

const newNote = (title: string, text: string) => ({ title, text, tag: null, pinned: false });

/** An active note about a place of the split. */
function placeNote(draw: Draw, start: string, fits: (row: Note) => boolean = () => true) {
  const titles = new Set(placesOf(draw.split).map((place) => `${start} ${place}`));
  return namedNote(draw, (row) => titles.has(row.title) && fits(row));
}

/** A note that is written for this task alone. */
function writtenNote(draw: Draw, title: string, text: string) {
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

// --- sources ---

const WARES = listOf(
  "kayak | canoe | paddle boat | sledge | tandem | rowing boat | snow shoes | camper | pony | raft",
);
const PAPERS = listOf("passport | tax form | insurance | library card | ferry booking");
const SAYINGS = listOf("answer | greeting | excuse | announcement | reply");

const budgetIn = ({ text }: Note) => Number(/Budget: \$(\d+\.\d\d)/.exec(text)?.[1]);
const dayIn = ({ text }: Note) => /Day: (\S+)/.exec(text)?.[1] ?? "";

export const noteSources = sources("notes", ({ source }) => ({
  price: source.money("v", (draw) => {
    const { rng } = draw;
    const [ware = "", other = ""] = rng.sample(WARES, 2);
    const [value, more] = [rng.integer(450, 19_900), rng.integer(450, 19_900)];
    const text = `Deposit for the ${other}: ${moneyWords(more)}.\nThe ${ware} is ${moneyWords(value)} a day.`;
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
  budget: source.money("v", (draw) => {
    const note = placeNote(draw, "Plan for the", ({ text }) => text.includes("Budget: $"));
    if (!note) return undefined;
    return {
      value: Math.round(budgetIn(note.value) * 100),
      words: `the budget in ${note.words}`,
      code: `Number(${textOf(note.code)}.match(/Budget: \\$(\\d+\\.\\d\\d)/)[1])`,
      uses: [note],
    };
  }),
  "plan-day": source.day("v", (draw) => {
    const note = placeNote(draw, "Plan for the", (row) => dayIn(row) > dayAfter(0));
    if (!note) return undefined;
    return {
      value: dayIn(note.value),
      words: `the day in ${note.words}`,
      code: `${textOf(note.code)}.match(/Day: (\\S+)/)[1]`,
      uses: [note],
    };
  }),
  deadline: source.day("v", (draw) => {
    const { rng } = draw;
    const what = rng.pick(PAPERS);
    const [day, other] = [dayAfter(rng.integer(3, 50)), dayAfter(-rng.integer(3, 50))];
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
  sentence: source.text("v", (draw) => {
    const text = sentence(draw.rng, draw.split);
    const note = writtenNote(draw, `Wording of the ${draw.rng.pick(SAYINGS)}`, text);
    if (!note) return undefined;
    return {
      value: text,
      words: `the text of ${note.words}`,
      code: textOf(note.code),
      uses: [note],
    };
  }),
}));

// --- facts ---

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

// --- deeds ---

const TITLES = listOf("Idea | Reminder to self | Quote | Dream | Overheard | Question");
const PRICED = listOf("hedge trimmer | stove | carpet | skylight | bunk bed | pump");
const BOOKS = listOf("Garden | Music | Letters | Languages | Wishes | Repairs | Films");

export const noteDeeds = deeds("notes", ({ done, doneWith }) => ({
  add: doneWith("text", (text, { rng }) => {
    const title = `${rng.pick(TITLES)} ${rng.integer(2, 99)}`;
    return done({
      apply: (db) => void db.insert(notes, newNote(title, text.value)),
      cells: [`apis.notes.add({title:${js(title)},text:${text.code}})`],
    })`Add a note "${title}"; its text is ${text.words} | Write a note with the title "${title}" and
      this text: ${text.words} | Make a note called "${title}" whose text is ${text.words}
      | I need a new note "${title}" that says ${text.words}
      | Under the title "${title}", note down ${text.words}`;
  }),
  "note-price": doneWith("money", (amount, { rng }) => {
    const title = `Price of the ${rng.pick(PRICED)}`;
    const text = `$${(amount.value / 100).toFixed(2)}`;
    return done({
      apply: (db) => void db.insert(notes, newNote(title, text)),
      cells: [`apis.notes.add({title:${js(title)},text:"$"+Number(${amount.code}).toFixed(2)})`],
    })`Add a note "${title}" whose text is just an amount such as $12.50; the amount is
      ${amount.words} | Write a note with the
      title "${title}" and only an amount, such as $12.50, as text: ${amount.words} | Make a note
      called "${title}" that says nothing but an amount (such as $12.50), namely ${amount.words}
      | I need a note "${title}" with an amount in the form $12.50 as its text; take ${amount.words}
      | Under the title "${title}", note down, in the form $12.50, ${amount.words}`;
  }),
  "add-notebook": ({ rng, db: now }) => {
    const name = rng.pick(BOOKS);
    if (now.where(notebooks, { name }).length > 0) return undefined;
    return done({
      apply: (db) => void db.insert(notebooks, { name }),
      cells: [`apis.notes.addNotebook({name:${js(name)}})`],
    })`Add a notebook "${name}" to my notes | Make a new notebook called "${name}" | Create the
      notebook "${name}" in the notes app | I need a new notebook "${name}" in the notes app
      | Let there be an empty notebook "${name}" in the notes app`;
  },
  undo: (draw) => {
    const last = ({ id }: Note) => draw.db.where(noteVersions, { note: id }).at(-1);
    const note = namedNote(draw, (row) => last(row) !== undefined);
    const before = note && last(note.value);
    if (!note || !before) return undefined;
    const { title, text } = before;
    return done({
      apply: (db) => void db.update(notes, note.value.id, { title, text }),
      cells: [`apis.notes.undo({id:${note.code}})`],
      uses: [note],
    })`Undo the last change of ${note.words} | Take back the last change of ${note.words}
      | Let ${note.words} be as it was before its last change | Bring back what was there before
      the last change of ${note.words} | Reverse the last change that was made to ${note.words}`;
  },
  merge: (draw) => {
    const [from, into] = [namedNote(draw), namedNote(draw)];
    if (!from || !into || from.value.id === into.value.id) return undefined;
    return done({
      apply: (db) => {
        setTraits(db, from.value.id, { state: "trashed" });
        const { id, text } = db.get(notes, into.value.id)!;
        db.update(notes, id, { text: `${text}\n${from.value.text}` });
      },
      cells: [`apis.notes.merge({id:${from.code},into:${into.code}})`],
      uses: [from, into],
    })`Merge ${from.words} into ${into.words} | Let ${into.words} take in ${from.words} by merging
      the two | Add the text of ${from.words} to the end of ${into.words} by
      merging the first into the second | By a merge, let ${from.words} become part of ${into.words}
      | Merge the text of ${from.words} into ${into.words}, so that the first goes to the trash`;
  },
}));
