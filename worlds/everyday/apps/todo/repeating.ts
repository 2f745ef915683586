/**
 * Defines the APIs of todos that repeat. Finishing a round moves the due day to the next round, and undoing this moves
 * it back.
 */

import { refuseUnless } from "bowline/resources";
import type { Reader } from "bowline/world";
import { z } from "bowline/world";
import { addDays } from "../shared.ts";
import { type Todo, todos } from "../tables.ts";
import { openPrerequisites, readDetails } from "./details.ts";
import { RHYTHMS, type Rhythm, rounds } from "./tables.ts";
import { todoWithDetails } from "./todo-items.ts";

/** Returns the next due day. A month later is the same date, or the last day of a month that lacks it. */
export function nextDay(day: string, every: Rhythm): string {
  if (every === "daily") return addDays(day, 1);
  if (every === "weekly") return addDays(day, 7);
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month, Math.min(date, last))).toISOString().slice(0, 10);
}

/** Returns the rhythm and the due day of a todo that repeats. Throws a 409 when it does not repeat. */
function requireRepeating(db: Reader, { id, due }: Todo): { every: Rhythm; due: string } {
  const { every } = readDetails(db, id);
  const hint = "todo.repeat makes it so";
  const isRepeating = every !== null && due !== null;
  refuseUnless(isRepeating, 409, `id: expected a todo that repeats, ${id} does not; ${hint}`);
  return { every, due };
}

const isRepeatingTodo = ({ id }: Todo, db: Reader) => readDetails(db, id).every !== null;

export const repeatingApis = {
  repeat: todoWithDetails.change("Make an open todo with a due day come again.", {
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
  endRepeat: todoWithDetails.change("Let a repeating todo be done once and for all.", {
    set: (row, _, { db }) => {
      requireRepeating(db, row);
      return { every: null };
    },
    isExample: isRepeatingTodo,
  }),
  completeRound: todoWithDetails.act(
    "Finish a repeating todo for its due day; it stays open for the next one.",
    {
      run: (row, { id }, { db }) => {
        const { every, due } = requireRepeating(db, row);
        const [first] = openPrerequisites(db, id);
        refuseUnless(!first, 409, `id: todo ${id} waits for todo ${first?.id} "${first?.title}"`);
        db.insert(rounds, { todo: id, day: due });
        return db.update(todos, id, { due: nextDay(due, every) });
      },
      isExample: isRepeatingTodo,
    },
  ),
  undoRound: todoWithDetails.act(
    "Take back the last finished round of a repeating todo; it is due on that day again.",
    {
      run: (row, { id }, { db }) => {
        requireRepeating(db, row);
        const last = db.where(rounds, { todo: id }).at(-1);
        refuseUnless(last, 409, `id: no round of todo ${id} has been finished`);
        db.remove(rounds, last.id);
        return db.update(todos, id, { due: last.day });
      },
      isExample: ({ id }, db) => db.where(rounds, { todo: id }).length > 0,
    },
  ),
};
