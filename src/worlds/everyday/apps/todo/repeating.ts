/** Todos that come again: finishing a round moves the due day on; undoing it moves it back. */
import { z } from "zod";
import { ApiError, defineApi, type Reader } from "../../../../world/index.ts";
import { idOf, paged, pageOf, paging, rowBy } from "../shared.ts";
import { type Todo, todos } from "../tables.ts";
import { detailsOf, openBefore, setDetails, todoBy } from "./details.ts";
import { RHYTHMS, type Rhythm, rounds } from "./tables.ts";
import { agendaItem, agendaView, aTodo, todoRow } from "./views.ts";

export function daysAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

/** A month later is the same date, or the month's last one where it has none such. */
export function nextDay(day: string, every: Rhythm): string {
  if (every === "daily") return daysAfter(day, 1);
  if (every === "weekly") return daysAfter(day, 7);
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month, Math.min(date, last))).toISOString().slice(0, 10);
}

const id = idOf("todo");

/** An open todo that repeats, with its rhythm and day. */
function repeating(db: Reader, id: number): { row: Todo; every: Rhythm; due: string } {
  const row = todoBy(db, id);
  const { every } = detailsOf(db, row.id);
  if (every !== null && row.due !== null) return { row, every, due: row.due };
  throw new ApiError(
    409,
    `id: expected a todo that repeats, ${id} does not; todo.repeat makes it so`,
  );
}

const aRepeating = (db: Reader) => todoRow(db, (row) => detailsOf(db, row.id).every !== null);

const repeat = defineApi({
  summary: "Make an open todo with a due day come again.",
  params: z.strictObject({ id, every: z.enum(RHYTHMS).describe("how often") }),
  returns: agendaItem,
  example: (db) => ({ id: aTodo(db, ({ due }) => due !== null), every: "weekly" as const }),
  handler: ({ db }, { id, every }) => {
    const row = todoBy(db, id);
    if (row.done) throw new ApiError(409, `id: expected an open todo, ${id} is done`);
    if (row.due === null) {
      throw new ApiError(
        422,
        `id: expected a todo with a due day, ${id} has none; todo.setDue gives one`,
      );
    }
    setDetails(db, id, { every });
    return agendaView(db)(row);
  },
});

const endRepeat = defineApi({
  summary: "Let a repeating todo be done once and for all.",
  params: z.strictObject({ id }),
  returns: agendaItem,
  example: (db) => ({ id: aRepeating(db)?.id ?? 1 }),
  handler: ({ db }, { id }) => {
    const { row } = repeating(db, id);
    setDetails(db, id, { every: null });
    return agendaView(db)(row);
  },
});

const completeRound = defineApi({
  summary: "Finish a repeating todo for its due day; it stays open for the next one.",
  params: z.strictObject({ id }),
  returns: agendaItem,
  example: (db) => ({ id: aRepeating(db)?.id ?? 1 }),
  handler: ({ db }, { id }) => {
    const { every, due } = repeating(db, id);
    const [first] = openBefore(db, id);
    if (first)
      throw new ApiError(409, `id: todo ${id} waits for todo ${first.id} "${first.title}"`);
    db.insert(rounds, { todo: id, day: due });
    return agendaView(db)(db.update(todos, id, { due: nextDay(due, every) }));
  },
});

const undoRound = defineApi({
  summary: "Take back the last finished round of a repeating todo; it is due on that day again.",
  params: z.strictObject({ id }),
  returns: agendaItem,
  example: (db) => ({
    id: todoRow(db, (row) => db.where(rounds, { todo: row.id }).length > 0)?.id ?? 1,
  }),
  handler: ({ db }, { id }) => {
    repeating(db, id);
    const last = db.where(rounds, { todo: id }).at(-1);
    if (!last) throw new ApiError(409, `id: no round of todo ${id} has been finished`);
    db.remove(rounds, last.id);
    return agendaView(db)(db.update(todos, id, { due: last.day }));
  },
});

const list = defineApi({
  summary: "List the days for which a repeating todo has been finished, newest first.",
  params: z.strictObject({ id, ...paging }),
  returns: pageOf(z.strictObject({ day: z.string() })),
  example: (db) => ({ id: db.all(rounds)[0]?.todo ?? 1 }),
  handler: ({ db }, { id, ...page }) => {
    const found = db.where(rounds, { todo: rowBy(db, todos, id, "todo").id });
    return paged(found.toReversed(), page, ({ day }) => ({ day }));
  },
});

export const repeatingApis = { repeat, endRepeat, completeRound, undoRound, rounds: list };
