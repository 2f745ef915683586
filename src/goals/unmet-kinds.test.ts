/** Tests that a part is refused, when the world is made, if no other part provides its kind. */
import { expect, test } from "vitest";
import { defineTable } from "../world/index.ts";
import {
  actions,
  defineCollection,
  nouns,
  plainLanguage,
  relationBetween,
  relations,
  scenarioComposer,
} from "./index.ts";

type Lamp = { id: number; on: boolean };
const lamps = defineTable<Lamp>("house.lamps");
const lampRows = defineCollection<Lamp>({
  ...{ kind: "lamps", app: "house", table: lamps, list: "lamps", columns: {} },
  nouns: nouns`lamp(s) | b | c | d | e`,
});
const makeLightActions = (kind: string) =>
  actions({ kind, app: "house", table: lamps }, ({ sets }) => ({
    light: sets({ on: true }, { api: "light" })`Light # | b | c | d | e`,
  }));
const makeBulbRelation = (from: string) =>
  relations("house", {
    bulbs: relationBetween({
      from,
      to: "bulbs",
      relatedIds: (id) => id,
      code: (ids) => ids,
    })`of # | b | c | d | e`,
  });
const language = plainLanguage("2026-05-04T08:00:00Z");
const composeWorld = (action: string, relation: string) =>
  scenarioComposer({
    parts: [
      { collections: [lampRows] },
      { actions: makeLightActions(action), relations: makeBulbRelation(relation) },
    ],
    language,
  });

test("an action or a relation of a kind that no part provides is refused", () => {
  expect(() => composeWorld("lamp", "lamps")).toThrow(
    'action house.light starts from the kind "lamp", which no collection or relation provides (did you mean lamps?); the kinds are: bulbs, lamps',
  );
  expect(() => composeWorld("lamps", "rooms")).toThrow(
    'relation house.bulbs starts from the kind "rooms", which no collection or relation provides',
  );
  expect(() => composeWorld("lamps", "lamps")).not.toThrow();
  expect(() => composeWorld("bulbs", "lamps")).not.toThrow();
});
