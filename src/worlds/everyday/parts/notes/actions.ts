/** What is done with notes (marks, places, reminders, texts, shares), with items of checklists and for people. */
import { type Action, actions, js } from "../../../../goals/index.ts";
import {
  type Borrowed,
  borrowed,
  COLOURS,
  items,
  NOTE_ROLES,
  notebooks,
} from "../../apps/notes/tables.ts";
import { activeShares, setTraits, traitsOf } from "../../apps/notes/traits.ts";
import { type Note, notes, people, todos } from "../../apps/tables.ts";
import { becoming, under } from "../papers.ts";
import { inInbox } from "../todo/words.ts";
import { isShared, namedNote, shareNote } from "./words.ts";

const becomes = becoming<Note, ReturnType<typeof traitsOf>>(traitsOf, setTraits);
const on = { kind: "notes", app: "notes", table: notes } as const;

const TAGS = ["this week", "done", "important", "old", "check", "private"] as const;

/** Marks and places. */
const marking = actions(on, ({ does, drawn, sets }) => ({
  pin: sets("pinned", true, { when: ({ pinned }) => !pinned, api: "pin" })`
    Pin # | Put a pin on # | In the notes app, pin # | Let there be a pin on # | Attach a pin to #`,
  tag: drawn(({ rng }) => {
    const tag = rng.pick(TAGS);
    return sets("tag", tag, { when: (row) => row.tag !== tag, api: "tag", args: `tag:${js(tag)}` })`
      Give the tag "${tag}" to # | Set the tag "${tag}" for # | With "${tag}" in place of any old
      tag, tag # | Let "${tag}" be the tag of # | Use "${tag}" as the tag of #`;
  }),
  colour: drawn(({ rng }) => {
    const colour = rng.pick(COLOURS.slice(1));
    return becomes(does, { colour }, { api: "colour", args: `colour:${js(colour)}` })`
      Give the colour ${colour} to # | Set the colour ${colour} for # | Let ${colour} be the colour
      of # | Choose ${colour} as the colour of # | Make ${colour} the colour of #`;
  }),
  "put-in": drawn(({ rng, db: now }) => {
    const books = now.all(notebooks);
    if (books.length === 0) return undefined;
    const { id: notebook, name } = rng.pick(books);
    return becomes(does, { notebook }, { api: "putIn", args: `notebook:${js(name)}` })`
      Put # into the notebook "${name}" | Move # to the notebook "${name}" | Make "${name}" the
      notebook of # | Let the notebook "${name}" have # | Choose "${name}" as the notebook of #`;
  }),
  archive: becomes(does, { state: "archived" }, { api: "archive" })`Archive # | Put # into the
    archive | Move # to the archive | Send # to the archive | In the notes app, archive #`,
  restore: does((db, { id }) => setTraits(db, id, { state: "active" }), {
    when: ({ id }, db) => traitsOf(db, id).state === "archived",
    api: "restore",
  })`Restore # | Bring back # | Reactivate # | In the notes app, restore #
    | Undo the archiving of #`,
  trash: becomes(
    does,
    { state: "trashed" },
    { when: ({ id }, db) => activeShares(db, { note: id }).length === 0, api: "trash" },
  )`Move # to the trash | Put # into the trash | Trash # | Throw # into the trash
    | Send # to the trash`,
}));

/** Reminders and texts. */
const writing = actions(on, ({ adds, does, sets, taking }) => ({
  remind: taking("day", (day, { rng }) => {
    const time = rng.pick(["07:30", "10:00", "13:15", "17:45", "20:00"]);
    const how = { api: "remind", args: `day:${day.code},time:${js(time)}` };
    return becomes(does, { day: day.value, time }, how)`Set a reminder at ${time} for #; its day is
      ${day.words} | Let me have a reminder at ${time} of #; the day for it is ${day.words}
      | Add a reminder (time: ${time}) to #, with this day: ${day.words}
      | Remind me at ${time} of #; the day shall be ${day.words}
      | Make a reminder for #: the time is ${time} and the day is ${day.words}`;
  }),
  forget: becomes(does, { day: null, time: null }, { api: "forget" })`
    Take the reminder off # | Remove the reminder of # | Let the reminder disappear from #
    | Clear the reminder of # | Cancel the reminder for #`,
  append: taking("text", ({ value, words, code }) => {
    const longer = { api: "append", args: `text:${code}` };
    return sets(({ text }) => ({ text: `${text}\n${value}` }), longer)`
      Add a line at the end of the text of #: ${words} | Append a last line to #, namely ${words}
      | As a new last line, write ${words} into # | Write ${words} as one more line at the end of #
      | Let ${words} be a new last line of #`;
  }),
  "add-item": taking("text", ({ value, words, code }) => {
    const more = { api: "addItem", args: `text:${code}` };
    return adds(items, ({ id }) => ({ note: id, text: value, done: false }), more)`
      Add an item to the checklist of #: ${words} | Put one more item on the checklist of #, namely
      ${words} | As a new item, add ${words} to the checklist of # | Let ${words} be a new item on
      the checklist of # | Write ${words} as a further item on the checklist of #`;
  }),
}));

