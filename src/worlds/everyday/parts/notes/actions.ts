/** What is done with notes: marks, places, reminders, texts. */
import type { Action, Draw } from "../../../../goals/index.ts";
import { COLOURS, items, notebooks, type Traits } from "../../apps/notes/tables.ts";
import { activeShares, setTraits, traitsOf } from "../../apps/notes/traits.ts";
import { notes, todoLists, todos } from "../../apps/tables.ts";
import { js } from "../old-papers.ts";
import { type Frames, noteOf, rewriteNote, simple } from "./words.ts";

export const pin = simple(
  "pin",
  "notes",
  [
    (noun) => `Pin ${noun}`,
    (noun) => `Put a pin on ${noun}`,
    (noun) => `In the notes app, pin ${noun}`,
    (noun) => `Let there be a pin on ${noun}`,
    (noun) => `Attach a pin to ${noun}`,
  ],
  {
    permits: (db, id) => noteOf(db, id)?.pinned === false,
    apply: (db, id) => void db.update(notes, id, { pinned: true }),
    call: (x) => `apis.notes.pin({id:${x}})`,
  },
);

const TAGS = ["this week", "done", "important", "old", "check", "private"] as const;

export const tag: Action = {
  name: "tag",
  kind: "notes",
  app: "notes",
  difficulty: 1,
  draw: ({ rng }) => {
    const tag = rng.pick(TAGS);
    return {
      frames: [
        (noun) => `Give the tag "${tag}" to ${noun}`,
        (noun) => `Set the tag "${tag}" for ${noun}`,
        (noun) => `With "${tag}" in place of any old tag, tag ${noun}`,
        (noun) => `Let "${tag}" be the tag of ${noun}`,
        (noun) => `Use "${tag}" as the tag of ${noun}`,
      ],
      permits: (db, id) => noteOf(db, id)?.tag !== tag,
      apply: (db, id) => void db.update(notes, id, { tag }),
      call: (x) => `apis.notes.tag({id:${x},tag:${js(tag)}})`,
    };
  },
};

/** Sets traits drawn at random; a note that has them already is refused. */
function setting<K extends keyof Traits>(
  name: string,
  key: K,
  choose: (draw: Draw) => { readonly value: Traits[K]; readonly words: string } | undefined,
  frames: (words: string) => Frames,
  call: (x: string, words: string) => string,
): Action {
  return {
    name,
    kind: "notes",
    app: "notes",
    difficulty: 1,
    draw: (draw) => {
      const chosen = choose(draw);
      if (!chosen) return undefined;
      return {
        frames: frames(chosen.words),
        permits: (db, id) => traitsOf(db, id)[key as "colour"] !== chosen.value,
        apply: (db, id) => setTraits(db, id, { [key]: chosen.value }),
        call: (x) => call(x, chosen.words),
      };
    },
  };
}

export const colour = setting(
  "colour",
  "colour",
  ({ rng }) => {
    const value = rng.pick(COLOURS.slice(1));
    return { value, words: value };
  },
  (colour) => [
    (noun) => `Give the colour ${colour} to ${noun}`,
    (noun) => `Set the colour ${colour} for ${noun}`,
    (noun) => `Let ${colour} be the colour of ${noun}`,
    (noun) => `Choose ${colour} as the colour of ${noun}`,
    (noun) => `Make ${colour} the colour of ${noun}`,
  ],
  (x, colour) => `apis.notes.colour({id:${x},colour:${js(colour)}})`,
);

export const putIn = setting(
  "put-in",
  "notebook",
  ({ rng, db }) => {
    const books = db.all(notebooks);
    if (books.length === 0) return undefined;
    const book = rng.pick(books);
    return { value: book.id, words: book.name };
  },
  (book) => [
    (noun) => `Put ${noun} into the notebook "${book}"`,
    (noun) => `Move ${noun} to the notebook "${book}"`,
    (noun) => `Make "${book}" the notebook of ${noun}`,
    (noun) => `Let the notebook "${book}" have ${noun}`,
    (noun) => `Choose "${book}" as the notebook of ${noun}`,
  ],
  (x, book) => `apis.notes.putIn({id:${x},notebook:${js(book)}})`,
);

export const archive = simple(
  "archive",
  "notes",
  [
    (noun) => `Archive ${noun}`,
    (noun) => `Put ${noun} into the archive`,
    (noun) => `Move ${noun} to the archive`,
    (noun) => `Send ${noun} to the archive`,
    (noun) => `In the notes app, archive ${noun}`,
  ],
  {
    permits: (db, id) => traitsOf(db, id).state !== "archived",
    apply: (db, id) => setTraits(db, id, { state: "archived" }),
    call: (x) => `apis.notes.archive({id:${x}})`,
  },
);

export const trash = simple(
  "trash",
  "notes",
  [
    (noun) => `Move ${noun} to the trash`,
    (noun) => `Put ${noun} into the trash`,
    (noun) => `Trash ${noun}`,
    (noun) => `Throw ${noun} into the trash`,
    (noun) => `Send ${noun} to the trash`,
  ],
  {
    permits: (db, id) =>
      traitsOf(db, id).state !== "trashed" && activeShares(db, { note: id }).length === 0,
    apply: (db, id) => setTraits(db, id, { state: "trashed" }),
    call: (x) => `apis.notes.trash({id:${x}})`,
  },
);

