/** What notes can tell (prices, costs, days, sentences), facts about all of them, and deeds. */

import {
  type Deed,
  type Draw,
  type Fact,
  moneyWords,
  type Source,
  type Value,
  type ValueOf,
} from "../../../../goals/index.ts";
import type { Writer } from "../../../../world/index.ts";
import { notebooks, noteVersions, traits } from "../../apps/notes/tables.ts";
import { setTraits } from "../../apps/notes/traits.ts";
import { type Note, notes } from "../../apps/tables.ts";
import { placesOf } from "../../life/life.ts";
import { dayAfter } from "../../population/time.ts";
import { sentence as sentenceOf } from "../../sentences.ts";
import { countPages, js } from "../old-papers.ts";
import { findNote, namedNote, rewriteNote } from "./words.ts";

/** An active note about a place of the split. */
function placeNote(draw: Draw, start: string, fits: (row: Note) => boolean) {
  const titles = new Set(placesOf(draw.split).map((place) => `${start} ${place}`));
  return namedNote(draw, (row) => titles.has(row.title) && fits(row));
}

/** A value that one more cell takes out of a note's text. */
function takenFrom<T>(
  draw: Draw,
  note: Pick<Value<unknown>, "cells" | "code" | "setup">,
  value: T,
  words: string,
  code: (text: string) => string,
): Value<T> {
  const variable = draw.variable("v");
  const cell = `var ${variable}=${code(`apis.notes.show({id:${note.code}}).text`)};print(${variable})`;
  const setup = note.setup ? { setup: note.setup } : {};
  return { value, words, code: variable, cells: [...note.cells, cell], apps: ["notes"], ...setup };
}

/** A note that is written for this task alone. */
function newNote(draw: Draw, title: string, text: string) {
  if (draw.db.all(notes).some((row) => row.title.toLowerCase().includes(title.toLowerCase()))) {
    return undefined;
  }
  const code = draw.variable("n");
  const row = { title, text, tag: null, pinned: false };
  return {
    words: `my note ${js(title)}`,
    code,
    cells: [findNote(title, code)],
    setup: (db: Writer) => void db.insert(notes, row),
  };
}

// --- sources ---

const WARES = "kayak,canoe,paddle boat,sledge,tandem,rowing boat,snow shoes,camper,pony,raft".split(
  ",",
);

const price: Source<"money"> = {
  name: "price",
  type: "money",
  app: "notes",
  draw: (draw): ValueOf["money"] | undefined => {
    const { rng } = draw;
    const [ware = "", other = ""] = rng.sample(WARES, 2);
    const [cents, more] = [rng.integer(450, 19_900), rng.integer(450, 19_900)];
    const title = `Rent of a ${ware}`;
    const text = `Deposit for the ${other}: ${moneyWords(more)}.\nThe ${ware} is ${moneyWords(cents)} a day.`;
    const note = newNote(draw, title, text);
    return (
      note &&
      takenFrom(
        draw,
        note,
        cents,
        `the price of the ${ware} a day in ${note.words}`,
        (read) => `Number(${read}.match(/is \\$([\\d.]*\\d)/)[1])`,
      )
    );
  },
};

const costLine: Source<"money"> = {
  name: "cost-line",
  type: "money",
  app: "notes",
  draw: (draw) => {
    const note = placeNote(draw, "Costs of the", () => true);
    const lines = [...(note?.value.text ?? "").matchAll(/^([a-z ]+): \$(\d+\.\d\d)/gm)];
    if (!note || lines.length === 0) return undefined;
    const [, what = "", amount = ""] = draw.rng.pick(lines);
    return takenFrom(
      draw,
      note,
      Math.round(Number(amount) * 100),
      `the amount for the ${what} in ${note.words}`,
      (read) => `Number(${read}.match(/^${what}: \\$(\\d+\\.\\d\\d)/m)[1])`,
    );
  },
};

const budget: Source<"money"> = {
  name: "budget",
  type: "money",
  app: "notes",
  draw: (draw) => {
    const note = placeNote(draw, "Plan for the", ({ text }) => text.includes("Budget: $"));
    if (!note) return undefined;
    return takenFrom(
      draw,
      note,
      Math.round(Number(/Budget: \$(\d+\.\d\d)/.exec(note.value.text)?.[1]) * 100),
      `the budget in ${note.words}`,
      (read) => `Number(${read}.match(/Budget: \\$(\\d+\\.\\d\\d)/)[1])`,
    );
  },
};

