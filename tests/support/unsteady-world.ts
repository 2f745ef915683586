/**
 * Defines a world whose tasks do not follow from their seed. They depend on chance in `train`, on the date in `dev`, on
 * earlier draws in `test-normal`, and on a number drawn at loading in `test-challenge`. Tasks of `handmade` and the
 * population are reproducible, except for the population at `distractors` 2 and 3.
 */

import { defineApi, defineApp, defineTable, defineWorld, type Task } from "bowline/world";
import { z } from "zod";

type Note = { readonly id: number; readonly text: string };
const notes = defineTable<Note>("desk.notes");
const desk = defineApp({
  name: "desk",
  summary: "Notes.",
  tables: [notes],
  apis: {
    write: defineApi({
      summary: "Write a note.",
      params: z.strictObject({ text: z.string().describe("what to write") }),
      returns: z.object({ id: z.int() }),
      handler: ({ db }, { text }) => db.insert(notes, { text }),
    }),
  },
});

const DRAWN_AT_LOAD = Math.random();
let drawCount = 0;

const TEXT_OF_SPLIT: { readonly [split: string]: () => string } = {
  train: () => `luck ${Math.random()}`,
  dev: () => `day ${new Date().toISOString().slice(0, 10)}`,
  "test-normal": () => `turn ${drawCount++}`,
  "test-challenge": () => `load ${DRAWN_AT_LOAD}`,
};

export default defineWorld({
  name: "unsteady",
  now: "2026-01-05T09:00:00Z",
  apps: [desk],
  scenarios: { train: 1, dev: 1, "test-normal": 1, "test-challenge": 1, handmade: 1 },
  populate(db, _rng, { distractors }) {
    const luck = { 2: Math.random, 3: () => DRAWN_AT_LOAD }[distractors];
    db.insert(notes, { text: luck ? `spam ${luck()}` : "spam" });
    return { name: "Ida Note", email: "ida@desk.example", phone: "555-0100" };
  },
  scenario({ split }) {
    const text = TEXT_OF_SPLIT[split]?.() ?? "hello";
    const task: Task = {
      signature: "write.one",
      difficulty: 1,
      instruction: split === "dev" ? "write what day it is" : `write "${text}"`,
      goal(db) {
        db.insert(notes, { text });
        return undefined;
      },
      *solution() {
        yield `apis.desk.write({ text: ${JSON.stringify(text)} }); apis.me.finishTask()`;
      },
    };
    return [task, task, task];
  },
});
