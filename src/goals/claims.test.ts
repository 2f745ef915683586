/**
 * Tests that a wrong part is named together with the rule that it breaks, and that a world with only right parts
 * passes.
 */
import { expect, test } from "vitest";
import { z } from "zod";
import { checkTask } from "../world/check/index.ts";
import { WorldInstance } from "../world/episode/index.ts";
import {
  accounts,
  defineApi,
  defineApp,
  defineTable,
  defineWorld,
  takePage,
} from "../world/index.ts";
import { createSandbox } from "../world/sandbox/index.ts";
import {
  actions,
  defineCollection,
  fact,
  facts,
  nouns,
  plainLanguage,
  relationBetween,
  relations,
  scenarioComposer,
  titleBy,
} from "./index.ts";

const NOW = "2026-05-04T08:00:00Z";
type Lamp = { id: number; room: string; watts: number; on: boolean };
const lamps = defineTable<Lamp>("house.lamps");
type Bulb = { id: number; lamp: number; spare: boolean };
const bulbs = defineTable<Bulb>("house.bulbs");

const id = z.int().describe("id");
const house = defineApp({
  name: "house",
  summary: "Lamps and their bulbs.",
  tables: [lamps, bulbs],
  apis: {
    lamps: defineApi({
      summary: "List lamps.",
      params: z.strictObject({
        room: z.string().optional().describe("room"),
        size: z.int().default(20).describe("size"),
        page: z.int().default(1).describe("page"),
      }),
      returns: z.any(),
      handler: ({ db }, { room, size, page }) =>
        takePage(room === undefined ? db.all(lamps) : db.where(lamps, { room }), page, size),
    }),
    bulbs: defineApi({
      summary: "List the bulbs of a lamp.",
      params: z.strictObject({ lamp: id }),
      returns: z.any(),
      handler: ({ db }, { lamp }) => db.where(bulbs, { lamp }),
    }),
    turn: defineApi({
      summary: "Turn a lamp on or off.",
      params: z.strictObject({ id, on: z.boolean().describe("on") }),
      returns: z.any(),
      handler: ({ db }, { id, on }) => db.update(lamps, id, { on }),
    }),
    spare: defineApi({
      summary: "Set a bulb aside.",
      params: z.strictObject({ id }),
      returns: z.any(),
      handler: ({ db }, { id }) => db.update(bulbs, id, { spare: true }),
    }),
  },
});

/** The pieces of code of a world's parts. Each test makes one of them wrong. */
interface Code {
  readonly room: string;
  readonly watts: string;
  readonly found: string;
  readonly bulbs: string;
  readonly total: string;
  readonly turned: boolean;
}

const RIGHT: Code = {
  ...{ room: "room", watts: "watts", found: "id", bulbs: "id", total: "length", turned: true },
};

