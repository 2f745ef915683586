import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { ApiError, defineApi, defineApp, defineTable } from "../define.ts";
import { FrozenTables, TableState } from "../state/index.ts";
import { ApiDispatcher, type EpisodeSession, readFinish } from "./index.ts";
import { accounts } from "./me.ts";

type Note = {
  readonly id: number;
  readonly title: string;
  readonly stars: number;
  readonly read: boolean;
};
const notes = defineTable<Note>("notes.notes", { classes: { read: "bookkeeping" } });
const params = z.strictObject({
  title: z.string().min(1).describe("a title"),
  stars: z.int().min(0).max(5).default(0).describe("how good it is"),
});

const app = defineApp({
  name: "notes",
  summary: "Notes.",
  tables: [notes],
  apis: {
    add: defineApi({
      summary: "Write a note.",
      params,
      returns: z.object({ id: z.int() }),
      handler: ({ db }, args) => db.insert(notes, { ...args, read: false }),
    }),
    read: defineApi({
      summary: "Read a note.",
      params: z.strictObject({ id: z.int().describe("the note") }),
      returns: z.object({ title: z.string() }),
      handler: ({ db }, { id }) => {
        const note = db.get(notes, id);
        if (!note) throw new ApiError(404, `there is no note ${id}`);
        return db.update(notes, id, { read: true });
      },
    }),
    addTwo: defineApi({
      summary: "Write two notes, but fail in between, in one of several ways.",
      params: z.strictObject({ how: z.enum(["api", "bug", "return"]).describe("how to fail") }),
      returns: z.object({ id: z.int() }),
      handler: ({ db }, { how }) => {
        db.insert(notes, { title: "first", stars: 0, read: false });
        if (how === "api") throw new ApiError(409, "it is full");
        if (how === "bug") throw new TypeError("oops");
        return { id: "not a number" as unknown as number };
      },
    }),
    when: defineApi({
      summary: "Tell the time.",
      params: z.strictObject({}),
      returns: z.string(),
      handler: ({ now }) => now,
    }),
  },
});

const owner = { name: "Ida", email: "ida@x.example", phone: "1" };
const dispatcher = new ApiDispatcher([app], "2026-01-05T09:00:00Z");
let session: EpisodeSession;
const call = (app: string, api: string, args?: unknown) =>
  dispatcher.call(session, owner, app, api, args);
const errorMessageOf = (app: string, api: string, args?: unknown) => {
  const result = call(app, api, args);
  return "message" in result ? `${result.status} ${result.message}` : "200";
};

beforeEach(() => {
  const population = new TableState(FrozenTables.empty(dispatcher.catalog.tables));
  population.insert(notes, { title: "old", stars: 1, read: false });
  for (let i = 0; i < 45; i++)
    population.insert(accounts, { app: `a${i}`, username: "ida", password: "p" });
  session = { state: new TableState(population.toFrozenTables()), calls: 0 };
});

describe("an API call", () => {
  test("an API call returns what its definition promises, and says whether it wrote content", () => {
    expect(call("notes", "add", { title: "new" })).toMatchObject({
      status: 200,
      value: { id: 2 },
      wrote: true,
    });
    expect(call("notes", "read", { id: 2 })).toMatchObject({
      status: 200,
      value: { title: "new" },
      wrote: false,
    });
    expect(session.state.get(notes, 2)).toEqual({ id: 2, title: "new", stars: 0, read: true });
  });

  test("an API call with wrong arguments is refused; the error names the parameter, what was expected, what came, and the nearest name", () => {
    expect(errorMessageOf("notes", "add", {})).toBe(
      '422 notes.add needs parameter "title": string >= 1 characters (a title)',
    );
    expect(errorMessageOf("notes", "add", { title: 3, stars: 9 })).toBe(
      '422 parameter "title" of notes.add: expected string >= 1 characters (a title), got 3; ' +
        'parameter "stars" of notes.add: expected integer >= 0 <= 5 (how good it is), got 9',
    );
    expect(errorMessageOf("notes", "add", { title: "x", star: 1 })).toBe(
      '422 notes.add has no parameter "star"; did you mean "stars"? the parameters are title, stars',
    );
    expect(errorMessageOf("notes", "add", "x")).toBe(
      '422 notes.add takes one object of named parameters, as in apis.notes.add({ title, stars }); got "x"',
    );
    expect(errorMessageOf("notes", "when", { zone: 1 })).toBe(
      '422 notes.when has no parameter "zone"; it takes none',
    );
    expect(errorMessageOf("notes", "ad")).toBe('404 notes has no API "ad"; did you mean "add"?');
    expect(errorMessageOf("note", "add")).toBe('404 there is no app "note"; did you mean "notes"?');
    expect(errorMessageOf("constructor", "add")).toMatch(
      /^404 there is no app "constructor"; there are docs, me, notes/,
    );
    expect(errorMessageOf("notes", "toString")).toMatch(/^404 notes has no API "toString"/);
    expect(session.state.all(notes)).toHaveLength(1);
  });

  test.each([
    ["api", "409 it is full"],
    ["bug", "500 notes.addTwo failed inside: oops"],
    ["return", /^500 notes.addTwo failed inside: its return value does not fit its type at "id"/],
  ])("an API call changes nothing when its handler fails (%s)", (how, expected) => {
    expect(errorMessageOf("notes", "addTwo", { how })).toMatch(expected);
    expect(session.state.all(notes)).toHaveLength(1);
    expect(call("notes", "add", { title: "x" })).toMatchObject({ value: { id: 2 } });
  });

  test("an API call moves the clock on by one second from the world's now, even if the call fails", () => {
    expect(call("notes", "when")).toMatchObject({ value: "2026-01-05T09:00:00Z" });
    call("notes", "nope");
    expect(call("notes", "when")).toMatchObject({ value: "2026-01-05T09:00:02Z" });
  });

  test("finishTask stores the answer, and no later call succeeds", () => {
    expect(readFinish(session.state)).toBeUndefined();
    expect(call("me", "finishTask", { answer: ["a", 2] })).toMatchObject({
      status: 200,
      wrote: false,
    });
    expect(readFinish(session.state)).toEqual({ status: "done", answer: ["a", 2] });
    expect(errorMessageOf("me", "finishTask")).toBe("409 the task is already finished");
    expect(errorMessageOf("notes", "add", { title: "x" })).toBe("409 the task is already finished");
    expect(session.state.all(notes)).toHaveLength(1);
  });

  test("names must be unique: a world with the app docs, or with two apps or tables of one name, is refused", () => {
    const makeEmptyApp = (name: string) => ({ ...app, name });
    expect(() => new ApiDispatcher([makeEmptyApp("me")], "2026-01-05")).toThrow(
      'the app name "me" is reserved',
    );
    expect(() => new ApiDispatcher([app, app], "2026-01-05")).toThrow(
      'two apps have the name "notes"',
    );
    const twin = { ...makeEmptyApp("other"), tables: [defineTable("notes.notes")] };
    expect(() => new ApiDispatcher([app, twin], "2026-01-05")).toThrow(
      'two tables have the name "notes.notes"',
    );
    expect(() => new ApiDispatcher([makeEmptyApp("My App")], "2026-01-05")).toThrow(
      '"My App" is not a valid name for an app',
    );
    const loose = { ...app.apis["when"]!, params: z.object({}) };
    expect(() => new ApiDispatcher([{ ...app, apis: { loose } }], "2026-01-05")).toThrow(
      "the params of notes.loose must be a z.strictObject",
    );
    expect(() => new ApiDispatcher([app], "noon")).toThrow(
      'must be an ISO instant in UTC, got "noon"',
    );
  });
});

