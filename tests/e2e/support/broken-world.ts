/** Defines a world whose solutions do not do what its goals ask for. */
import { defineApi, defineApp, defineTable, defineWorld, type Task, z } from "bowline/world";

type Light = { id: number; on: boolean };
const lights = defineTable<Light>("house.lights");

const house = defineApp({
  name: "house",
  summary: "Lights.",
  tables: [lights],
  apis: {
    turnOn: defineApi({
      summary: "Turn a light on.",
      params: z.strictObject({ light: z.int().describe("id of a light") }),
      returns: z.object({ on: z.boolean() }),
      handler: ({ db }, { light }) => db.update(lights, light, { on: true }),
    }),
  },
});

const task: Task = {
  signature: "lights.all > turn-on",
  difficulty: 1,
  instruction: "turn on all lights",
  goal(db) {
    for (const { id } of db.all(lights)) db.update(lights, id, { on: true });
    return undefined;
  },
  *solution() {
    yield "apis.house.turnOn({ light: 1 }); apis.me.finishTask()";
  },
};

export default defineWorld({
  name: "broken",
  now: "2026-01-01T00:00:00Z",
  apps: [house],
  scenarios: { dev: 1 },
  populate(db) {
    for (let i = 0; i < 2; i++) db.insert(lights, { on: false });
    return { name: "Lu", email: "lu@house.example", phone: "555-0101" };
  },
  scenario: () => [task, task, task],
});
