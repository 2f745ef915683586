/**
 * A world with composed goals: one app with a table of plants, and parts that say what tasks can ask about plants and
 * do with them. The parts give dozens of kinds of tasks with instruction, checks and solution (docs/goals.md).
 *
 *   bowline world check --world ./garden.ts --split all --tasks 240      checks that the tasks are sound
 *   bowline train smoke --world ./garden.ts                              trains an agent in this world
 */
import {
  actions,
  alternatives,
  atLeast,
  defineCollection,
  nouns,
  plainLanguage,
  scenarioComposer,
  titleBy,
} from "bowline/goals";
import { defineItem, resource } from "bowline/resources";
import { defineApp, defineTable, defineWorld, z } from "bowline/world";

const NOW = "2026-05-04T08:00:00Z";
const BEDS = ["north bed", "pond bed", "wall bed", "herb bed"] as const;

type Plant = { id: number; name: string; bed: string; cm: number; planted: string; dry: boolean };
const plants = defineTable<Plant>("garden.plants", { indexes: ["bed"] });

// The app defines what an agent can call.

const bed = z.enum(BEDS);
const plant = resource({
  table: plants,
  noun: "plant",
  item: defineItem(plants, {
    id: z.int(),
    name: z.string(),
    bed,
    cm: z.int().describe("height in centimetres"),
    planted: z.string().describe("day, such as 2026-03-19"),
    dry: z.boolean(),
  }),
});

const garden = defineApp({
  name: "garden",
  summary: "The plants of a garden and the beds that they stand in.",
  tables: [plants],
  apis: {
    list: plant.list("List plants in the order of their ids.", {
      filters: {
        bed: bed.describe("only in this bed"),
        dry: z.boolean().describe("only plants that are dry, or that are not"),
        name: z.string().describe("exact name"),
      },
    }),
    water: plant.change("Water a dry plant.", { set: { dry: false }, already: "is not dry" }),
    move: plant.change("Move a plant to another bed.", {
      params: { bed: bed.describe("where it goes") },
      example: { bed: "herb bed" },
    }),
    digOut: plant.remove("Dig out a plant for good."),
  },
});

// The goals define what a task can ask for.

const plantRows = defineCollection<Plant>({
  kind: "plants",
  app: "garden",
  table: plants,
  list: "list",
  nouns: nouns`plant(s) in my garden | garden plant(s) | plant(s) of mine | plant(s) in the garden
    | plant that I have in the garden / plants that I have in the garden`,
  columns: ({ choice, day, withOrWithout, number, text }) => ({
    bed: choice((row) => row.bed, { arg: "bed", item: "bed", noun: "bed" })`in the $
      | that stand in the $ | which are in the $ | that grow in the $ | whose bed is the $`,
    dry: withOrWithout(
      (row) => row.dry,
      (yes) => ({ args: `dry:${yes}` }),
    )`that are dry | which need water | that want watering | with dry soil | whose soil is dry``
      that are not dry | which need no water | that want no watering | with moist soil
      | whose soil is moist`,
    height: number(
      (row) => row.cm,
      {
        item: "cm",
        noun: "height in centimetres",
        superlatives: [
          alternatives`tallest | highest | biggest by height | most towering | longest-grown`,
          alternatives`shortest | lowest | smallest by height | least tall | closest to the ground`,
        ],
      },
      atLeast("tall")`of $ cm or more | that are at least $ cm tall | with a height of $ cm or more
        | no shorter than $ cm | whose height is $ cm or above`,
    ),
    planted: day(
      (row) => row.planted,
      { item: "planted", noun: "planting day" },
      atLeast("since")`planted on $ or later | that I planted on $ or after that day
        | planted no earlier than $ | which came into the ground on $ or later
        | whose planting day is $ or a later one`,
    ),
    name: text((row) => row.name, { item: "name", noun: "name" }),
  }),
  title: titleBy<Plant>({
    nameOf: (row) => row.name,
    find: (name) => `apis.garden.list({name:${JSON.stringify(name)}}).items.map(x=>x.id)`,
    missing: ["black lotus", "moon orchid", "glass thistle"],
  })`my $ | the $ in my garden | the plant called $ | the $ that I have | the plant named $`,
});

const plantActions = actions(
  { kind: "plants", app: "garden", table: plants },
  ({ sets, removesRow, drawnAction }) => ({
    water: sets({ dry: false }, { when: (row) => row.dry, api: "water" })`Water # | Give water to #
      | Give # a drink | Let # have water | See that # get watered`,
    move: drawnAction(({ rng }) => {
      const bed = rng.pick(BEDS);
      const how = { when: (row: Plant) => row.bed !== bed, api: "move", args: `bed:"${bed}"` };
      return sets({ bed }, how)`Move # to the ${bed} | Put # into the ${bed}
        | Replant # in the ${bed} | Give # a place in the ${bed} | Let the ${bed} be the new place of #`;
    }),
    "dig-out": removesRow({ api: "digOut" })`Dig out # | Remove # from the garden
      | Take out # for good | Get rid of # | Have # dug out`,
  }),
);

// The world fills the garden and composes its tasks.

export default defineWorld({
  name: "garden",
  now: NOW,
  apps: [garden],
  scenarios: { train: 40, dev: 12, "test-normal": 20 },
  populate: (db, rng) => {
    for (const colour of ["white", "blue", "pink", "late", "dwarf", "wild"]) {
      for (const kind of ["rose", "fern", "tulip", "poppy", "iris", "sage", "mint", "thyme"]) {
        const planted = `2026-0${rng.integer(1, 4)}-${rng.integer(10, 28)}`;
        const place = { bed: rng.pick(BEDS), cm: rng.integer(8, 140), planted };
        db.insert(plants, { name: `${colour} ${kind}`, ...place, dry: rng.chance(0.3) });
      }
    }
    return { name: "Ida Green", email: "ida@garden.example", phone: "555-0100" };
  },
  scenario: scenarioComposer({
    parts: [{ collections: [plantRows], actions: plantActions }],
    language: plainLanguage(NOW),
  }),
});
