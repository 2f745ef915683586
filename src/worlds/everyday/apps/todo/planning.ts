/** Planning: what is due when, how important, how long it takes, and tags. */
import { z } from "zod";
import { ApiError, type CallContext, defineApi, type Reader } from "../../../../world/index.ts";
import {
  day,
  dayOf,
  given,
  handle,
  idOf,
  line,
  named,
  paged,
  pageOf,
  paging,
  personId,
  rowBy,
  same,
} from "../shared.ts";
import { type Todo, todoLists, todos } from "../tables.ts";
import { detailsOf, setDetails, todoBy } from "./details.ts";
import { daysAfter } from "./repeating.ts";
import { comments, type Details, PRIORITIES, type Priority, steps, timeEntries } from "./tables.ts";
import { agendaItem, agendaView, aTodo, fullItem, todoRow } from "./views.ts";

const id = idOf("todo");
const priority = z.enum(PRIORITIES);
const minutes = z.int().min(1).max(6000);

function change({ db }: CallContext, id: number, patch: Partial<Details>) {
  const row = todoBy(db, id);
  setDetails(db, row.id, patch);
  return agendaView(db)(row);
}

// --- lists ---

/** Todos without a due day come last. */
const byDue = (a: Todo, b: Todo) => {
  const [x, y] = [a.due ?? "9999", b.due ?? "9999"];
  return x < y ? -1 : x > y ? 1 : a.id - b.id;
};

const agenda = defineApi({
  summary:
    "List open todos with priority, estimate, tags and assignee, by due day unless sorted otherwise.",
  params: z.strictObject({
    list: line("only on this list").optional(),
    priority: priority.optional().describe("only of this priority"),
    tag: line("only with this tag").optional(),
    assignee: handle("only assigned to this person").optional(),
    assigned: z.boolean().optional().describe("only assigned ones, or only others"),
    repeating: z.boolean().optional().describe("only repeating ones, or only others"),
    from: day("only due on this day or later").optional(),
    until: day("only due on this day or before").optional(),
    sort: z.enum(["due", "priority", "longest", "oldest"]).default("due").describe("order"),
    ...paging,
  }),
  returns: pageOf(agendaItem),
  example: () => ({ priority: "high" as const, size: 10 }),
  handler: ({ db }, { list, assignee, sort, page, size, ...filters }) => {
    const on = list === undefined ? undefined : named(db, todoLists, list, "list").id;
    const who = personId(db, assignee, "assignee");
    const rows = db
      .where(todos, given({ done: false, list: on }))
      .filter((row) => who === undefined || detailsOf(db, row.id).assignee === who)
      .filter((row) => fits(row, detailsOf(db, row.id), filters));
    return paged(sorted(db, rows, sort), { page, size }, agendaView(db));
  },
});