const planDay: Source<"day"> = {
  name: "plan-day",
  type: "day",
  app: "notes",
  draw: (draw) => {
    const dayIn = (text: string) => /Day: (\S+)/.exec(text)?.[1] ?? "";
    const note = placeNote(draw, "Plan for the", ({ text }) => dayIn(text) > dayAfter(0));
    if (!note) return undefined;
    return takenFrom(
      draw,
      note,
      dayIn(note.value.text),
      `the day in ${note.words}`,
      (read) => `${read}.match(/Day: (\\S+)/)[1]`,
    );
  },
};

const deadline: Source<"day"> = {
  name: "deadline",
  type: "day",
  app: "notes",
  draw: (draw) => {
    const { rng } = draw;
    const what = rng.pick(["passport", "tax form", "insurance", "library card", "ferry booking"]);
    const [day, other] = [dayAfter(rng.integer(3, 50)), dayAfter(-rng.integer(3, 50))];
    const note = newNote(draw, `About the ${what}`, `Asked on ${other}.\nIt runs out on ${day}.`);
    return (
      note &&
      takenFrom(
        draw,
        note,
        day,
        `the day on which the ${what} runs out according to ${note.words}`,
        (read) => `${read}.match(/runs out on (\\d{4}-\\d\\d-\\d\\d)/)[1]`,
      )
    );
  },
};

const sentence: Source<"text"> = {
  name: "sentence",
  type: "text",
  app: "notes",
  draw: (draw) => {
    const { rng, split } = draw;
    const text = sentenceOf(rng, split);
    const about = rng.pick(["answer", "greeting", "excuse", "announcement", "reply"]);
    const note = newNote(draw, `Wording of the ${about}`, text);
    return note && takenFrom(draw, note, text, `the text of ${note.words}`, (read) => read);
  },
};

export const noteSources: readonly Source[] = [
  price,
  costLine,
  budget,
  planDay,
  deadline,
  sentence,
];

// --- facts ---

export const noteFacts: readonly Fact[] = [
  {
    name: "archived",
    app: "notes",
    unit: "number",
    words: [
      "the number of archived notes",
      "the number of notes in the archive",
      "the count of my archived notes",
      "the number of notes that I have archived",
      "the number of notes which lie in my archive",
    ],
    value: (db) =>
      db.where(traits, { state: "archived" }).filter(({ note }) => db.get(notes, note)).length,
    code: countPages("apis.notes.archived({size:20,page:p++})"),
  },
  {
    name: "trips",
    app: "notes",
    unit: "number",
    words: [
      'the number of notes in the notebook "Trips" (with archived and trashed ones)',
      'the size of the notebook "Trips", archived and trashed notes included',
      'the number of notes that the list of notebooks shows for "Trips"',
      'the count of notes in "Trips" that the list of notebooks gives',
      'the number of notes of the notebook "Trips", those in archive and trash included',
    ],
    value: (db) => {
      const book = db.where(notebooks, { name: "Trips" })[0]?.id ?? 0;
      return db.where(traits, { notebook: book }).filter(({ note }) => db.get(notes, note)).length;
    },
    code: 'apis.notes.notebooks({size:20}).items.find(b=>b.name==="Trips").size',
  },
  {
    name: "costs",
    app: "notes",
    unit: "number",
    words: [
      'the number of notes with the tag "costs" (without archived and trashed ones)',
      'the number of notes tagged "costs" that are neither archived nor in the trash',
      'the count that the list of tags gives for "costs" in the notes app',
      'the number of notes that the tags of the notes app show for "costs"',
      'the number of notes tagged "costs", those in archive and trash not included',
    ],
    value: (db) =>
      db
        .where(notes, { tag: "costs" })
        .filter(({ id }) => db.where(traits, { note: id }).every(({ state }) => state === "active"))
        .length,
    code: 'apis.notes.tags({size:20}).items.find(t=>t.name==="costs").size',
  },
];

// --- deeds ---

const TITLES = ["Idea", "Reminder to self", "Quote", "Dream", "Overheard", "Question"] as const;