/** What needs more than one call, or somebody's name. */
const harder = actions({ ...on, difficulty: 2 }, ({ does, drawn, sets }) => ({
  /** The new title is made from the old one. */
  retitle: drawn(({ rng }) => {
    const start = `${rng.pick(["Checked", "Last year", "Settled", "Draft", "Seen"])}: `;
    return sets(({ title }) => ({ title: `${start}${title}` }), {
      call: `const n=apis.notes.show({id:x});apis.notes.update({id:x,title:${js(start)}+n.title})`,
    })`Put "${start}" in front of the title of # | Prefix the title with "${start}", for # | Write
      "${start}" before the title of # | Change the title to "${start}" and the old title, for #
      | Let "${start}" stand before the title of #`;
  }),
  share: drawn((draw) => {
    const person = draw.person(draw.db.where(people, { blocked: false }).map(({ id }) => id));
    if (!person) return undefined;
    const whom = person.value.id;
    const role = draw.rng.pick(NOTE_ROLES);
    return does((db, { id }) => shareNote(db, id, whom, role), {
      when: ({ id }, db) => !isShared(db, id, whom),
      api: "share",
      args: `to:${person.code},role:${js(role)}`,
      uses: [person],
    })`With ${person.words} as ${role}, share # | In the notes app, make ${person.words} ${role} of
      # | Let ${person.words} have access as ${role} to # | Give ${person.words} the role ${role}
      for # | Give ${person.words} access, with the role ${role}, to #`;
  }),
}));

/** A todo that says what the note is called. */
const inTodos = actions({ ...on, app: "todo", difficulty: 2 }, ({ adds }) => ({
  "todo-from-note": adds(todos, ({ title }, db) => inInbox(db, `read ${title}`), {
    call: `const n=apis.notes.show({id:x});apis.todo.add({title:"read "+n.title,list:"inbox"})`,
  })`Add a todo "read TITLE" to my inbox list, with the title of the note in place of TITLE, for #
    | Put a todo "read TITLE" on my inbox list, where TITLE stands for the title of the note, for #
    | With the title of the note in place of TITLE, add the todo "read TITLE" to my inbox list for #
    | Make me a todo "read TITLE" on the inbox list, TITLE being the note's title, for #
    | On my inbox list, add a todo "read TITLE" (TITLE is the title of the note) for #`,
}));

const forPeople = actions(
  { kind: "people", app: "notes", table: people, difficulty: 2 },
  ({ adds, does, drawn }) => ({
    "share-note": drawn((draw) => {
      const note = namedNote(draw);
      if (!note) return undefined;
      const role = draw.rng.pick(NOTE_ROLES);
      return does((db, { id }) => shareNote(db, note.value.id, id, role), {
        when: ({ id, blocked }, db) => !blocked && !isShared(db, note.value.id, id),
        call: `apis.notes.share({id:${note.code},to:x,role:${js(role)}})`,
        uses: [note],
      })`As ${role}, let # have access to ${note.words} | Share ${note.words}, with the role
        ${role}, with # | Give access to ${note.words}, with the role ${role}, to #
        | In the notes app, share ${note.words}, with the role ${role}, with #
        | With the role ${role}, share ${note.words} with #`;
    }),
    /** A note a person, with what contacts know. */
    "note-about": drawn(({ rng }) => {
      const tag = rng.pick(["people", "phone book", "addresses"]);
      return adds(notes, ({ name, city }) => ({ title: name, text: city, tag, pinned: false }), {
        call: `const c=apis.contacts.show({person:x});apis.notes.add({title:c.name,text:c.city,tag:${js(tag)}})`,
      })`Add a note tagged "${tag}", with the full name as title and the city as text, for #
        | Write a note with the full name as title, the city as text and the tag "${tag}" for #
        | With the full name as title, the city as text and the tag "${tag}", make a note for #
        | Make a note with the tag "${tag}" that has the full name as title and the city as text,
        for # | Note down the city under the full name, with the tag "${tag}", for #`;
    }),
  }),
);

const onItems = actions(
  { kind: "check-items", app: "notes", table: items, key: "item" },
  ({ removes, sets }) => ({
    tick: sets("done", true, { when: ({ done }) => !done, api: "tick" })`
      Tick # | Tick off # | Mark # as ticked | In the notes app, tick # | Put a tick on #`,
    untick: sets("done", false, { when: ({ done }) => done, api: "untick" })`Untick #
      | Take the tick off # | Reopen # | In the notes app, untick # | Remove the tick of #`,
    "remove-item": removes({ api: "removeItem" })`
      Remove # | Delete # | Take away # | In the notes app, remove # | Strike off #`,
  }),
);

const onBorrowed = actions<Borrowed>(
  { kind: "borrowed-notes", app: "notes", table: borrowed },
  ({ adds, drawn, sets }) => ({
    "copy-shared": drawn(({ rng }) => {
      const tag = rng.pick(["from others", "borrowed", "copies"]);
      return adds(notes, ({ title, text }) => ({ title, text, tag, pinned: false }), {
        api: "copyShared",
        args: `tag:${js(tag)}`,
      })`Make a copy of my own, tagged "${tag}", of # | With the tag "${tag}", make my own copy of #
        | Among my own notes, keep a copy with the tag "${tag}" of # | Let me have a copy of my own,
        with the tag "${tag}", of # | Make an own note, tagged "${tag}", out of #`;
    }),
    "leave-shared": sets("left", true, { when: ({ left }) => !left, api: "leaveShared" })`
      Leave # | In the notes app, leave # | Give up my access to # | Let my access end to #
      | End my access to #`,
  }),
);

const onNotes = [...marking, ...writing, ...harder];

export const noteActions: readonly Action[] = [
  ...under("notes", onNotes, "pin tag colour put-in archive trash remind append retitle add-item"),
  ...inTodos,
  ...under("notes", onNotes, "share"),
  ...forPeople,
  ...under("check-items", onItems, "tick"),
  ...under("ticked-items", onItems, "untick"),
  ...under("check-items", onItems, "remove-item"),
  ...under("ticked-items", onItems, "remove-item"),
  ...under("archived-notes", onNotes, "restore append colour tag"),
  ...under("checklist-notes", onNotes, "add-item append pin colour share retitle archive"),
  ...under("reminders", onNotes, "forget remind append pin tag colour archive"),
  ...onBorrowed,
];
