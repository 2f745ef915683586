/** A world without solutions. Its only API ends the worker thread, as a bug of a handler could. */
import { defineApi, defineApp, defineWorld, type Task } from "bowline/world";
import { z } from "zod";

const thread = defineApp({
  name: "thread",
  summary: "The thread this runs in.",
  tables: [],
  apis: {
    end: defineApi({
      summary: "End it.",
      params: z.strictObject({}),
      returns: z.null(),
      handler: () => process.exit(3),
    }),
  },
});

const task: Task = {
  signature: "end",
  difficulty: 1,
  instruction: "end it",
  goal: () => ({ answer: "ended" }),
};

export default defineWorld({
  name: "dying",
  now: "2026-01-05T09:00:00.000Z",
  apps: [thread],
  scenarios: { train: 1 },
  populate: () => ({ name: "Ida Toy", email: "ida@toy.example", phone: "555-0100" }),
  scenario: () => [task, task, task],
});
