/**
 * Values that other parts can look up in notes (prices, costs, days and sentences), facts about all notes, and single
 * tasks.
 */
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
import { countItemsCode } from "../files-notes-todos.ts";
import { drawNamedNote, notesByTitle } from "./notes-by-title.ts";

const makeNoteRow = (title: string, text: string) => ({ title, text, tag: null, pinned: false });

/** Draws an active note about a place of the split. */
function drawPlaceNote(
  draw: DrawContext,
  titleStart: string,
  fits: (row: Note) => boolean = () => true,
) {
  const titles = new Set(placesOfPart(draw.split).map((place) => `${titleStart} ${place}`));
  return drawNamedNote(draw, (row) => titles.has(row.title) && fits(row));
}

/** Makes a value for a note that is inserted for this task alone. */
function makeNoteForTask(draw: DrawContext, title: string, text: string) {
  const wanted = title.toLowerCase();
  if (draw.db.all(notes).some((row) => row.title.toLowerCase().includes(wanted))) return undefined;
  return notesByTitle.findByName(
    draw,
    title,
    text,
    (db) => void db.insert(notes, makeNoteRow(title, text)),
  );
}

const noteTextCode = (code: string) => `apis.notes.show({id:${code}}).text`;

const RENTED_THINGS = wordList(
  "kayak | canoe | paddle boat | sledge | tandem | rowing boat | snow shoes | camper | pony | raft",
);
const PAPER_NAMES = wordList("passport | tax form | insurance | library card | ferry booking");
const WORDING_KINDS = wordList("answer | greeting | excuse | announcement | reply");

const budgetDollars = ({ text }: Note) => Number(/Budget: \$(\d+\.\d\d)/.exec(text)?.[1]);
const dayInNote = ({ text }: Note) => /Day: (\S+)/.exec(text)?.[1] ?? "";

const hasBudget = ({ text }: Note) => text.includes("Budget: $");
const isDayAhead = (row: Note) => dayInNote(row) > dayFromStart(0);
const drawPlanNote = (fits: (row: Note) => boolean) => (draw: DrawContext) =>
  drawPlaceNote(draw, "Plan for the", fits);

function drawWordingNote(draw: DrawContext) {
  const text = drawSentence(draw.rng, draw.split);
  return makeNoteForTask(draw, `Wording of the ${draw.rng.pick(WORDING_KINDS)}`, text);
}

export const noteSources = sources("notes", ({ source }) => ({
  price: source.money("v", (draw) => {
    const { rng } = draw;
    const [ware = "", other = ""] = rng.sample(RENTED_THINGS, 2);
    const [value, more] = [rng.integer(450, 19_900), rng.integer(450, 19_900)];
    const text = `Deposit for the ${other}: ${moneyInWords(more)}.\nThe ${ware} is ${moneyInWords(value)} a day.`;
    const note = makeNoteForTask(draw, `Rent of a ${ware}`, text);
    if (!note) return undefined;
    return {
      value,
      words: `the price of the ${ware} a day in ${note.words}`,
      code: `Number(${noteTextCode(note.code)}.match(/is \\$([\\d.]*\\d)/)[1])`,
      uses: [note],
    };
  }),
  "cost-line": source.money("v", (draw) => {
    const note = drawPlaceNote(draw, "Costs of the");
    const lines = [...(note?.value.text ?? "").matchAll(/^([a-z ]+): \$(\d+\.\d\d)/gm)];
    if (!note || lines.length === 0) return undefined;
    const [, what = "", amount = ""] = draw.rng.pick(lines);
    return {
      value: Math.round(Number(amount) * 100),
      words: `the amount for the ${what} in ${note.words}`,
      code: `Number(${noteTextCode(note.code)}.match(/^${what}: \\$(\\d+\\.\\d\\d)/m)[1])`,
      uses: [note],
    };
  }),
  budget: source.money("v", drawPlanNote(hasBudget), ({ value, words, code }) => ({
    value: Math.round(budgetDollars(value) * 100),
    words: `the budget in ${words}`,
    code: `Number(${noteTextCode(code)}.match(/Budget: \\$(\\d+\\.\\d\\d)/)[1])`,
  })),
  "plan-day": source.day("v", drawPlanNote(isDayAhead), ({ value, words, code }) => ({
    value: dayInNote(value),
    words: `the day in ${words}`,
    code: `${noteTextCode(code)}.match(/Day: (\\S+)/)[1]`,
  })),
  deadline: source.day("v", (draw) => {
    const { rng } = draw;
    const what = rng.pick(PAPER_NAMES);
    const [day, other] = [dayFromStart(rng.integer(3, 50)), dayFromStart(-rng.integer(3, 50))];
    const text = `Asked on ${other}.\nIt runs out on ${day}.`;
    const note = makeNoteForTask(draw, `About the ${what}`, text);
    if (!note) return undefined;
    return {
      value: day,
      words: `the day on which the ${what} runs out according to ${note.words}`,
      code: `${noteTextCode(note.code)}.match(/runs out on (\\d{4}-\\d\\d-\\d\\d)/)[1]`,
      uses: [note],
    };
  }),
  sentence: source.text("v", drawWordingNote, ({ value, words, code }) => ({
    value,
    words: `the text of ${words}`,
    code: noteTextCode(code),
  })),
}));

