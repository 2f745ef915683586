/**
 * The worked example of docs/how-to/everyday.md: an app, and the parts with which it extends the goal algebra.
 *
 * It has one table, four APIs, one collection with four clauses and two fields, one relation, three actions and one
 * fact. From these the algebra composes instructions, checks and solutions for a few hundred signatures.
 */

import { asCollection, composeScenario, type Parts, SignatureSchedule } from "bowline/goals";
import { idParam, pagingParams } from "bowline/resources";
import { ApiError, defineApi, defineApp, defineTable, defineWorld, z } from "bowline/world";
import { fullContacts } from "../apps/contacts/full.ts";
import { handleOf, pageSchema, requireRow, takePage } from "../apps/shared.ts";
import { people } from "../apps/tables.ts";
import { LANGUAGE } from "../language.ts";
import { makeLife } from "../life/life.ts";
import { NOW, peopleOf } from "../population.ts";
import { OWNER } from "./owner.ts";

type Plant = {
  readonly id: number;
  readonly name: string;
  readonly bed: string;
  readonly heightCm: number;
  /** The id of the person to whom the plant belongs. */
  readonly person: number;
  readonly watered: boolean;
  readonly mark: string | null;
};
const plants = defineTable<Plant>("garden.plants", {
  indexes: ["bed"],
  references: { person: "contacts.people" },
});

const item = z.object({
  name: z.string(),
  id: z.int(),
  bed: z.string(),
  heightCm: z.int(),
  owner: z.string(),
  watered: z.boolean(),
});
const plant = { id: idParam("plant") };

const garden = defineApp({
  name: "garden",
  summary: "The plants of a shared garden.",
  tables: [plants],
  apis: {
    plants: defineApi({
      summary: "List plants in the order of planting.",
      params: z.strictObject({
        bed: z.string().optional().describe("only in this bed"),
        ...pagingParams,
      }),
      returns: pageSchema(item),
      example: () => ({}),
      handler: ({ db }, { bed, ...page }) =>
        takePage(db.where(plants, bed === undefined ? {} : { bed }), page, (row) => ({
          ...row,
          owner: handleOf(db, row.person),
        })),
    }),
    water: defineApi({
      summary: "Water a plant that is dry.",
      params: z.strictObject(plant),
      returns: z.object({ watered: z.boolean() }),
      example: (db) => ({ id: db.where(plants, { watered: false })[0]!.id }),
      handler: ({ db }, { id }) => {
        if (requireRow(db, plants, id, "plant").watered)
          throw new ApiError(409, `id: plant ${id} is wet already; expected a dry one`);
        return db.update(plants, id, { watered: true });
      },
    }),
    mark: defineApi({
      summary: "Put a sign with a text beside a plant.",
      params: z.strictObject({ ...plant, text: z.string().min(1).describe("what the sign says") }),
      returns: z.object({ mark: z.string().nullable() }),
      example: (db) => ({ id: db.all(plants)[0]!.id, text: "do not touch" }),
      handler: ({ db }, { id, text }) => {
        requireRow(db, plants, id, "plant");
        return db.update(plants, id, { mark: text });
      },
    }),
    count: defineApi({
      summary: "Count all plants.",
      params: z.strictObject({}),
      returns: z.strictObject({ plants: z.int() }),
      example: () => ({}),
      handler: ({ db }) => ({ plants: db.all(plants).length }),
    }),
  },
});

const plantsPart = asCollection<Plant>({
  name: "plants",
  kind: "plants",
  app: "garden",
  table: plants,
  includes: () => true,
  nouns: [
    { one: "plant in the garden", many: "plants in the garden" },
    { one: "garden plant", many: "garden plants" },
    { one: "plant of the garden", many: "plants of the garden" },
    { one: "plant in my garden app", many: "plants in my garden app" },
    { one: "plant that grows in the garden", many: "plants growing in the garden" },
  ],
  list: { api: "garden.plants" },
  key: "id",
  allowsWhole: false,
  clauses: [
    {
      name: "bed",
      draw: ({ rng }, rows) => {
        const { bed } = rng.pick(rows);
        return {
          words: [
            `in the ${bed} bed`,
            `that stand in the ${bed} bed`,
            `of the ${bed} bed`,
            `that grow in the ${bed} bed`,
            `planted in the ${bed} bed`,
          ],
          holds: (row) => row.bed === bed,
          code: { args: `bed:${JSON.stringify(bed)}` },
        };
      },
    },
    {
      name: "taller",
      draw: ({ rng }, rows) => {
        const { heightCm } = rng.pick(rows);
        return {
          words: [
            `taller than ${heightCm} cm`,
            `that are taller than ${heightCm} cm`,
            `over ${heightCm} cm tall`,
            `with a height of more than ${heightCm} cm`,
            `that measure more than ${heightCm} cm`,
          ],
          holds: (row) => row.heightCm > heightCm,
          code: { test: `x.heightCm>${heightCm}` },
        };
      },
    },
    {
      name: "dry",
      draw: () => ({
        words: [
          "that nobody has watered",
          "that are dry",
          "that have not been watered",
          "which are still dry",
          "that still need water",
        ],
        holds: (row) => !row.watered,
        code: { test: "!x.watered" },
      }),
    },
    {
      name: "owner",
      draw: (draw, rows) => {
        const person = draw.person(rows.map((row) => row.person));
        if (!person) return undefined;
        return {
          words: [
            `of ${person.words}`,
            `that belong to ${person.words}`,
            `owned by ${person.words}`,
            `which ${person.words} owns`,
            `belonging to ${person.words}`,
          ],
          holds: (row) => row.person === person.value.id,
          code: { test: `x.owner===${person.code}` },
          uses: [person],
        };
      },
    },
  ],
  fields: [
    {
      name: "height",
      unit: "number",
      noun: "height in centimetres",
      value: (row) => row.heightCm,
      code: "x.heightCm",
      superlatives: {
        most: ["tallest", "highest", "biggest", "most grown", "largest"],
        least: ["shortest", "lowest", "smallest", "least grown", "tiniest"],
      },
    },
    { name: "name", unit: "text", noun: "name", value: (row) => row.name, code: "x.name" },
  ],
  title: {
    nameOf: (row) => row.name,
    nouns: (name) => [
      `the plant "${name}"`,
      `my plant "${name}"`,
      `the plant called "${name}"`,
      `the plant with the name "${name}"`,
      `the plant named "${name}"`,
    ],
    cells: (name, out) => [
      `var ${out}=[],p=1,r;do{r=apis.garden.plants({size:20,page:p++});${out}.push(...r.items.filter(x=>x.name===${JSON.stringify(name)}).map(x=>x.id))}while(r.more);print(${out})`,
    ],
    missing: ["Moonflower", "Glass fern"],
  },
});

