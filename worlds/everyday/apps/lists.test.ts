/** Tests of what holds for all APIs: pages, documentation, and the one-line signatures in the README. */
import { readFileSync } from "node:fs";
import { Rng, z } from "bowline/world";
import { describe, expect, test } from "vitest";
import { populate } from "../population.ts";
import { starterFixture } from "../tests/starter-fixture.ts";
import { apps, guests } from "./index.ts";

const apis = apps.flatMap((app) =>
  Object.entries(app.apis).map(([name, api]) => {
    const params = z.toJSONSchema(api.params, { io: "input" });
    const names = Object.keys(params.properties ?? {});
    return { path: `${app.name}.${name}`, api, params, names };
  }),
);
const lists = apis.filter(({ names }) => names.includes("page"));

interface Described {
  readonly description?: string;
}
interface PageSchema {
  readonly properties: { readonly items: { readonly items: { readonly properties: object } } };
}

describe("pages of a list", () => {
  const fixture = starterFixture((db) => populate(db, new Rng(1)));
  const needed: { readonly [path: string]: object } = {
    "messages.search": { query: "the" },
    "mail.search": { query: "the" },
    "notes.search": { query: "o" },
    "pay.search": { query: "t" },
    "todo.search": { query: "t" },
    "calendar.search": { query: "i" },
    "calendar.guests": { id: fixture.db.all(guests)[0]?.event },
  };

  test.each(lists.map(({ path }) => path))(
    "the pages of %s together have every item exactly once, for every page size",
    (path) => {
      const args = needed[path] ?? {};
      const whole = fixture.all(path, { ...args, size: 20 });
      expect(whole.length).toBeGreaterThan(0);
      for (const size of [1, 3, 5, 7]) expect(fixture.all(path, { ...args, size })).toEqual(whole);
      const first = fixture.item(path, args)["items"];
      expect(first).toEqual(whole.slice(0, 5));
      const beyond = { ...args, page: whole.length + 1, size: 1 };
      expect(fixture.call(path, beyond)).toEqual({ items: [], more: false });
    },
  );

  test("most list APIs have more items than fit on one page", () => {
    const long = lists.filter(({ path }) => fixture.all(path, needed[path] ?? {}).length > 5);
    expect(long.length / lists.length).toBeGreaterThan(0.7);
  });
});

test("every list item starts with the field that identifies it and has at most six fields", () => {
  for (const { path, api } of lists) {
    const page = z.toJSONSchema(api.returns, { io: "output" }) as unknown as PageSchema;
    const fields = Object.keys(page.properties.items.items.properties);
    expect(["name", "text", "subject", "note", "title"], path).toContain(fields[0]);
    expect(fields.length, path).toBeLessThanOrEqual(6);
  }
});

test("every parameter has a description and every summary is one sentence", () => {
  for (const { path, api, params } of apis) {
    expect(api.summary, path).toMatch(/^[A-Z].*\.$/);
    for (const [name, field] of Object.entries(params.properties ?? {})) {
      expect((field as Described).description, `${path}: ${name}`).toMatch(/\w/);
    }
  }
});

test("the README lists every API with its parameters", () => {
  const readme = readFileSync(new URL("./README.md", import.meta.url), "utf8");
  const stated = readme.match(/(?<=^- `)\w+\.\w+\(.*?\)(?=`)/gm)?.toSorted();
  const actual = apis.map(({ path, params, names }) => {
    const own = names.filter((name) => name !== "page" && name !== "size");
    const shown = own.map((name) => (isRequired(params, name) ? name : `${name}?`));
    const list = [...shown, ...(names.includes("page") ? ["...page"] : [])].join(", ");
    return `${path}(${list ? `{ ${list} }` : "{}"})`;
  });
  expect(stated).toEqual(actual.toSorted());
});

function isRequired(params: { readonly required?: readonly string[] }, name: string): boolean {
  return params.required?.includes(name) ?? false;
}
