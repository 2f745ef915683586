/** What is done with notes, with items of checklists, with archived notes and notes of others, and for people. */
import type { Reader, Writer } from "../../../../world/index.ts";
import type { Action, Draw, Effect, Forms, Value } from "../../algebra/parts.ts";
import { borrowed, COLOURS, items, notebooks, type Traits } from "../../apps/notes/tables.ts";
import { activeShares, setShareRole, setTraits, traitsOf } from "../../apps/notes/traits.ts";
import { type Note, notes, people, shares, todoLists, todos } from "../../apps/tables.ts";
import { js } from "../papers.ts";

type Frames = Forms<(noun: string) => string>;

/** An action that needs no value. */
function simple(
  name: string,
  kind: string,
  frames: Frames,
  effect: Pick<Effect, "permits" | "apply" | "call">,
): Action {
  return { name, kind, app: "notes", difficulty: 1, draw: () => ({ frames, ...effect }) };
}

const noteOf = (db: Reader, id: number) => db.get(notes, id);

export function rewriteNote(db: Writer, id: number, change: (row: Note) => Partial<Note>): void {
  db.update(notes, id, change(db.get(notes, id)!));
}

export function shareNote(
  db: Writer,
  note: number,
  person: number,
  role: "viewer" | "editor",
): void {
  const [old] = db.where(shares, { note, person });
  setShareRole(db, (old ?? db.insert(shares, { note, person })).id, role);
}

export const isShared = (db: Reader, note: number, person: number) =>
  activeShares(db, { note, person }).length > 0;

/** An active note by its title, which no other note has. */
export function namedNote(
  draw: Draw,
  fits: (row: Note, db: Reader) => boolean = () => true,
): Value<Note> | undefined {
  const titles = draw.db.all(notes).map(({ title }) => title);
  const rows = draw.db
    .all(notes)
    .filter((row) => traitsOf(draw.db, row.id).state === "active" && fits(row, draw.db))
    .filter(({ title }) => titles.indexOf(title) === titles.lastIndexOf(title));
  if (rows.length === 0) return undefined;
  const value = draw.rng.pick(rows);
  const code = draw.variable("n");
  return {
    value,
    words: `my note ${js(value.title)}`,
    code,
    cells: [findNote(value.title, code)],
    apps: ["notes"],
  };
}

/** A cell that leaves the id of the active note of this title in `out`. */
export function findNote(title: string, out: string): string {
  return `var ${out}=apis.notes.search({query:${js(title)},size:20}).items.filter(x=>x.title===${js(title)})[0].id;print(${out})`;
}

// --- marks and places ---