export const gardenParts: Parts = {
  collections: [plantsPart],
  relations: [
    {
      name: "owners",
      from: "plants",
      to: "people",
      app: "garden",
      words: [
        (noun) => `the owners of ${noun}`,
        (noun) => `everyone who owns one of ${noun}`,
        (noun) => `those who own any of ${noun}`,
        (noun) => `whoever owns one of ${noun}`,
        (noun) => `the people that ${noun} belong to`,
      ],
      map: (db, ids) => [...new Set(ids.map((id) => db.get(plants, id)!.person))],
      cells: (from, to) => [
        `var ${to}=[],p=1,r;do{r=apis.garden.plants({size:20,page:p++});${to}.push(...r.items.filter(x=>${from}.includes(x.id)).map(x=>x.owner))}while(r.more);${to}=[...new Set(${to})];print(${to})`,
      ],
    },
  ],
  actions: [
    {
      name: "water",
      kind: "plants",
      app: "garden",
      difficulty: 1,
      draw: () => ({
        frames: [
          (noun) => `Water ${noun}`,
          (noun) => `Give water to ${noun}`,
          (noun) => `Please water ${noun}`,
          (noun) => `Take care of watering ${noun}`,
          (noun) => `Pour some water on ${noun}`,
        ],
        permits: (db, id) => !db.get(plants, id)!.watered,
        apply: (db, id) => {
          db.update(plants, id, { watered: true });
        },
        call: (x) => `apis.garden.water({id:${x}})`,
      }),
    },
    {
      name: "mark",
      kind: "plants",
      app: "garden",
      difficulty: 1,
      takes: "text",
      draw: (draw) => {
        const text = draw.value("text");
        return {
          frames: [
            (noun) => `Put a sign that says ${text.words} beside ${noun}`,
            (noun) => `Mark ${noun} with a sign: ${text.words}`,
            (noun) => `Set up a sign saying ${text.words} next to ${noun}`,
            (noun) => `Let a sign beside ${noun} say ${text.words}`,
            (noun) => `Place a sign reading ${text.words} by ${noun}`,
          ],
          apply: (db, id) => {
            db.update(plants, id, { mark: text.value });
          },
          call: (x) => `apis.garden.mark({id:${x},text:${text.code}})`,
          uses: [text],
        };
      },
    },
    {
      name: "block",
      kind: "people",
      app: "contacts",
      difficulty: 1,
      draw: () => ({
        frames: [
          (noun) => `Block ${noun}`,
          (noun) => `Put ${noun} on my block list`,
          (noun) => `Stop all contact with ${noun} by blocking`,
          (noun) => `Block any contact from ${noun}`,
          (noun) => `Add ${noun} to the blocked contacts`,
        ],
        permits: (db, id) => !db.get(people, id)!.blocked,
        apply: (db, id) => {
          db.update(people, id, { blocked: true });
        },
        call: (x) => `apis.contacts.block({person:${x}})`,
      }),
    },
  ],
  facts: [
    {
      name: "plants",
      app: "garden",
      unit: "number",
      words: [
        "the number of plants",
        "the count of all plants",
        "the total number of plants",
        "how many plants there are in total",
        "the size of the garden in plants",
      ],
      value: (db) => db.all(plants).length,
      code: "apis.garden.count({}).plants",
    },
  ],
};

const schedule = new SignatureSchedule([gardenParts], []);

export default defineWorld({
  name: "garden",
  now: NOW,
  apps: [fullContacts, garden],
  scenarios: { train: 40, dev: 10, "test-normal": 10 },
  populate: (db, rng) => {
    const { everyone } = makeLife(db, rng);
    const owners = [...everyone.train, ...everyone.dev, ...everyone["test-normal"]];
    for (let i = 0; i < 60; i++) {
      db.insert(plants, {
        name: `${["Rose", "Lily", "Fern", "Moss"][i % 4]} ${i + 1}`,
        bed: rng.pick(["north", "south", "rock"]),
        heightCm: 10 + 3 * i,
        person: rng.pick(owners).id,
        watered: rng.chance(0.5),
        mark: null,
      });
    }
    return OWNER;
  },
  scenario: ({ split, index, base, rng, scratch }) => {
    if (split === "handmade") throw new Error("the garden has no handmade tasks");
    const baseRequest = {
      split,
      language: LANGUAGE,
      people: peopleOf(base, split),
      scratch,
      paraphrase: 0,
      logins: new Set<string>(),
      shortSessions: false,
    };
    for (const shape of schedule.candidates(split, index)) {
      const tasks = composeScenario({ ...baseRequest, rng: rng.child(shape.type) }, shape);
      if (tasks) return tasks;
    }
    throw new Error("no signature fits");
  },
});