interface Filters {
  readonly priority?: Priority | undefined;
  readonly tag?: string | undefined;
  readonly assigned?: boolean | undefined;
  readonly repeating?: boolean | undefined;
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

function fits({ due }: Todo, own: ReturnType<typeof detailsOf>, wanted: Filters): boolean {
  const { priority, tag, assigned, repeating, from, until } = wanted;
  return (
    (priority === undefined || own.priority === priority) &&
    (tag === undefined || own.tags.some((other) => same(other, tag))) &&
    (assigned === undefined || (own.assignee !== null) === assigned) &&
    (repeating === undefined || (own.every !== null) === repeating) &&
    (from === undefined || (due ?? "") >= from) &&
    (until === undefined || (due ?? "9999") <= until)
  );
}

function sorted(
  db: Reader,
  rows: readonly Todo[],
  by: "due" | "priority" | "longest" | "oldest",
): Todo[] {
  const facts = new Map(rows.map((row) => [row, detailsOf(db, row.id)]));
  const rank = (row: Todo) => PRIORITIES.indexOf(facts.get(row)!.priority);
  const minutes = (row: Todo) => facts.get(row)!.minutes ?? 0;
  const orders = {
    due: byDue,
    priority: (a: Todo, b: Todo) => rank(a) - rank(b) || byDue(a, b),
    longest: (a: Todo, b: Todo) => minutes(b) - minutes(a) || a.id - b.id,
    oldest: (a: Todo, b: Todo) => a.id - b.id,
  };
  return rows.toSorted(orders[by]);
}

const overdue = defineApi({
  summary: "List open todos that were due before today, by due day.",
  params: z.strictObject({ ...paging }),
  returns: pageOf(agendaItem),
  example: () => ({}),
  handler: ({ db, now }, page) => {
    const late = db.where(todos, { done: false }).filter(({ due }) => (due ?? "9999") < dayOf(now));
    return paged(late.sort(byDue), page, agendaView(db));
  },
});

const upcoming = defineApi({
  summary: "List open todos that are due from today on within some days, by due day.",
  params: z.strictObject({
    days: z.int().min(0).max(366).default(7).describe("how many days ahead; 0 is today alone"),
    ...paging,
  }),
  returns: pageOf(agendaItem),
  example: () => ({ days: 14 }),
  handler: ({ db, now }, { days, ...page }) => {
    const [today, last] = [dayOf(now), daysAfter(dayOf(now), days)];
    const soon = db
      .where(todos, { done: false })
      .filter(({ due }) => due !== null && due >= today && due <= last);
    return paged(soon.sort(byDue), page, agendaView(db));
  },
});

const show = defineApi({
  summary: "Show all about a todo: rhythm, what it waits for, steps, comments and minutes spent.",
  params: z.strictObject({ id }),
  returns: fullItem,
  example: (db) => ({ id: aTodo(db) }),
  handler: ({ db }, args) => {
    const row = rowBy(db, todos, args.id, "todo");
    const { every, waits } = detailsOf(db, row.id);
    const own = db.where(steps, { todo: row.id });
    const spent = db.where(timeEntries, { todo: row.id });
    return {
      ...agendaView(db)(row),
      done: row.done,
      every,
      waits: [...waits],
      steps: own.length,
      openSteps: own.filter(({ done }) => !done).length,
      comments: db.where(comments, { todo: row.id }).length,
      spent: spent.reduce((sum, { minutes }) => sum + minutes, 0),
    };
  },
});

const workload = defineApi({
  summary: "Add up the estimates of open todos, and count those without one.",
  params: z.strictObject({
    list: line("only on this list").optional(),
    until: day("only due on this day or before").optional(),
  }),
  returns: z.strictObject({ minutes: z.int(), todos: z.int(), withoutEstimate: z.int() }),
  example: () => ({ until: "2026-03-31" }),
  handler: ({ db }, { list, until }) => {
    const on = list === undefined ? undefined : named(db, todoLists, list, "list").id;
    const rows = db
      .where(todos, { done: false })
      .filter((row) => (on ?? row.list) === row.list)
      .filter(({ due }) => until === undefined || (due ?? "9999") <= until);
    const estimates = rows.map((row) => detailsOf(db, row.id).minutes);
    return {
      minutes: estimates.reduce<number>((sum, minutes) => sum + (minutes ?? 0), 0),
      todos: rows.length,
      withoutEstimate: estimates.filter((minutes) => minutes === null).length,
    };
  },
});

// --- changes ---

const setPriority = defineApi({
  summary: "Set the priority of a todo.",
  params: z.strictObject({ id, priority: priority.describe("the new priority") }),
  returns: agendaItem,
  example: (db) => ({ id: aTodo(db), priority: "high" as const }),
  handler: (context, { id, priority }) => change(context, id, { priority }),
});

const estimate = defineApi({
  summary: "Estimate how many minutes a todo takes.",
  params: z.strictObject({ id, minutes: minutes.describe("the estimate, such as 45") }),
  returns: agendaItem,
  example: (db) => ({ id: aTodo(db), minutes: 45 }),
  handler: (context, { id, minutes }) => change(context, id, { minutes }),
});

const clearEstimate = defineApi({
  summary: "Take the estimate off a todo.",
  params: z.strictObject({ id }),
  returns: agendaItem,
  example: (db) => ({ id: aTodo(db, (row) => detailsOf(db, row.id).minutes !== null) }),
  handler: (context, { id }) => change(context, id, { minutes: null }),
});

const tag = defineApi({
  summary: "Give a todo a tag beside those that it has.",
  params: z.strictObject({ id, tag: line("the tag, old or new") }),
  returns: agendaItem,
  example: (db) => ({
    id: aTodo(db, (row) => detailsOf(db, row.id).tags.length === 0),
    tag: "calls",
  }),
  handler: (context, { id, tag }) => {
    const { tags } = detailsOf(context.db, todoBy(context.db, id).id);
    if (tags.some((own) => same(own, tag))) {
      throw new ApiError(409, `tag: todo ${id} has the tag "${tag}" already`);
    }
    return change(context, id, { tags: [...tags, tag].sort() });
  },
});

const untag = defineApi({
  summary: "Take a tag off a todo.",
  params: z.strictObject({ id, tag: line("one of its tags") }),
  returns: agendaItem,
  example: (db) => {
    const row = todoRow(db, ({ id }) => detailsOf(db, id).tags.length > 0);
    return { id: row?.id ?? 1, tag: (row && detailsOf(db, row.id).tags[0]) ?? "none" };
  },
  handler: (context, { id, tag }) => {
    const { tags } = detailsOf(context.db, todoBy(context.db, id).id);
    const kept = tags.filter((own) => !same(own, tag));
    if (kept.length < tags.length) return change(context, id, { tags: kept });
    throw new ApiError(404, `tag: todo ${id} has ${tags.join(", ") || "no tags"}, got "${tag}"`);
  },
});

const tags = defineApi({
  summary: "List tags in alphabetical order with their number of open todos.",
  params: z.strictObject({ ...paging }),
  returns: pageOf(z.strictObject({ name: z.string(), size: z.int() })),
  example: () => ({}),
  handler: ({ db }, page) => {
    const counts = new Map<string, number>();
    for (const { id } of db.where(todos, { done: false })) {
      for (const name of detailsOf(db, id).tags) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    const sorted = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return paged(sorted, page, ([name, size]) => ({ name, size }));
  },
});

const postpone = defineApi({
  summary: "Move the due day of an open todo some days later.",
  params: z.strictObject({ id, days: z.int().min(1).max(366).describe("by how many days") }),
  returns: agendaItem,
  example: (db) => ({ id: aTodo(db, ({ due }) => due !== null), days: 7 }),
  handler: ({ db }, { id, days }) => {
    const row = todoBy(db, id);
    if (row.due === null) {
      throw new ApiError(
        422,
        `id: expected a todo with a due day, ${id} has none; todo.setDue gives one`,
      );
    }
    if (row.done) throw new ApiError(409, `id: expected an open todo, ${id} is done`);
    return agendaView(db)(db.update(todos, id, { due: daysAfter(row.due, days) }));
  },
});

export const planningApis = {
  agenda,
  overdue,
  upcoming,
  details: show,
  workload,
  setPriority,
  estimate,
  clearEstimate,
  tag,
  untag,
  tags,
  postpone,
};
