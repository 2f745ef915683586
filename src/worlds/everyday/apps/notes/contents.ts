/** What is inside notes: checklists, words, earlier texts, links between notes, reminders. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import { day, dayOf, given, idOf, line, notPast, paged, pageOf, paging, prose } from "../shared.ts";
import { type Note, notes as rows } from "../tables.ts";
import { aNote } from "./examples.ts";
import { id, noteBy, noteItem, view } from "./index.ts";
import { type Item, items, noteVersions, traits } from "./tables.ts";
import { activeNotes, isActive, rewrite, setTraits, traitsOf } from "./traits.ts";

// --- checklists ---

const checkItem = z.strictObject({ text: z.string(), id: z.int(), done: z.boolean() });
const checkView = ({ text, id, done }: Item) => ({ text, id, done });
const item = idOf("item of a checklist");

function itemBy(db: Reader, id: number): Item {
  const row = db.get(items, id);
  if (row) return row;
  throw new ApiError(404, `item: there is no item with id ${id}; notes.checklist lists them`);
}

const anItem = (db: Reader, done: boolean) =>
  db.all(items).find((row) => row.done === done)?.id ?? 1;

const checklist = defineApi({
  summary: "List the items of a note's checklist, in their order.",
  params: z.strictObject({
    id,
    done: z.boolean().optional().describe("only ticked ones, or only open ones"),
    ...paging,
  }),
  returns: pageOf(checkItem),
  example: (db) => ({ id: db.all(items)[0]?.note ?? 1 }),
  handler: ({ db }, { id, done, ...page }) =>
    paged(db.where(items, given({ note: noteBy(db, id).id, done })), page, checkView),
});

const addItem = defineApi({
  summary: "Add an open item at the end of a note's checklist.",
  params: z.strictObject({ id, text: line("the item") }),
  returns: checkItem,
  example: (db) => ({ id: aNote(db), text: "a torch" }),
  handler: ({ db }, { id, text }) =>
    checkView(db.insert(items, { note: noteBy(db, id).id, text, done: false })),
});

function ticked(done: boolean, summary: string) {
  return defineApi({
    summary,
    params: z.strictObject({ item }),
    returns: checkItem,
    example: (db) => ({ item: anItem(db, !done) }),
    handler: ({ db }, args) => {
      const row = itemBy(db, args.item);
      if (row.done === done) {
        throw new ApiError(409, `item: item ${row.id} is already ${done ? "ticked" : "open"}`);
      }
      return checkView(db.update(items, row.id, { done }));
    },
  });
}

const removeItem = defineApi({
  summary: "Take an item off a checklist.",
  params: z.strictObject({ item }),
  returns: checkItem,
  example: (db) => ({ item: anItem(db, true) }),
  handler: ({ db }, args) => {
    const row = itemBy(db, args.item);
    db.remove(items, row.id);
    return checkView(row);
  },
});

// --- texts ---

const replace = defineApi({
  summary: "Replace words in a note's text, every time that they occur.",
  params: z.strictObject({
    id,
    old: prose("the words to look for, exactly as they stand there"),
    new: z.string().max(2000).describe("what takes their place"),
  }),
  returns: noteItem,
  example: (db) => {
    const row = db.get(rows, aNote(db));
    return { id: row?.id ?? 1, old: row?.text.split(/\s+/)[0] ?? "a", new: "Something" };
  },
  handler: ({ db, now }, args) => {
    const note = noteBy(db, args.id);
    if (!note.text.includes(args.old)) {
      throw new ApiError(422, `old: "${args.old}" does not occur in note ${note.id}`);
    }
    return view(rewrite(db, note, { text: note.text.replaceAll(args.old, () => args.new) }, now));
  },
});

const merge = defineApi({
  summary: "Add the text of a note at the end of another; the first goes to the trash.",
  params: z.strictObject({ id, into: idOf("note that takes the text") }),
  returns: noteItem,
  example: (db) => {
    const [first, second] = activeNotes(db);
    return { id: first?.id ?? 1, into: second?.id ?? 2 };
  },
  handler: ({ db, now }, args) => {
    const [from, into] = [noteBy(db, args.id), noteBy(db, args.into)];
    if (from.id === into.id) throw new ApiError(422, `into: expected another note, got ${into.id}`);
    if (!isActive(db, from.id)) {
      throw new ApiError(
        409,
        `id: expected an active note, ${from.id} is ${traitsOf(db, from.id).state}`,
      );
    }
    setTraits(db, from.id, { state: "trashed" });
    return view(rewrite(db, into, { text: `${into.text}\n${from.text}` }, now));
  },
});

const versions = defineApi({
  summary: "List what a note said before, newest first.",
  params: z.strictObject({ id, ...paging }),
  returns: pageOf(z.strictObject({ title: z.string(), text: z.string(), until: z.string() })),
  example: (db) => ({ id: db.all(noteVersions)[0]?.note ?? 1 }),
  handler: ({ db }, { id, ...page }) => {
    const old = db.where(noteVersions, { note: noteBy(db, id).id });
    return paged(old.toReversed(), page, ({ title, text, at }) => ({
      title,
      text,
      until: dayOf(at),
    }));
  },
});

const undo = defineApi({
  summary: "Take back the last change of a note's title or text.",
  params: z.strictObject({ id }),
  returns: noteItem,
  example: (db) => ({ id: db.all(noteVersions)[0]?.note ?? 1 }),
  handler: ({ db }, { id }) => {
    const note = noteBy(db, id);
    const last = db.where(noteVersions, { note: note.id }).at(-1);
    if (!last) throw new ApiError(409, `id: note ${id} has never been changed`);
    db.remove(noteVersions, last.id);
    return view(db.update(rows, note.id, { title: last.title, text: last.text }));
  },
});

// --- links ---

const linkTo = idOf("note that it points to");

const link = defineApi({
  summary: "Link a note to another.",
  params: z.strictObject({ id, to: linkTo }),
  returns: noteItem,
  example: (db) => {
    const [first, ...rest] = activeNotes(db);
    const linked = traitsOf(db, first?.id ?? 1).links;
    return { id: first?.id ?? 1, to: rest.find(({ id }) => !linked.includes(id))?.id ?? 2 };
  },
  handler: ({ db }, args) => {
    const [note, to] = [noteBy(db, args.id), targetOf(db, args.to)];
    const { links } = traitsOf(db, note.id);
    if (to.id === note.id) throw new ApiError(422, `to: expected another note, got ${to.id}`);
    if (links.includes(to.id)) throw new ApiError(409, `to: note ${note.id} links to it already`);
    setTraits(db, note.id, { links: [...links, to.id].sort((a, b) => a - b) });
    return view(note);
  },
});

function targetOf(db: Reader, to: number): Note {
  const row = db.get(rows, to);
  if (row) return row;
  throw new ApiError(404, `to: there is no note with id ${to}`);
}

const unlink = defineApi({
  summary: "Take a link from a note to another away.",
  params: z.strictObject({ id, to: linkTo }),
  returns: noteItem,
  example: (db) => {
    const row = db.all(traits).find(({ links }) => links.length > 0);
    return { id: row?.note ?? 1, to: row?.links[0] ?? 2 };
  },
  handler: ({ db }, { id, to }) => {
    const note = noteBy(db, id);
    const { links } = traitsOf(db, note.id);
    if (!links.includes(to)) {
      throw new ApiError(
        404,
        `to: note ${id} links to ${links.join(", ") || "no note"}, got ${to}`,
      );
    }
    setTraits(db, note.id, { links: links.filter((other) => other !== to) });
    return view(note);
  },
});

const links = defineApi({
  summary: "List the notes to which a note links, or those that link to it, oldest first.",
  params: z.strictObject({
    id,
    back: z.boolean().default(false).describe("the notes that link to it"),
    ...paging,
  }),
  returns: pageOf(noteItem),
  example: (db) => ({ id: db.all(traits).find(({ links }) => links.length > 0)?.note ?? 1 }),
  handler: ({ db }, { id, back, ...page }) => {
    const note = noteBy(db, id);
    const ids = back
      ? db.all(traits).flatMap((row) => (row.links.includes(note.id) ? [row.note] : []))
      : traitsOf(db, note.id).links;
    const found = ids.flatMap((other) => db.get(rows, other) ?? []);
    return paged(
      found.toSorted((a, b) => a.id - b.id),
      page,
      view,
    );
  },
});

// --- reminders ---

const reminderItem = z.strictObject({
  title: z.string(),
  id: z.int(),
  day: z.string(),
  time: z.string(),
});

const remind = defineApi({
  summary: "Set a reminder for a note, in place of the one that it has.",
  params: z.strictObject({
    id,
    day: day("the day of the reminder"),
    time: z.iso.time({ precision: -1 }).default("09:00").describe('such as "18:30"'),
  }),
  returns: reminderItem,
  example: (db) => ({ id: aNote(db), day: "2026-03-20", time: "18:30" }),
  handler: ({ db, now }, { id, day, time }) => {
    const { title } = noteBy(db, id);
    notPast(day, now, "day");
    setTraits(db, id, { day, time });
    return { title, id, day, time };
  },
});

const forget = defineApi({
  summary: "Take the reminder off a note.",
  params: z.strictObject({ id }),
  returns: noteItem,
  example: (db) => ({ id: db.all(traits).find(({ day }) => day !== null)?.note ?? 1 }),
  handler: ({ db }, { id }) => {
    const note = noteBy(db, id);
    if (traitsOf(db, id).day === null) throw new ApiError(409, `id: note ${id} has no reminder`);
    setTraits(db, id, { day: null, time: null });
    return view(note);
  },
});

const reminders = defineApi({
  summary: "List notes with a reminder by its day and time; archived and trashed are left out.",
  params: z.strictObject({
    day: day("only on this day").optional(),
    until: day("only on this day or before").optional(),
    ...paging,
  }),
  returns: pageOf(reminderItem),
  example: () => ({ until: "2026-04-30" }),
  handler: ({ db }, args) => {
    const found = db.all(traits).flatMap((row) => {
      const { note, day, time, state } = row;
      const title = db.get(rows, note)?.title;
      if (title === undefined || state !== "active" || day === null || time === null) return [];
      return [{ title, id: note, day, time }];
    });
    const kept = found.filter(
      ({ day }) => (args.day ?? day) === day && (args.until === undefined || day <= args.until),
    );
    const key = ({ day, time, id }: (typeof found)[number]) => `${day} ${time} ${1e9 + id}`;
    return paged(
      kept.sort((a, b) => (key(a) < key(b) ? -1 : 1)),
      args,
      (row) => row,
    );
  },
});

export const contentApis = {
  checklist,
  addItem,
  tick: ticked(true, "Tick an open item of a checklist."),
  untick: ticked(false, "Open a ticked item of a checklist again."),
  removeItem,
  replace,
  merge,
  versions,
  undo,
  link,
  unlink,
  links,
  remind,
  forget,
  reminders,
};