const add: Deed = {
  name: "add",
  app: "notes",
  takes: "text",
  draw: (draw) => {
    const text = draw.value("text");
    const title = `${draw.rng.pick(TITLES)} ${draw.rng.integer(2, 99)}`;
    return {
      sentences: [
        `Add a note "${title}"; its text is ${text.words}`,
        `Write a note with the title "${title}" and this text: ${text.words}`,
        `Make a note called "${title}" whose text is ${text.words}`,
        `I need a new note "${title}" that says ${text.words}`,
        `Under the title "${title}", note down ${text.words}`,
      ],
      apply: (db) => void db.insert(notes, { title, text: text.value, tag: null, pinned: false }),
      cells: [`apis.notes.add({title:${js(title)},text:${text.code}})`],
      uses: [text],
    };
  },
};

const notePrice: Deed = {
  name: "note-price",
  app: "notes",
  takes: "money",
  draw: (draw) => {
    const amount = draw.value("money");
    const title = `Price of the ${draw.rng.pick(["hedge trimmer", "stove", "carpet", "skylight", "bunk bed", "pump"])}`;
    const text = `$${(amount.value / 100).toFixed(2)}`;
    return {
      sentences: [
        `Add a note "${title}" whose text is just an amount such as $12.50; the amount is ${amount.words}`,
        `Write a note with the title "${title}" and only an amount, such as $12.50, as text: ${amount.words}`,
        `Make a note called "${title}" that says nothing but an amount (such as $12.50), namely ${amount.words}`,
        `I need a note "${title}" with an amount in the form $12.50 as its text; take ${amount.words}`,
        `Under the title "${title}", note down, in the form $12.50, ${amount.words}`,
      ],
      apply: (db) => void db.insert(notes, { title, text, tag: null, pinned: false }),
      cells: [`apis.notes.add({title:${js(title)},text:"$"+Number(${amount.code}).toFixed(2)})`],
      uses: [amount],
    };
  },
};

const addNotebook: Deed = {
  name: "add-notebook",
  app: "notes",
  draw: ({ rng, db }) => {
    const name = rng.pick([
      "Garden",
      "Music",
      "Letters",
      "Languages",
      "Wishes",
      "Repairs",
      "Films",
    ]);
    if (db.where(notebooks, { name }).length > 0) return undefined;
    return {
      sentences: [
        `Add a notebook "${name}" to my notes`,
        `Make a new notebook called "${name}"`,
        `Create the notebook "${name}" in the notes app`,
        `I need a new notebook "${name}" in the notes app`,
        `Let there be an empty notebook "${name}" in the notes app`,
      ],
      apply: (db) => void db.insert(notebooks, { name }),
      cells: [`apis.notes.addNotebook({name:${js(name)}})`],
    };
  },
};

const undo: Deed = {
  name: "undo",
  app: "notes",
  draw: (draw) => {
    const last = (id: number) => draw.db.where(noteVersions, { note: id }).at(-1);
    const note = namedNote(draw, (row) => last(row.id) !== undefined);
    const before = note && last(note.value.id);
    if (!note || !before) return undefined;
    const { title, text } = before;
    return {
      sentences: [
        `Undo the last change of ${note.words}`,
        `Take back the last change of ${note.words}`,
        `Let ${note.words} be as it was before its last change`,
        `Bring back what was there before the last change of ${note.words}`,
        `Reverse the last change that was made to ${note.words}`,
      ],
      apply: (db) => rewriteNote(db, note.value.id, () => ({ title, text })),
      cells: [`apis.notes.undo({id:${note.code}})`],
      uses: [note],
    };
  },
};

const merge: Deed = {
  name: "merge",
  app: "notes",
  draw: (draw) => {
    const [from, into] = [namedNote(draw), namedNote(draw)];
    if (!from || !into || from.value.id === into.value.id) return undefined;
    return {
      sentences: [
        `Merge ${from.words} into ${into.words}`,
        `Let ${into.words} take in ${from.words} by merging the two`,
        `Add the text of ${from.words} to the end of ${into.words} by merging the first into the second`,
        `By a merge, let ${from.words} become part of ${into.words}`,
        `Merge the text of ${from.words} into ${into.words}, so that the first goes to the trash`,
      ],
      apply: (db) => {
        setTraits(db, from.value.id, { state: "trashed" });
        rewriteNote(db, into.value.id, ({ text }) => ({ text: `${text}\n${from.value.text}` }));
      },
      cells: [`apis.notes.merge({id:${from.code},into:${into.code}})`],
      uses: [from, into],
    };
  },
};

export const noteDeeds: readonly Deed[] = [add, notePrice, addNotebook, undo, merge];
