/** What is done for people, with items of checklists, in the archive and with notes of others. */
import type { Action } from "../../../../goals/index.ts";
import { borrowed, items } from "../../apps/notes/tables.ts";
import { setTraits, traitsOf } from "../../apps/notes/traits.ts";
import { notes, people } from "../../apps/tables.ts";
import { js } from "../old-papers.ts";
import {
  addItem,
  append,
  archive,
  colour,
  forget,
  pin,
  putIn,
  remind,
  retitle,
  tag,
  todoFromNote,
  trash,
} from "./actions.ts";
import { isShared, namedNote, shareNote, simple } from "./words.ts";

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

export const of = (kind: string, actions: readonly Action[]): Action[] =>
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
    (noun) => `Let my access end to ${noun}`,
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