const pin = simple(
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

const tag: Action = {
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

const colour = setting(
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

const putIn = setting(
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

const archive = simple(
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

const trash = simple(
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

const remind: Action = {
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

const forget = simple(
  "forget",
  "notes",
  [
    (noun) => `Take the reminder off ${noun}`,
    (noun) => `Remove the reminder of ${noun}`,
    (noun) => `Let there be no reminder any more for ${noun}`,
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

const append: Action = {
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
const retitle: Action = {
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

const addItem: Action = {
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
const todoFromNote: Action = {
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

// --- sharing ---

const share: Action = {
  name: "share",
  kind: "notes",
  app: "notes",
  difficulty: 2,
  draw: (draw) => {
    const person = draw.person(draw.db.where(people, { blocked: false }).map(({ id }) => id));
    if (!person) return undefined;
    const { id: whom, name } = person.value;
    const role = draw.rng.pick(["viewer", "editor"] as const);
    return {
      frames: [
        (noun) => `With ${name} as ${role}, share ${noun}`,
        (noun) => `In the notes app, make ${name} ${role} of ${noun}`,
        (noun) => `Let ${name} have access as ${role} to ${noun}`,
        (noun) => `Give ${name} the role ${role} for ${noun}`,
        (noun) => `Give ${name} access, with the role ${role}, to ${noun}`,
      ],
      permits: (db, id) => !isShared(db, id, whom),
      apply: (db, id) => shareNote(db, id, whom, role),
      call: (x) => `apis.notes.share({id:${x},to:${person.code},role:${js(role)}})`,
      uses: [person],
    };
  },
};

const shareWithEach: Action = {
  name: "share-note",
  kind: "people",
  app: "notes",
  difficulty: 2,
  draw: (draw) => {
    const note = namedNote(draw);
    if (!note) return undefined;
    const role = draw.rng.pick(["viewer", "editor"] as const);
    return {
      frames: [
        (noun) => `As ${role}, let ${noun} have access to ${note.words}`,
        (noun) => `Share ${note.words}, with the role ${role}, with ${noun}`,
        (noun) => `Give access to ${note.words}, with the role ${role}, to ${noun}`,
        (noun) => `In the notes app, share ${note.words}, with the role ${role}, with ${noun}`,
        (noun) => `With the role ${role}, share ${note.words} with ${noun}`,
      ],
      permits: (db, person) =>
        db.get(people, person)?.blocked === false && !isShared(db, note.value.id, person),
      apply: (db, person) => shareNote(db, note.value.id, person, role),
      call: (x) => `apis.notes.share({id:${note.code},to:${x},role:${js(role)}})`,
      uses: [note],
    };
  },
};

/** A note a person, with what contacts know. */
const noteAbout: Action = {
  name: "note-about",
  kind: "people",
  app: "notes",
  difficulty: 2,
  draw: ({ rng }) => {
    const tag = rng.pick(["people", "phone book", "addresses"]);
    return {
      frames: [
        (noun) =>
          `Add a note tagged "${tag}", with the full name as title and the city as text, for ${noun}`,
        (noun) =>
          `Write a note with the full name as title, the city as text and the tag "${tag}" for ${noun}`,
        (noun) =>
          `With the full name as title, the city as text and the tag "${tag}", make a note for ${noun}`,
        (noun) =>
          `Make a note with the tag "${tag}" that has the full name as title and the city as text, for ${noun}`,
        (noun) => `Note down the city under the full name, with the tag "${tag}", for ${noun}`,
      ],
      apply: (db, person) => {
        const { name, city } = db.get(people, person)!;
        db.insert(notes, { title: name, text: city, tag, pinned: false });
      },
      call: (x) =>
        `const c=apis.contacts.show({person:${x}});apis.notes.add({title:c.name,text:c.city,tag:${js(tag)}})`,
    };
  },
};

// --- items, the archive, notes of others ---

const tick = simple(
  "tick",
  "check-items",
  [
    (noun) => `Tick ${noun}`,
    (noun) => `Tick off ${noun}`,
    (noun) => `Mark ${noun} as ticked`,
    (noun) => `In the notes app, tick ${noun}`,
    (noun) => `Put a tick on ${noun}`,
  ],
  {
    permits: (db, id) => db.get(items, id)?.done === false,
    apply: (db, id) => void db.update(items, id, { done: true }),
    call: (x) => `apis.notes.tick({item:${x}})`,
  },
);

const untick = simple(
  "untick",
  "ticked-items",
  [
    (noun) => `Untick ${noun}`,
    (noun) => `Take the tick off ${noun}`,
    (noun) => `Reopen ${noun}`,
    (noun) => `In the notes app, untick ${noun}`,
    (noun) => `Remove the tick of ${noun}`,
  ],
  {
    permits: (db, id) => db.get(items, id)?.done === true,
    apply: (db, id) => void db.update(items, id, { done: false }),
    call: (x) => `apis.notes.untick({item:${x}})`,
  },
);

const removeItem = (kind: string) =>
  simple(
    "remove-item",
    kind,
    [
      (noun) => `Remove ${noun}`,
      (noun) => `Delete ${noun}`,
      (noun) => `Take away ${noun}`,
      (noun) => `In the notes app, remove ${noun}`,
      (noun) => `Strike off ${noun}`,
    ],
    {
      apply: (db, id) => db.remove(items, id),
      call: (x) => `apis.notes.removeItem({item:${x}})`,
    },
  );

const restore = simple(
  "restore",
  "archived-notes",
  [
    (noun) => `Restore ${noun}`,
    (noun) => `Bring back ${noun}`,
    (noun) => `Reactivate ${noun}`,
    (noun) => `In the notes app, restore ${noun}`,
    (noun) => `Undo the archiving of ${noun}`,
  ],
  {
    permits: (db, id) => traitsOf(db, id).state === "archived",
    apply: (db, id) => setTraits(db, id, { state: "active" }),
    call: (x) => `apis.notes.restore({id:${x}})`,
  },
);

const of = (kind: string, actions: readonly Action[]): Action[] =>
  actions.map((action) => ({ ...action, kind }));

const copyShared: Action = {
  name: "copy-shared",
  kind: "borrowed-notes",
  app: "notes",
  difficulty: 1,
  draw: ({ rng }) => {
    const tag = rng.pick(["from others", "borrowed", "copies"]);
    return {
      frames: [
        (noun) => `Make a copy of my own, tagged "${tag}", of ${noun}`,
        (noun) => `With the tag "${tag}", make my own copy of ${noun}`,
        (noun) => `Among my own notes, keep a copy with the tag "${tag}" of ${noun}`,
        (noun) => `Let me have a copy of my own, with the tag "${tag}", of ${noun}`,
        (noun) => `Make an own note, tagged "${tag}", out of ${noun}`,
      ],
      apply: (db, id) => {
        const { title, text } = db.get(borrowed, id)!;
        db.insert(notes, { title, text, tag, pinned: false });
      },
      call: (x) => `apis.notes.copyShared({id:${x},tag:${js(tag)}})`,
    };
  },
};

const leaveShared = simple(
  "leave-shared",
  "borrowed-notes",
  [
    (noun) => `Leave ${noun}`,
    (noun) => `In the notes app, leave ${noun}`,
    (noun) => `Give up my access to ${noun}`,
    (noun) => `Let me no longer see ${noun}`,
    (noun) => `End my access to ${noun}`,
  ],
  {
    permits: (db, id) => db.get(borrowed, id)?.left === false,
    apply: (db, id) => void db.update(borrowed, id, { left: true }),
    call: (x) => `apis.notes.leaveShared({id:${x}})`,
  },
);

export const noteActions: readonly Action[] = [
  pin,
  tag,
  colour,
  putIn,
  archive,
  trash,
  remind,
  append,
  retitle,
  addItem,
  todoFromNote,
  share,
  shareWithEach,
  noteAbout,
  tick,
  untick,
  removeItem("check-items"),
  removeItem("ticked-items"),
  restore,
  ...of("archived-notes", [append, colour, tag]),
  ...of("checklist-notes", [addItem, append, pin, colour, share, retitle, archive]),
  ...of("reminders", [forget, remind, append, pin, tag, colour, archive]),
  copyShared,
  leaveShared,
];