function createHouse(code: Code): WorldInstance {
  const collection = defineCollection<Lamp>({
    ...{ kind: "lamps", app: "house", table: lamps, list: "lamps" },
    nouns: nouns`lamp(s) | lamp(s) of mine | lamp(s) here | lamp(s) at home | house lamp(s)`,
    columns: ({ choice, number }) => ({
      room: choice((row) => row.room, { code: `x.${code.room}` })`
        in the $ | that are in the $ | which stand in the $ | of the $ | whose room is the $`,
      watts: number((row) => row.watts, { item: code.watts, noun: "power in watts" }),
    }),
    title: titleBy<Lamp>({
      nameOf: (row) => `${row.watts} watt lamp`,
      find: (name) =>
        `apis.house.lamps().items.filter(x=>x.watts+" watt lamp"===${JSON.stringify(name)}).map(x=>x.${code.found})`,
      missing: ["9 watt lamp"],
    })`the $ | my $ | that $ | the one $ | the only $`,
  });
  const on = actions({ kind: "lamps", app: "house", table: lamps }, ({ sets }) => ({
    light: sets(
      { on: true },
      { when: (row) => !row.on, api: "turn", args: `on:${code.turned}` },
    )`Light # | Turn on # | Switch on # | Let # shine | Have # lit`,
    darken: sets({ on: false }, { when: (row) => row.on, api: "turn", args: "on:false" })`
      Darken # | Turn off # | Switch off # | Let # go dark | Have # darkened`,
  }));
  const spare = actions({ kind: "bulbs", app: "house", table: bulbs }, ({ sets }) => ({
    spare: sets({ spare: true }, { api: "spare" })`Spare # | Keep # | Save # | Store # | Put # by`,
  }));
  const inside = relations("house", {
    "bulbs-of": relationBetween({
      from: "lamps",
      to: "bulbs",
      relatedIds: (lamp, db) => db.where(bulbs, { lamp }).map((bulb) => bulb.id),
      code: (from) => `${from}.flatMap(x=>apis.house.bulbs({lamp:x}).map(y=>y.${code.bulbs}))`,
    })`the bulbs of # | all bulbs of # | every bulb of # | each bulb of # | any bulb of #`,
  });
  const counted = facts("house", {
    lamps: fact(
      "number",
      (db) => db.all(lamps).length,
      `apis.house.lamps().items.${code.total}`,
    )`the number of lamps | the count of lamps | how many lamps | the lamps by number | all lamps`,
  });
  const parts = {
    collections: [collection],
    actions: [...on, ...spare],
    relations: inside,
    facts: counted,
  };
  const definition = defineWorld({
    ...{ name: "house", now: NOW, apps: [house], scenarios: { train: 30, dev: 30 } },
    populate: (db) => {
      for (let i = 0; i < 15; i++) {
        const room = ["hall", "attic", "cellar"][i % 3]!;
        const lamp = db.insert(lamps, { room, watts: 10 + i, on: i % 2 === 0 }).id;
        db.insert(bulbs, { lamp, spare: false });
        db.insert(bulbs, { lamp, spare: false });
      }
      return { name: "Ida", email: "ida@house.example", phone: "555-0100" };
    },
    scenario: scenarioComposer({ parts: [parts], language: plainLanguage(NOW) }),
  });
  return new WorldInstance(definition, 1);
}

async function wrongIn(fault: Partial<Code>): Promise<string[]> {
  const world = createHouse({ ...RIGHT, ...fault });
  const sandbox = await createSandbox();
  const found = new Set<string>();
  const tasks = (["train", "dev"] as const).flatMap((split) => world.tasks(split, 9));
  for (const { id } of tasks) {
    const { solutionPass, why, wrong } = await checkTask(world, sandbox, id, 1);
    if (!solutionPass) found.add(wrong ? `${wrong.part}: ${wrong.why}` : `unnamed: ${why}`);
  }
  return [...found];
}

test("solutions log in to the apps that the world declares with logins", async () => {
  const { definition } = createHouse(RIGHT);
  const apps = definition.apps.map((app) => ({ ...app, login: true }));
  const populate: typeof definition.populate = (db, rng, dials) => {
    db.insert(accounts, { app: "house", username: "ida", password: "x-1" });
    return definition.populate(db, rng, dials);
  };
  const sandbox = await createSandbox();
  for (const logins of [true, false]) {
    const world = new WorldInstance({ ...definition, apps, populate }, 1, { logins });
    for (const { id } of world.tasks("train", 5)) {
      expect((await checkTask(world, sandbox, id, 1)).why).toBeUndefined();
    }
  }
});

test("a world whose parts are all right passes the check", async () => {
  expect(await wrongIn({})).toEqual([]);
});

const SELECTS = "its code should select exactly the rows that the part means";

test.each([
  [{ room: "on" }, `clause room of collection house.lamps: ${SELECTS}: 0 found by`],
  [{ watts: "id" }, "field watts of collection house.lamps: its code should read the"],
  [{ found: "watts" }, `title of collection house.lamps: ${SELECTS}: 1 found by`],
  [{ bulbs: "lamp" }, `relation house.bulbs-of: ${SELECTS}`],
  [{ bulbs: "nothing()" }, `relation house.bulbs-of: ${SELECTS}: \`var s2=`],
  [{ total: "length*9" }, "fact house.lamps: its code should give the number"],
  [
    { turned: false },
    "action house.light: everything that the task reads is right, so these calls change",
  ],
] as const)("the wrong part in %j is named with the rule that it breaks", async (fault, named) => {
  const wrong = await wrongIn(fault);
  expect(wrong.length).toBeGreaterThan(0);
  const others = wrong.filter((text) => !text.startsWith(named));
  expect(
    others.filter((text) => !text.includes("house.light") && !text.includes("house.darken")),
  ).toEqual([]);
  expect(wrong.some((text) => text.startsWith(named))).toBe(true);
});