describe("the apps docs and me", () => {
  const valueOfCall = (app: string, api: string, args?: unknown) => {
    const result = call(app, api, args);
    if (!("value" in result)) throw new Error(result.message);
    return result.value;
  };

  test("docs.showApi documents an API from its definition", () => {
    expect(valueOfCall("docs", "listApps")).toMatchObject({
      items: [{ name: "docs" }, { name: "me" }, { name: "notes", summary: "Notes." }],
      more: false,
    });
    expect(valueOfCall("docs", "listApis", { app: "notes" })).toMatchObject({
      items: [{ name: "add" }, { name: "read" }, { name: "addTwo" }, { name: "when" }],
    });
    expect(valueOfCall("docs", "showApi", { app: "notes", api: "add" })).toEqual({
      call: "apis.notes.add({ title, stars? })",
      summary: "Write a note.",
      params: [
        { name: "title", type: "string >= 1 characters", required: true, description: "a title" },
        {
          name: "stars",
          type: "integer >= 0 <= 5",
          required: false,
          default: 0,
          description: "how good it is",
        },
      ],
      returns: "{ id: integer }",
    });
    expect(errorMessageOf("docs", "showApi", { app: "notes", api: "ad" })).toBe(
      '404 notes has no API "ad"; did you mean "add"?',
    );
  });

  test("docs.search ranks a match in a name before a match in a summary", () => {
    const found = valueOfCall("docs", "search", { query: "write notes" }) as {
      items: { name: string }[];
    };
    expect(found.items.map(({ name }) => name).slice(0, 2)).toEqual(["notes.add", "notes.addTwo"]);
    expect(valueOfCall("docs", "search", { query: "zebra" })).toEqual({ items: [], more: false });
  });

  test("docs.showApi shows every API of every app", () => {
    for (const [app, apis] of Object.entries(dispatcher.apiNames)) {
      for (const api of apis) {
        expect(valueOfCall("docs", "showApi", { app, api })).toMatchObject({
          returns: expect.stringMatching(/./),
        });
      }
    }
  });

  test("the lists of the apps docs and me come in pages", () => {
    const sizes = [1, 2, 3, 4].map((page) => {
      const { items, more } = valueOfCall("me", "listAccounts", { page }) as {
        items: object[];
        more: boolean;
      };
      return [items.length, more];
    });
    expect(sizes).toEqual([
      [20, true],
      [20, true],
      [5, false],
      [0, false],
    ]);
    expect(valueOfCall("me", "profile")).toEqual(owner);
  });
});

test("a handler may return lists and rows that are readonly, as tables have them", () => {
  const names: readonly string[] = Object.freeze(["a"]);
  const api = defineApi({
    summary: "List names.",
    params: z.strictObject({}),
    returns: z.object({ names: z.array(z.string()), rows: z.array(z.object({ id: z.number() })) }),
    handler: ({ db }) => ({ names, rows: db.all(defineTable("x.rows")) }),
  });
  expect(api.summary).toBe("List names.");
});
