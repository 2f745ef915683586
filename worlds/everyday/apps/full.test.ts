/** Tests of what holds for all APIs of the fourteen apps. */
import { z } from "bowline/world";
import { describe, expect, test } from "vitest";
import { fullApps } from "./full.ts";

interface ParamSchema {
  readonly description?: string;
  readonly type?: string;
  readonly items?: ParamSchema;
}

const apis = fullApps.flatMap((app) =>
  Object.entries(app.apis).map(([name, api]) => {
    const { properties = {} } = z.toJSONSchema(api.params, { io: "input" });
    return { path: `${app.name}.${name}`, api, params: properties as Record<string, ParamSchema> };
  }),
);

const isHandle = ({ description = "", items }: ParamSchema): boolean =>
  description.includes("a handle such as") || (items !== undefined && isHandle(items));

/** The APIs with several people in different roles, and the roles. */
const ROLES: { readonly [path: string]: readonly string[] } = {
  "calendar.add": ["guests"],
  "contacts.merge": ["keep", "duplicate"],
  "contacts.pair": ["partner"],
  "contacts.unpair": ["partner"],
  "mail.compose": ["copy"],
  "split.add": ["payer"],
  "split.addExact": ["payer"],
  "split.addPercent": ["payer"],
  "split.expenses": ["payer", "addedBy"],
  "travel.trips": ["host"],
};

describe("the arguments of the APIs", () => {
  test("a person is called `person`, or `to` and `from` where something goes from one to another", () => {
    const usual = new Set(["person", "people", "to", "from"]);
    const others = apis.flatMap(({ path, params }) =>
      Object.entries(params)
        .filter(([name, schema]) => isHandle(schema) && !usual.has(name))
        .filter(([name]) => !ROLES[path]?.includes(name))
        .map(([name]) => `${path}: ${name}`),
    );
    expect(others).toEqual([]);
  });

  test("no argument `to` or `from` is a day in the same API in which the other one is a person", () => {
    const mixed = apis.filter(({ params }) => {
      const { from, to } = params;
      return from && to && isHandle(from) !== isHandle(to);
    });
    expect(mixed.map(({ path }) => path)).toEqual([]);
  });

  test("no app has two lists of the same rows", () => {
    const second = "find directory payments agenda overview history".split(" ");
    const kept = ["contacts.find", "pay.history", "music.history", "contacts.overview"];
    const found = apis.filter(({ path }) => second.includes(path.split(".")[1]!));
    expect(found.map(({ path }) => path).filter((path) => !kept.includes(path))).toEqual([
      "files.find",
    ]);
  });
});
