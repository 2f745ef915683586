/** Actions on notes, on items of checklists, on notes of other people, and on people. */
import { actions, type Ingredient, jsLiteral, oneOf, someone, taskValue } from "bowline/goals";
import type { RowOf } from "bowline/resources";
import {
  COLOURS,
  items,
  NOTE_ROLES,
  type NoteOfOther,
  notebooks,
  notesOfOthers,
} from "../../apps/notes/tables.ts";
import { activeShares, readTraits, setTraits } from "../../apps/notes/traits.ts";
import { type Note, notes, people, todos } from "../../apps/tables.ts";
import {
  changeSideTable,
  idsOfUnblockedContacts,
  PREFIX_TITLE_PHRASE,
  selectActions,
  sharePhrase,
} from "../files-notes-todos.ts";
import { makeInboxTodo } from "../todo/todos-by-title.ts";
import { drawNamedNote, isSharedWith, shareNote } from "./notes-by-title.ts";

const changeTraits = changeSideTable<Note, ReturnType<typeof readTraits>>(readTraits, setTraits);

const NOTES_LIST = {
  kind: "notes",
  app: "notes",
  table: notes,
  difficult: "retitle share todo-from-note",
  otherApps: { todo: "todo-from-note" },
} as const;

const TAGS = ["this week", "done", "important", "old", "check", "private"];
const TIMES = ["07:30", "10:00", "13:15", "17:45", "20:00"];
const TITLE_PREFIXES = ["Checked", "Last year", "Settled", "Draft", "Seen"].map(
  (word) => `${word}: `,
);

const drawNotebook: Ingredient<RowOf<typeof notebooks>> = ({ db, rng }) => {
  const books = db.all(notebooks);
  const value = books.length > 0 ? rng.pick(books) : undefined;
  return value && { value, words: value.name, code: jsLiteral(value.name) };
};

const allNoteActions = actions<Note>(NOTES_LIST, (kit) => ({
  pin: kit.changesTo("pinned", true, {
    api: "pin",
  })`Pin # | Put a pin on # | In the notes app, pin #
    | Let there be a pin on # | Attach a pin to #`,
  tag: kit.setsToDrawn("tag", oneOf(TAGS), {
    api: "tag",
  })`Give the tag "$" to # | Set the tag "$" for #
    | With "$" in place of any old tag, tag # | Let "$" be the tag of # | Use "$" as the tag of #`,
  colour: kit.actionWithOne(oneOf(COLOURS.slice(1)), ({ value: colour, code }) =>
    changeTraits(kit, { colour }, { api: "colour", args: `colour:${code}` }),
  )`Give the colour $ to # | Set the colour $ for # | Let $ be the colour of #
    | Choose $ as the colour of # | Make $ the colour of #`,
  "put-in": kit.actionWithOne(drawNotebook, ({ value, code }) =>
    changeTraits(kit, { notebook: value.id }, { api: "putIn", args: `notebook:${code}` }),
  )`Put # into the notebook "$" | Move # to the notebook "$" | Make "$" the notebook of #
    | Let the notebook "$" have # | Choose "$" as the notebook of #`,
  archive: changeTraits(kit, { state: "archived" }, { api: "archive" })`Archive # | Put # into the
    archive | Move # to the archive | Send # to the archive | In the notes app, archive #`,
  restore: kit.applies((db, { id }) => setTraits(db, id, { state: "active" }), {
    when: ({ id }, db) => readTraits(db, id).state === "archived",
    api: "restore",
  })`Restore # | Bring back # | Reactivate # | In the notes app, restore #
    | Undo the archiving of #`,
  trash: changeTraits(
    kit,
    { state: "trashed" },
    { when: ({ id }, db) => activeShares(db, { note: id }).length === 0, api: "trash" },
  )`Move # to the trash | Put # into the trash | Trash # | Throw # into the trash
    | Send # to the trash`,
  remind: kit.actionWith({ day: taskValue("day"), time: oneOf(TIMES) }, ({ day, time }) => {
    const how = { api: "remind", args: `day:${day.code},time:${time.code}` };
    return changeTraits(kit, { day: day.value, time: time.value }, how);
  })`Set a reminder at $time for #; its day is $day | Let me have a reminder at $time of #; the day
    for it is $day | Add a reminder (time: $time) to #, with this day: $day | Remind me at $time
    of #; the day shall be $day | Make a reminder for #: the time is $time and the day is $day`,
  forget: changeTraits(kit, { day: null, time: null }, { api: "forget" })`Take the reminder off #
    | Remove the reminder of #
    | Let the reminder disappear from # | Clear the reminder of # | Cancel the reminder for #`,
  append: kit.actionWithValue("text", ({ value, code }) =>
    kit.sets(({ text }) => ({ text: `${text}\n${value}` }), {
      api: "append",
      args: `text:${code}`,
    }),
  )`Add a line at the end of the text of #: $ | Append a last line to #, namely $
    | As a new last line, write $ into #
    | Write $ as one more line at the end of # | Let # have $ as a new last line`,
  "add-item": kit.actionWithValue("text", ({ value: text, code }) => {
    const call = { api: "addItem", args: `text:${code}` };
    return kit.addsRow(items, ({ id }) => ({ note: id, text, done: false }), call);
  })`Add an item to the checklist of #: $ | Put one more item on the checklist of #, namely $
    | As a new item, add $ to the checklist of #
    | Let $ be a new item on the checklist of # | Write $ as a further item on the checklist of #`,
  /** Puts a text in front of the old title. */
  retitle: kit.actionWithOne(oneOf(TITLE_PREFIXES), ({ value, code }) =>
    kit.sets(({ title }) => ({ title: `${value}${title}` }), {
      call: `const n=apis.notes.show({id:x});apis.notes.update({id:x,title:${code}+n.title})`,
    }),
  )(PREFIX_TITLE_PHRASE),
  /** Adds a todo with the title of the note. */
  "todo-from-note": kit.addsRow(todos, ({ title }, db) => makeInboxTodo(db, `read ${title}`), {
    call: `const n=apis.notes.show({id:x});apis.todo.add({title:"read "+n.title,list:"inbox"})`,
  })`Add a todo "read TITLE" to my inbox list, with the title of the note in place of TITLE, for #
    | Put a todo "read TITLE" on my inbox list, where TITLE stands for the title of the note, for #
    | With the title of the note in place of TITLE, add the todo "read TITLE" to my inbox list for #
    | For #, add a todo "read TITLE" with the title of the note to the inbox list
    | For #, put a todo "read TITLE" on my inbox list; TITLE is the title of the note`,
  share: kit.actionWith(
    { person: someone(idsOfUnblockedContacts), role: oneOf(NOTE_ROLES) },
    (drawn) => {
      const [{ id: personId }, role] = [drawn.person.value, drawn.role.value];
      return kit.applies((db, { id }) => shareNote(db, id, personId, role), {
        when: ({ id }, db) => !isSharedWith(db, id, personId),
        api: "share",
        args: `person:${drawn.person.code},role:${drawn.role.code}`,
      });
    },
  )(sharePhrase("notes")),
}));

