/** What a todo has several of: steps, comments, time spent, and other todos for which it waits. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import {
  day,
  dayOf,
  given,
  handleOf,
  idOf,
  line,
  newestFirst,
  paged,
  pageOf,
  paging,
  prose,
  rowBy,
} from "../shared.ts";
import { todos } from "../tables.ts";
import { detailsOf, mayChange, openBefore, setDetails, todoBy } from "./details.ts";
import { comments, type Step, steps, type TimeEntry, timeEntries } from "./tables.ts";
import { agendaItem, agendaView, aTodo, todoRow } from "./views.ts";

const id = idOf("todo");

// --- steps ---

const stepItem = z.strictObject({ title: z.string(), id: z.int(), done: z.boolean() });
const stepView = ({ title, id, done }: Step) => ({ title, id, done });
const step = idOf("step of a todo");

function stepBy(db: Reader, id: number): Step {
  const row = db.get(steps, id);
  if (!row) throw new ApiError(404, `step: there is no step with id ${id}; todo.steps lists them`);
  todoBy(db, row.todo);
  return row;
}

function aStep(db: Reader, done: boolean): number {
  const found = db.where(steps, { done }).find(({ todo }) => {
    const row = db.get(todos, todo);
    return row !== undefined && mayChange(db, row.list);
  });
  return found?.id ?? 1;
}

const list = defineApi({
  summary: "List the steps of a todo, in their order.",
  params: z.strictObject({
    id,
    done: z.boolean().optional().describe("only done ones, or only open ones"),
    ...paging,
  }),
  returns: pageOf(stepItem),
  example: (db) => ({ id: db.all(steps)[0]?.todo ?? 1 }),
  handler: ({ db }, { id, done, ...page }) =>
    paged(db.where(steps, given({ todo: rowBy(db, todos, id, "todo").id, done })), page, stepView),
});

const addStep = defineApi({
  summary: "Add an open step at the end of a todo.",
  params: z.strictObject({ id, title: line("what to do") }),
  returns: stepItem,
  example: (db) => ({ id: aTodo(db), title: "make a plan" }),
  handler: ({ db }, { id, title }) =>
    stepView(db.insert(steps, { todo: todoBy(db, id).id, title, done: false })),
});

function checked(done: boolean, summary: string) {
  return defineApi({
    summary,
    params: z.strictObject({ step }),
    returns: stepItem,
    example: (db) => ({ step: aStep(db, !done) }),
    handler: ({ db }, args) => {
      const row = stepBy(db, args.step);
      if (row.done === done) {
        throw new ApiError(409, `step: step ${row.id} is already ${done ? "done" : "open"}`);
      }
      return stepView(db.update(steps, row.id, { done }));
    },
  });
}

const removeStep = defineApi({
  summary: "Remove a step of a todo.",
  params: z.strictObject({ step }),
  returns: stepItem,
  example: (db) => ({ step: aStep(db, false) }),
  handler: ({ db }, args) => {
    const row = stepBy(db, args.step);
    db.remove(steps, row.id);
    return stepView(row);
  },
});

// --- comments ---

const commentItem = z.strictObject({
  text: z.string(),
  id: z.int(),
  by: z.string().nullable(),
  day: z.string(),
});

const comment = defineApi({
  summary: "Comment on a todo, also on a list that you may only view; comments stay.",
  params: z.strictObject({ id, text: prose("the comment") }),
  returns: commentItem,
  example: (db) => ({ id: aTodo(db), text: "I can do this on Monday." }),
  handler: ({ db, now }, { id, text }) => {
    const todo = rowBy(db, todos, id, "todo").id;
    const row = db.insert(comments, { todo, person: null, text, at: now });
    return { text, id: row.id, by: null, day: dayOf(now) };
  },
});

const listComments = defineApi({
  summary: "List the comments on a todo, newest first; by is null for your own.",
  params: z.strictObject({ id, ...paging }),
  returns: pageOf(commentItem),
  example: (db) => ({ id: db.all(comments)[0]?.todo ?? 1 }),
  handler: ({ db }, { id, ...page }) => {
    const rows = newestFirst(db.where(comments, { todo: rowBy(db, todos, id, "todo").id }));
    return paged(rows, page, ({ text, id, person, at }) => {
      const by = person === null ? null : handleOf(db, person);
      return { text, id, by, day: dayOf(at) };
    });
  },
});

// --- time ---

const timeItem = z.strictObject({ minutes: z.int(), id: z.int(), day: z.string() });
const timeView = ({ minutes, id, day }: TimeEntry) => ({ minutes, id, day });

const logTime = defineApi({
  summary: "Note time that you spent on a todo.",
  params: z.strictObject({
    id,
    minutes: z.int().min(1).max(1440).describe("how many minutes"),
    day: day("when; today when left out").optional(),
  }),
  returns: timeItem,
  example: (db) => ({ id: aTodo(db), minutes: 25 }),
  handler: ({ db, now }, { id, minutes, day = dayOf(now) }) => {
    if (day > dayOf(now)) {
      throw new ApiError(422, `day: expected today (${dayOf(now)}) or earlier, got ${day}`);
    }
    return timeView(db.insert(timeEntries, { todo: todoBy(db, id).id, minutes, day }));
  },
});

const timeLog = defineApi({
  summary: "List the time spent on a todo, by day.",
  params: z.strictObject({ id, ...paging }),
  returns: pageOf(timeItem),
  example: (db) => ({ id: db.all(timeEntries)[0]?.todo ?? 1 }),
  handler: ({ db }, { id, ...page }) => {
    const rows = db.where(timeEntries, { todo: rowBy(db, todos, id, "todo").id });
    const sorted = rows.toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : a.id - b.id));
    return paged(sorted, page, timeView);
  },
});

const dropTime = defineApi({
  summary: "Remove an entry of time spent.",
  params: z.strictObject({ entry: idOf("entry") }),
  returns: timeItem,
  example: (db) => ({ entry: db.all(timeEntries)[0]?.id ?? 1 }),
  handler: ({ db }, { entry }) => {
    const row = db.get(timeEntries, entry);
    if (!row)
      throw new ApiError(404, `entry: there is no entry with id ${entry}; todo.timeLog lists them`);
    todoBy(db, row.todo);
    db.remove(timeEntries, entry);
    return timeView(row);
  },
});

// --- waiting ---

const other = idOf("todo that must be done before");

const waitFor = defineApi({
  summary: "Let a todo wait until another is done.",
  params: z.strictObject({ id, other }),
  returns: agendaItem,
  example: (db) => {
    const id = aTodo(db, (row) => detailsOf(db, row.id).waits.length === 0);
    const after = (row: { id: number }) =>
      row.id !== id && detailsOf(db, row.id).waits.length === 0;
    return { id, other: aTodo(db, after) };
  },
  handler: ({ db }, args) => {
    const row = todoBy(db, args.id);
    const before = db.get(todos, args.other);
    if (!before) throw new ApiError(404, `other: there is no todo with id ${args.other}`);
    const { waits } = detailsOf(db, row.id);
    if (waits.includes(before.id)) {
      throw new ApiError(409, `other: todo ${row.id} waits for ${before.id} already`);
    }
    if (chain(db, before.id).has(row.id)) {
      throw new ApiError(
        422,
        `other: expected a todo that does not itself wait for ${row.id}, got ${before.id}`,
      );
    }
    setDetails(db, row.id, { waits: [...waits, before.id].sort((a, b) => a - b) });
    return agendaView(db)(row);
  },
});

/** A todo and all that it waits for, also through others. */
function chain(db: Reader, todo: number): ReadonlySet<number> {
  const found = new Set([todo]);
  for (const id of found) for (const next of detailsOf(db, id).waits) found.add(next);
  return found;
}

