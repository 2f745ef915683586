/** Todos that come again: finishing a round moves the due day on; undoing it moves it back. */

import { listApi, refuseUnless } from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import { addDays } from "../shared.ts";
import { type Todo, todos } from "../tables.ts";
import { detailsOf, openBefore } from "./details.ts";
import { allTodos } from "./index.ts";
import { RHYTHMS, type Rhythm, rounds } from "./tables.ts";
import { fullTodos } from "./views.ts";

/** A month later is the same date, or the month's last one where it has none such. */
export function nextDay(day: string, every: Rhythm): string {
  if (every === "daily") return addDays(day, 1);
  if (every === "weekly") return addDays(day, 7);
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month, Math.min(date, last))).toISOString().slice(0, 10);
}

/** The rhythm and day of a todo that repeats. */
function rhythmOf(db: Reader, { id, due }: Todo): { every: Rhythm; due: string } {
  const { every } = detailsOf(db, id);
  const hint = "todo.repeat makes it so";
  const repeats = every !== null && due !== null;
  refuseUnless(repeats, 409, `id: expected a todo that repeats, ${id} does not; ${hint}`);
  return { every, due };
}

const repeats = ({ id }: Todo, db: Reader) => detailsOf(db, id).every !== null;
const roundItem = rounds.item({ day: z.string() });

export const repeatingApis = {
  repeat: fullTodos.change("Make an open todo with a due day come again.", {
    params: { every: z.enum(RHYTHMS).describe("how often") },
    set: ({ id, done, due }, { every }) => {
      refuseUnless(!done, 409, `id: expected an open todo, ${id} is done`);
      refuseUnless(
        due,
        422,
        `id: expected a todo with a due day, ${id} has none; todo.setDue gives one`,
      );
      return { every };
    },
    isExample: ({ due }) => due !== null,
    example: { every: "weekly" },
  }),
  endRepeat: fullTodos.change("Let a repeating todo be done once and for all.", {
    set: (row, _, { db }) => {
      rhythmOf(db, row);
      return { every: null };
    },
    isExample: repeats,
  }),
  completeRound: fullTodos.act(
    "Finish a repeating todo for its due day; it stays open for the next one.",
    {
      run: (row, { id }, { db }) => {
        const { every, due } = rhythmOf(db, row);
        const [first] = openBefore(db, id);
        refuseUnless(!first, 409, `id: todo ${id} waits for todo ${first?.id} "${first?.title}"`);
        db.insert(rounds, { todo: id, day: due });
        return db.update(todos, id, { due: nextDay(due, every) });
      },
      isExample: repeats,
    },
  ),
  undoRound: fullTodos.act(
    "Take back the last finished round of a repeating todo; it is due on that day again.",
    {
      run: (row, { id }, { db }) => {
        rhythmOf(db, row);
        const last = db.where(rounds, { todo: id }).at(-1);
        refuseUnless(last, 409, `id: no round of todo ${id} has been finished`);
        db.remove(rounds, last.id);
        return db.update(todos, id, { due: last.day });
      },
      isExample: ({ id }, db) => db.where(rounds, { todo: id }).length > 0,
    },
  ),
  rounds: listApi("List the days for which a repeating todo has been finished, newest first.", {
    item: roundItem,
    parent: [allTodos, "todo"],
    order: (rows) => rows.toReversed(),
  }),
};