export const noteFacts = facts("notes", ({ fact }) => ({
  archived: fact(
    "number",
    (db) =>
      db.where(traits, { state: "archived" }).filter(({ note }) => db.get(notes, note)).length,
    countItemsCode("apis.notes.archived({size:20,page:p++})"),
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

const NOTE_TITLES = wordList("Idea | Reminder to self | Quote | Dream | Overheard | Question");
const PRICED_THINGS = wordList("hedge trimmer | stove | carpet | skylight | bunk bed | pump");
const NOTEBOOK_NAMES = wordList("Garden | Music | Letters | Languages | Wishes | Repairs | Films");

const PRICE_TITLES = PRICED_THINGS.map((thing) => `Price of the ${thing}`);
const drawNoteTitle = customIngredient(
  ({ rng }) => `${rng.pick(NOTE_TITLES)} ${rng.integer(2, 99)}`,
);

const lastNoteVersion = (db: Reader, note: number) => db.where(noteVersions, { note }).at(-1);
const drawChangedNote = (draw: DrawContext) =>
  drawNamedNote(draw, ({ id }) => lastNoteVersion(draw.db, id) !== undefined);

export const noteDeeds = deeds("notes", ({ deed, deedWithOne, taskValue, oneOf }) => ({
  add: deed({ text: taskValue("text"), title: drawNoteTitle }, ({ text, title }) => ({
    apply: (db) => void db.insert(notes, makeNoteRow(title.value, text.value)),
    call: `apis.notes.add({title:${title.code},text:${text.code}})`,
  }))`Add a note "$title"; its text is $text | Write a note with the title "$title" and this text:
    $text | Make a note called "$title" whose text is $text
    | I need a new note "$title" that says $text | Under the title "$title", note down $text`,
  "note-price": deed(
    { amount: taskValue("money"), title: oneOf(PRICE_TITLES) },
    ({ amount, title }) => {
      const text = `$${(amount.value / 100).toFixed(2)}`;
      return {
        apply: (db) => void db.insert(notes, makeNoteRow(title.value, text)),
        call: `apis.notes.add({title:${title.code},text:"$"+Number(${amount.code}).toFixed(2)})`,
      };
    },
  )`Add a note "$title" whose text is just an amount such as $12.50; the amount is $amount
    | Write a note with the title "$title" and only an amount, such as $12.50, as text: $amount
    | Make a note called "$title" that says nothing but an amount (such as $12.50), namely $amount
    | I need a note "$title" with an amount in the form $12.50 as its text; take $amount
    | Under the title "$title", note down, in the form $12.50, $amount`,
  "add-notebook": deedWithOne(
    oneOf(NOTEBOOK_NAMES),
    ({ value: name, code }, { db: startState }) => {
      if (startState.where(notebooks, { name }).length > 0) return undefined;
      return {
        apply: (db) => void db.insert(notebooks, { name }),
        call: `apis.notes.addNotebook({name:${code}})`,
      };
    },
  )`Add a notebook "$" to my notes | Make a new notebook called "$"
    | Create the notebook "$" in the notes app | I need a new notebook "$" in the notes app
    | Let there be an empty notebook "$" in the notes app`,
  undo: deedWithOne(drawChangedNote, ({ value: { id }, code }, { db: startState }) => {
    const { title, text } = lastNoteVersion(startState, id)!;
    return {
      apply: (db) => void db.update(notes, id, { title, text }),
      call: `apis.notes.undo({id:${code}})`,
    };
  })`Undo the last change of $ | Take back the last change of $ | Let $ be as it was before its last
    change | Bring back what was there before the last change of $
    | Reverse the last change that was made to $`,
  merge: deed({ from: drawNamedNote, into: drawNamedNote }, ({ from, into }) => {
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