export const remind: Action = {
  name: "remind",
  kind: "notes",
  app: "notes",
  difficulty: 1,
  takes: "day",
  draw: (draw) => {
    const day = draw.value("day");
    const time = draw.rng.pick(["07:30", "10:00", "13:15", "17:45", "20:00"]);
    return {
      frames: [
        (noun) => `Set a reminder at ${time} for ${noun}; its day is ${day.words}`,
        (noun) => `Let me have a reminder at ${time} of ${noun}; the day for it is ${day.words}`,
        (noun) => `Add a reminder (time: ${time}) to ${noun}, with this day: ${day.words}`,
        (noun) => `Remind me at ${time} of ${noun}; the day shall be ${day.words}`,
        (noun) => `Make a reminder for ${noun}: the time is ${time} and the day is ${day.words}`,
      ],
      permits: (db, id) => {
        const old = traitsOf(db, id);
        return old.day !== day.value || old.time !== time;
      },
      apply: (db, id) => setTraits(db, id, { day: day.value, time }),
      call: (x) => `apis.notes.remind({id:${x},day:${day.code},time:${js(time)}})`,
      uses: [day],
    };
  },
};

export const forget = simple(
  "forget",
  "notes",
  [
    (noun) => `Take the reminder off ${noun}`,
    (noun) => `Remove the reminder of ${noun}`,
    (noun) => `Let the reminder disappear from ${noun}`,
    (noun) => `Clear the reminder of ${noun}`,
    (noun) => `Cancel the reminder for ${noun}`,
  ],
  {
    permits: (db, id) => traitsOf(db, id).day !== null,
    apply: (db, id) => setTraits(db, id, { day: null, time: null }),
    call: (x) => `apis.notes.forget({id:${x}})`,
  },
);

// --- texts ---

export const append: Action = {
  name: "append",
  kind: "notes",
  app: "notes",
  difficulty: 1,
  takes: "text",
  draw: (draw) => {
    const text = draw.value("text");
    return {
      frames: [
        (noun) => `Add a line at the end of the text of ${noun}: ${text.words}`,
        (noun) => `Append a last line to ${noun}, namely ${text.words}`,
        (noun) => `As a new last line, write ${text.words} into ${noun}`,
        (noun) => `Write ${text.words} as one more line at the end of ${noun}`,
        (noun) => `Let ${text.words} be a new last line of ${noun}`,
      ],
      apply: (db, id) => rewriteNote(db, id, (row) => ({ text: `${row.text}\n${text.value}` })),
      call: (x) => `apis.notes.append({id:${x},text:${text.code}})`,
      uses: [text],
    };
  },
};

/** The new title is made from the old one. */
export const retitle: Action = {
  name: "retitle",
  kind: "notes",
  app: "notes",
  difficulty: 2,
  draw: ({ rng }) => {
    const word = rng.pick(["Checked", "Last year", "Settled", "Draft", "Seen"]);
    return {
      frames: [
        (noun) => `Put "${word}: " in front of the title of ${noun}`,
        (noun) => `Prefix the title with "${word}: ", for ${noun}`,
        (noun) => `Write "${word}: " before the title of ${noun}`,
        (noun) => `Change the title to "${word}: " and the old title, for ${noun}`,
        (noun) => `Let "${word}: " stand before the title of ${noun}`,
      ],
      apply: (db, id) => rewriteNote(db, id, (row) => ({ title: `${word}: ${row.title}` })),
      call: (x) =>
        `const n=apis.notes.show({id:${x}});apis.notes.update({id:${x},title:${js(`${word}: `)}+n.title})`,
    };
  },
};

export const addItem: Action = {
  name: "add-item",
  kind: "notes",
  app: "notes",
  difficulty: 1,
  takes: "text",
  draw: (draw) => {
    const text = draw.value("text");
    return {
      frames: [
        (noun) => `Add an item to the checklist of ${noun}: ${text.words}`,
        (noun) => `Put one more item on the checklist of ${noun}, namely ${text.words}`,
        (noun) => `As a new item, add ${text.words} to the checklist of ${noun}`,
        (noun) => `Let ${text.words} be a new item on the checklist of ${noun}`,
        (noun) => `Write ${text.words} as a further item on the checklist of ${noun}`,
      ],
      apply: (db, id) => void db.insert(items, { note: id, text: text.value, done: false }),
      call: (x) => `apis.notes.addItem({id:${x},text:${text.code}})`,
      uses: [text],
    };
  },
};

/** A note that says what the other is called. */
export const todoFromNote: Action = {
  name: "todo-from-note",
  kind: "notes",
  app: "todo",
  difficulty: 2,
  draw: () => ({
    frames: [
      (noun) =>
        `Add a todo "read TITLE" to my inbox list, with the title of the note in place of TITLE, for ${noun}`,
      (noun) =>
        `Put a todo "read TITLE" on my inbox list, where TITLE stands for the title of the note, for ${noun}`,
      (noun) =>
        `With the title of the note in place of TITLE, add the todo "read TITLE" to my inbox list for ${noun}`,
      (noun) =>
        `Make me a todo "read TITLE" on the inbox list, TITLE being the note's title, for ${noun}`,
      (noun) =>
        `On my inbox list, add a todo "read TITLE" (TITLE is the title of the note) for ${noun}`,
    ],
    apply: (db, id) => {
      const list = db.where(todoLists, { name: "inbox" })[0]!.id;
      const title = `read ${db.get(notes, id)!.title}`;
      db.insert(todos, { title, list, due: null, done: false });
    },
    call: (x) =>
      `const n=apis.notes.show({id:${x}});apis.todo.add({title:"read "+n.title,list:"inbox"})`,
  }),
};
