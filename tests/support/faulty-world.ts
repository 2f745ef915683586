/**
 * Defines a small world with bugs: one API handler throws, one never returns, one returns a value of the wrong type.
 * Solutions of the split `train` call the handler that throws, and solutions of `test-normal` call the handler that
 * never returns. Goals of `test-challenge` never end.
 */

import { defineApi, defineApp, defineTable, defineWorld, type Task } from "bowline/world";
import { z } from "zod";

type Lamp = { readonly id: number; readonly room: string; readonly on: boolean };
const lamps = defineTable<Lamp>("house.lamps");
const room = z.string().describe("a room");

/** Counts the letters of a room's name, and throws for "attic". */
function countLetters(text: string): number {
  const found = [text].find((one) => one !== "attic") as string;
  return found.length;
}

const house = defineApp({
  name: "house",
  summary: "Lamps.",
  tables: [lamps],
  apis: {
    light: defineApi({
      summary: "Turn the lamp of a room on.",
      params: z.strictObject({ room }),
      returns: z.object({ letters: z.int() }),
      handler: ({ db }, { room }) => {
        const lamp = db.where(lamps, { room })[0];
        if (lamp) db.update(lamps, lamp.id, { on: true });
        return { letters: countLetters(room) };
      },
    }),
    wait: defineApi({
      summary: "Wait.",
      params: z.strictObject({}),
      returns: z.null(),
      handler: () => {
        for (;;);
      },
    }),
    count: defineApi({
      summary: "Count the lamps.",
      params: z.strictObject({}),
      returns: z.int(),
      handler: ({ db }) => `${db.all(lamps).length}` as never,
    }),
  },
});

/** Code that a solution of each split runs before the right call. */
const EXTRA_CELLS: { readonly [split: string]: string } = {
  train: 'try { apis.house.light({ room: "attic" }) } catch {}',
  "test-normal": "try { apis.house.wait() } catch {}",
};

export default defineWorld({
  name: "faulty",
  now: "2026-01-05T09:00:00Z",
  apps: [house],
  scenarios: { train: 20, dev: 4, "test-normal": 4, "test-challenge": 1 },
  populate(db) {
    for (const name of ["hall", "kitchen"]) db.insert(lamps, { room: name, on: false });
    return { name: "Ida Lamp", email: "ida@house.example", phone: "555-0100" };
  },
  scenario({ split, index }) {
    const name = index % 2 === 0 ? "hall" : "kitchen";
    const task: Task = {
      signature: "light.one",
      difficulty: 1,
      instruction: `turn on the lamp in the ${name}`,
      goal(db) {
        while (split === "test-challenge");
        for (const { id } of db.where(lamps, { room: name })) db.update(lamps, id, { on: true });
        return undefined;
      },
      *solution() {
        const right = `apis.house.light({ room: ${JSON.stringify(name)} })`;
        yield `${EXTRA_CELLS[split] ?? ""}; ${right}; apis.me.finishTask()`;
      },
    };
    return [task, task, task];
  },
});
