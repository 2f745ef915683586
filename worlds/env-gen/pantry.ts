/**
 * The world of the EnvGen experiment: a pantry of jars, whose tasks are composed by the goal kit from clauses, rankings
 * and actions. `generator.ts` shifts the weights of these parts during training.
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

const NOW = "2026-02-02T08:00:00Z";
const SHELVES = ["top", "middle", "low", "door"] as const;

type Jar = { id: number; name: string; shelf: string; grams: number; open: boolean };
const jars = defineTable<Jar>("pantry.jars", { indexes: ["shelf"] });

const shelf = z.enum(SHELVES);
const jar = resource({
  table: jars,
  noun: "jar",
  item: defineItem(jars, {
    id: z.int(),
    name: z.string(),
    shelf,
    grams: z.int().describe("weight in grams"),
    open: z.boolean(),
  }),
});

const pantry = defineApp({
  name: "pantry",
  summary: "The jars of a pantry and the shelves that they stand on.",
  tables: [jars],
  apis: {
    list: jar.list("List jars in the order of their ids.", {
      filters: {
        shelf: shelf.describe("only on this shelf"),
        open: z.boolean().describe("only open jars, or only closed ones"),
        name: z.string().describe("exact name"),
      },
    }),
    open: jar.change("Open a closed jar.", { set: { open: true }, already: "is open" }),
    move: jar.change("Move a jar to another shelf.", {
      params: { shelf: shelf.describe("where it goes") },
      example: { shelf: "low" },
    }),
    discard: jar.remove("Throw a jar away."),
  },
});

const jarRows = defineCollection<Jar>({
  kind: "jars",
  app: "pantry",
  table: jars,
  list: "list",
  nouns: nouns`jar(s) | jar(s) of mine | pantry jar(s) | jar(s) I have | stored jar(s)`,
  columns: ({ choice, withOrWithout, number, text }) => ({
    shelf: choice((row) => row.shelf, { arg: "shelf", item: "shelf", noun: "shelf" })`on shelf $
      | that stand on shelf $ | from shelf $ | which are on shelf $ | whose shelf is $`,
    open: withOrWithout(
      (row) => row.open,
      (yes) => ({ args: `open:${yes}` }),
    )`that are open | which are open | open now | that stand open | in an open state``
      that are closed | which are closed | closed now | that stay closed | in a closed state`,
    weight: number(
      (row) => row.grams,
      {
        item: "grams",
        noun: "weight in grams",
        superlatives: [
          alternatives`heaviest | weightiest | heaviest by weight | most heavy | heaviest of all`,
          alternatives`lightest | least heavy | lightest by weight | most light | lightest of all`,
        ],
      },
      atLeast("heavy")`of $ g or more | of at least $ g | with $ g or more | no lighter than $ g
        | weighing $ g or more`,
    ),
    name: text((row) => row.name, { item: "name", noun: "name" }),
  }),
  title: titleBy<Jar>({
    nameOf: (row) => row.name,
    find: (name) => `apis.pantry.list({name:${JSON.stringify(name)}}).items.map(x=>x.id)`,
    missing: ["gold dust", "sea foam", "dry ice"],
  })`my $ | the $ | the jar of $ | the $ that I have | the jar named $`,
});

const jarActions = actions(
  { kind: "jars", app: "pantry", table: jars },
  ({ sets, removesRow, drawnAction }) => ({
    open: sets({ open: true }, { when: (row) => !row.open, api: "open" })`Open # | Please open #
      | Unseal # | Take the lid off # | Get # opened`,
    move: drawnAction(({ rng }) => {
      const shelf = rng.pick(SHELVES);
      const how = {
        when: (row: Jar) => row.shelf !== shelf,
        api: "move",
        args: `shelf:"${shelf}"`,
      };
      return sets({ shelf }, how)`Move # to shelf ${shelf} | Put # on shelf ${shelf}
        | Set # on shelf ${shelf} | Bring # to shelf ${shelf} | Carry # to shelf ${shelf}`;
    }),
    discard: removesRow({ api: "discard" })`Throw # away | Discard # | Get rid of # | Bin #
      | Clear # out`,
  }),
);

export default defineWorld({
  name: "env-gen-pantry",
  version: "2",
  now: NOW,
  apps: [pantry],
  scenarios: { train: 400, dev: 20, "test-normal": 30 },
  populate: (db, rng) => {
    for (const kind of ["red", "hot", "old", "raw", "fine"])
      for (const food of ["rice", "beans", "salt", "tea", "honey", "flour"]) {
        const grams = rng.integer(10, 99) * 10;
        const place = { shelf: rng.pick(SHELVES), grams, open: rng.chance(0.4) };
        db.insert(jars, { name: `${kind} ${food}`, ...place });
      }
    return { name: "Ida Pantry", email: "ida@pantry.example", phone: "555-0105" };
  },
  scenario: scenarioComposer({
    parts: [{ collections: [jarRows], actions: jarActions }],
    language: plainLanguage(NOW),
  }),
});