const stopWaiting = defineApi({
  summary: "Let a todo wait no longer for another.",
  params: z.strictObject({ id, other }),
  returns: agendaItem,
  example: (db) => {
    const row = todoRow(db, ({ id }) => detailsOf(db, id).waits.length > 0);
    return { id: row?.id ?? 1, other: (row && detailsOf(db, row.id).waits[0]) ?? 2 };
  },
  handler: ({ db }, args) => {
    const row = todoBy(db, args.id);
    const { waits } = detailsOf(db, row.id);
    if (!waits.includes(args.other)) {
      throw new ApiError(
        404,
        `other: todo ${row.id} waits for ${waits.join(", ") || "none"}, got ${args.other}`,
      );
    }
    setDetails(db, row.id, { waits: waits.filter((id) => id !== args.other) });
    return agendaView(db)(row);
  },
});

const blocked = defineApi({
  summary: "List open todos that wait for others that are not done, oldest first.",
  params: z.strictObject({ ...paging }),
  returns: pageOf(z.strictObject({ title: z.string(), id: z.int(), waitsFor: z.array(z.int()) })),
  example: () => ({}),
  handler: ({ db }, page) => {
    const rows = db.where(todos, { done: false }).flatMap(({ id, title }) => {
      const waitsFor = openBefore(db, id).map((row) => row.id);
      return waitsFor.length > 0 ? [{ title, id, waitsFor }] : [];
    });
    return paged(rows, page, (row) => row);
  },
});

export const insideApis = {
  steps: list,
  addStep,
  checkStep: checked(true, "Mark an open step as done."),
  uncheckStep: checked(false, "Mark a done step as open again."),
  removeStep,
  comment,
  comments: listComments,
  logTime,
  timeLog,
  dropTime,
  waitFor,
  stopWaiting,
  blocked,
};