const PEOPLE_LIST = { kind: "people", app: "notes", table: people, difficulty: 2 } as const;

const peopleActions = actions(PEOPLE_LIST, ({ addsRow, applies, actionWith, actionWithOne }) => ({
  "share-note": actionWith({ note: drawNamedNote, role: oneOf(NOTE_ROLES) }, ({ note, role }) =>
    applies((db, { id }) => shareNote(db, note.value.id, id, role.value), {
      when: ({ id, blocked }, db) => !blocked && !isSharedWith(db, note.value.id, id),
      call: `apis.notes.share({id:${note.code},person:x,role:${role.code}})`,
    }),
  )`As $role, let # have access to $note | Share $note, with the role $role, with # | Give access to
    $note, with the role $role, to # | In the notes app, share $note, with the role $role, with #
    | With the role $role, share $note with #`,
  /** Adds a note about each person, with the facts that the app contacts has. */
  "note-about": actionWithOne(
    oneOf(["people", "phone book", "addresses"]),
    ({ value: tag, code }) =>
      addsRow(notes, ({ name, city }) => ({ title: name, text: city, tag, pinned: false }), {
        call: `const c=apis.contacts.show({person:x});apis.notes.add({title:c.name,text:c.city,tag:${code}})`,
      }),
  )`Add a note tagged "$", with the full name as title and the city as text, for #
    | Write a note with the full name as title, the city as text and the tag "$" for #
    | With the full name as title, the city as text and the tag "$", make a note for #
    | For #, make a note each with the full name as the title and the city as the text, tagged "$"
    | For #, note down the city in a note each: the full name is the title, and the tag is "$"`,
}));

const ITEMS_LIST = { kind: "check-items", app: "notes", table: items, key: "item" } as const;

const checklistItemActions = actions(ITEMS_LIST, ({ changesTo, removesRow }) => ({
  tick: changesTo("done", true, { api: "tick" })`Tick # | Tick off # | Mark # as ticked
    | In the notes app, tick # | Put a tick on #`,
  untick: changesTo("done", false, { api: "untick" })`Untick # | Take the tick off # | Reopen #
    | In the notes app, untick # | Remove the tick of #`,
  "remove-item": removesRow({ api: "removeItem" })`Remove # | Delete # | Take away #
    | In the notes app, remove # | Strike off #`,
}));

const BORROWED_NOTES_LIST = { kind: "borrowed-notes", app: "notes", table: notesOfOthers } as const;

const borrowedNoteActions = actions<NoteOfOther>(
  BORROWED_NOTES_LIST,
  ({ addsRow, changesTo, actionWithOne }) => ({
    "copy-shared": actionWithOne(
      oneOf(["from others", "borrowed", "copies"]),
      ({ value: tag, code }) =>
        addsRow(notes, ({ title, text }) => ({ title, text, tag, pinned: false }), {
          api: "copyShared",
          args: `tag:${code}`,
        }),
    )`Make a copy of my own, tagged "$", of # | With the tag "$", make my own copy of #
    | Among my own notes, keep a copy with the tag "$" of #
    | Make me my own copy of #, with the tag "$"
    | Copy # into a note of my own with the tag "$"`,
    "leave-shared": changesTo("left", true, {
      api: "leaveShared",
    })`Leave # | In the notes app, leave #
    | Give up my access to # | Let my access end to # | End my access to #`,
  }),
);

export const noteActions = [
  ...selectActions(
    "notes",
    allNoteActions,
    "pin tag colour put-in archive trash remind append retitle",
  ),
  ...selectActions("notes", allNoteActions, "add-item todo-from-note share"),
  ...peopleActions,
  ...selectActions("check-items", checklistItemActions, "tick"),
  ...selectActions("ticked-items", checklistItemActions, "untick"),
  ...selectActions("check-items", checklistItemActions, "remove-item"),
  ...selectActions("ticked-items", checklistItemActions, "remove-item"),
  ...selectActions("archived-notes", allNoteActions, "restore append colour tag"),
  ...selectActions(
    "checklist-notes",
    allNoteActions,
    "add-item append pin colour share retitle archive",
  ),
  ...selectActions("reminders", allNoteActions, "forget remind append pin tag colour archive"),
  ...borrowedNoteActions,
];
