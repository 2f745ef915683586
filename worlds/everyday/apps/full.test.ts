/** Tests of what holds for all APIs of the fourteen apps. */
import { appsUnderTest } from "bowline/testing";
import {
  type Api,
  type Reader,
  Rng,
  resolveDials,
  type Table,
  type TableRow,
  z,
} from "bowline/world";
import { describe, expect, test } from "vitest";
import everyday from "../everyday.ts";
import { OWNER } from "../tests/owner.ts";
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

/** Flags that can take a row out of lists. */
const HIDING =
  "hidden trashed removed cancelled closed ended left withdrawn undone struck uninvited".split(" ");

const HIDING_STATES = [
  ["files.files", "state", "trashed"],
  ["files.files", "state", "left"],
  ["notes.traits", "state", "archived"],
  ["notes.traits", "state", "trashed"],
  ["mail.mails", "folder", "trash"],
] as const;

/** The words with which a summary says that it leaves something out. */
const SAYS_SO =
  /left out|neither|in the trash|archived notes|outside the trash|open|waiting|removed|cancelled|declined|pending|ahead|series/;

describe("a list", () => {
  const withoutLogins = fullApps.map((app) => ({ ...app, login: false }));
  const apps = appsUnderTest(withoutLogins, { now: everyday.now, owner: OWNER });
  const tables = apps.fill((db) => everyday.populate(db, new Rng(1), resolveDials({})));
  const { db: start } = apps.open(tables);

  type FlagRow = TableRow & { readonly [flag: string]: unknown };
  /** States that can take a row out of lists. */
  const states = fullApps.flatMap((app) =>
    app.tables.flatMap((table) =>
      HIDING_STATES.filter(([name]) => name === table.name).map(([, column, value]) => ({
        ...{ app: app.name, table: table as Table<FlagRow>, column, value },
      })),
    ),
  );
  const flags = fullApps.flatMap((app) =>
    app.tables.flatMap((table) => {
      const [row] = start.all(table as Table<FlagRow>);
      const columns = HIDING.filter((column) => typeof row?.[column] === "boolean");
      return columns.map((column) => ({
        ...{ app: app.name, table: table as Table<FlagRow>, column, value: true },
      }));
    }),
  );

  /** Returns the arguments of the API's example that it needs. */
  function neededArguments(api: Api, db: Reader) {
    const { required = [] } = z.toJSONSchema(api.params, { io: "input" });
    const all = api.example?.(db) ?? {};
    return Object.fromEntries(Object.entries(all).filter(([name]) => required.includes(name)));
  }

  const lists = apis.filter(({ params }) => "page" in params);

  test("there are flags that can take rows out of lists", () => {
    expect(flags.length).toBeGreaterThan(20);
    expect(lists.length).toBeGreaterThan(100);
  });

  test("says in its documentation that it leaves something out, when it does", () => {
    const silent = lists.flatMap(({ path, api }) => {
      if (SAYS_SO.test(api.summary)) return [];
      const args = neededArguments(api, start);
      const before = apps.open(tables).all(path, args).length;
      return [...flags, ...states]
        .filter(({ app }) => path.startsWith(`${app}.`))
        .filter(({ table, column, value }) => {
          const session = apps.open(tables);
          for (const { id } of session.db.all(table)) {
            session.db.update(table, id, { [column]: value });
          }
          try {
            return session.all(path, args).length < before;
          } catch {
            return false;
          }
        })
        .map(({ table, column, value }) => `${path} leaves out ${table.name}, ${column} ${value}`);
    });
    expect(silent).toEqual([]);
  });
});
