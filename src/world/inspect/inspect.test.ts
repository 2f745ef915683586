/** Tests what a person can see of worlds and episodes, and that looking changes nothing. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { packageModuleUrl } from "../../../tests/support/package-module.ts";
import { THIS_CALL } from "../../core/index.ts";
import { builtInWorlds } from "../../worlds/index.ts";
import { defineTable, type Table } from "../define.ts";
import { loadDefinition } from "../episode/index.ts";
import { inspectWorld, type WorldInspector, WorldInstance } from "../index.ts";
import { TableCatalog } from "../state/index.ts";
import { markComparedChanges } from "./episode-inspection.ts";

const TOY = packageModuleUrl("worlds/toy/toy.ts");
const STARTER = builtInWorlds["everyday/starter"]!.url.href;
const MOVE = "train/3/1";
const PAGE = { offset: 0, limit: 100, find: "" };
const LOOK = `var box = ["red","blue","green","pink"].find(box => apis.shelf.list({ box }).length)`;

describe("inspecting the toy world", () => {
  let world: WorldInspector;
  beforeAll(async () => {
    world = await inspectWorld(TOY, { origin: THIS_CALL, seed: 1, wallClockMs: 1000 });
  });
  afterAll(() => world.close());

  test("a step reports the answers and changes of its calls in addition to its usual result", async () => {
    const [seen, plain] = [await world.open(MOVE), await world.open(MOVE)];
    const code = `apis.shelf.put({ item: "cup", box: "red" }); apis.shelf.put({ item: "hat" })`;
    const { result, calls } = await seen.inspectStep(code);
    expect(result).toEqual(await plain.step(code));
    expect(calls.map(({ api, status, answer }) => [api, status, answer])).toEqual([
      ["put", 200, { id: 2 }],
      ["put", 422, expect.stringContaining('parameter "item"')],
    ]);
    const after = { id: 2, item: "cup", box: "red", wrapped: false };
    const columns = ["item", "box", "wrapped"];
    const change = { table: "shelf.things", id: 2, kind: "insert", after, content: true, columns };
    expect(calls.map(({ changes }) => changes)).toEqual([[change], []]);
    expect(await seen.state()).toEqual({ changes: [change], now: "2026-01-05T09:00:02Z" });
    expect((await seen.table("shelf.things", PAGE)).total).toBe(2);
    expect((await world.table("shelf.things", PAGE)).total).toBe(0);
  });

  test("a fork has its own state, which says how the agent ended the task", async () => {
    const episode = await world.open(MOVE);
    await episode.inspectStep(LOOK);
    const fork = await episode.fork();
    await fork.inspectStep(`apis.me.finishTask({ answer: box })`);
    expect((await fork.state()).finish).toMatchObject({ status: "done" });
    expect((await episode.state()).finish).toBeUndefined();
    await fork.close();
    await expect(fork.inspectStep("1")).rejects.toThrow(/episode of train\/3\/1 is closed/);
  });

  test("a cell that a loop inside a built-in function used up keeps its calls, and the world goes on", async () => {
    const episode = await world.open(MOVE);
    const stuck = `apis.shelf.put({ item: "pen", box: "red" }); Array.prototype.includes.call({ length: 1e12 }, 1)`;
    const { result, calls } = await episode.inspectStep(stuck);
    expect(result.limit).toBe("fuel");
    expect(calls).toMatchObject([{ api: "put", status: 200 }]);
    expect((await episode.state()).changes).toHaveLength(1);
  });

  test("when the answers of a step are too long together, further answers are replaced by their length", async () => {
    const episode = await world.open(MOVE);
    const { calls } = await episode.inspectStep(
      `for (let i = 0; i < 2000; i++) apis.docs.showApi({ app: "shelf", api: "move" })`,
    );
    expect(calls.length).toBeGreaterThan(100);
    expect(JSON.stringify(calls).length).toBeLessThan(2_000_000);
    expect(calls[0]!.answer).toMatchObject({ summary: expect.any(String) });
  });

  test("a task shows its intended changes, and its solution makes exactly these", async () => {
    const { intended, outcome, checks, hasSolution } = await world.task(MOVE);
    expect(intended).toMatchObject([{ table: "shelf.things", kind: "update", content: true }]);
    expect([outcome, hasSolution]).toEqual([{}, true]);
    const solved = await world.solve(MOVE);
    expect(solved.evaluation.checks.map(({ name }) => name)).toEqual(
      checks.map(({ name }) => name),
    );
    expect(solved.evaluation.passed).toBe(true);
  });

  test("an error for an unknown app, table or task names it", async () => {
    await expect(world.app("shelv")).rejects.toThrow(/no app "shelv" \(did you mean shelf\?\)/);
    await expect(world.table("things", PAGE)).rejects.toThrow(/no table "things".*shelf.things/);
    await expect(world.task("train/0/4")).rejects.toThrow(/there is no task/);
    await expect(world.open("nowhere")).rejects.toThrow(/there is no task/);
  });
});

describe("inspecting the world everyday/starter", () => {
  let world: WorldInspector;
  beforeAll(async () => {
    world = await inspectWorld(STARTER, { origin: THIS_CALL, seed: 1 });
  });
  afterAll(() => world.close());

  test("the documentation is the same as an agent prints", async () => {
    const look = await world.overview();
    const apps = await Promise.all(look.apps.map(({ name }) => world.app(name)));
    expect(apps.map(({ apis }) => apis.length)).toEqual(look.apps.map(({ apis }) => apis));
    const [app] = apps.filter(({ name }) => name === "mail");
    const api = app!.apis[0]!;
    const episode = await world.open("dev/0/1");
    const code = `print(apis.docs.showApi({ app: "mail", api: "${api.name}" }))`;
    const { result } = await episode.inspectStep(code);
    expect(result.stdout.trim()).toBe(api.text);
    expect(api.parameters.length).toBeGreaterThan(0);
  });

  test("tables come in pages, can be searched, and say the role of each column", async () => {
    const all = await world.table("contacts.people", { ...PAGE, limit: 5 });
    expect(all.rows).toHaveLength(5);
    const [, second] = all.rows;
    const found = await world.table("contacts.people", { ...PAGE, find: String(second!["name"]) });
    expect(found.rows).toContainEqual(second);
    expect(found.total).toBeLessThan(all.total);
    const { columns } = await world.table("mail.mails", PAGE);
    const findColumn = (name: string) => columns.find((column) => column.name === name);
    expect(findColumn("id")).toMatchObject({ role: "id" });
    expect(findColumn("unread")).toMatchObject({ role: "bookkeeping" });
    expect(findColumn("person")).toMatchObject({ role: "content", refers: "contacts.people" });
  });

  test("changes of bookkeeping columns and changes of content are reported differently", async () => {
    const episode = await world.open("dev/0/1");
    const { calls } = await episode.inspectStep(
      "apis.mail.show({ id: apis.mail.list({ unread: true }).items[0].id })",
    );
    const changes = calls.flatMap((call) => call.changes);
    expect(changes.map(({ table, content }) => [table, content])).toEqual([["mail.mails", false]]);
  });

  test("the pages of tasks together contain all of the world's tasks", async () => {
    const definition = await loadDefinition(STARTER, THIS_CALL);
    const instance = new WorldInstance(definition, 1);
    const { total, tasks } = await world.tasks("dev", { offset: 4, limit: 7 });
    expect(tasks).toEqual(instance.tasks("dev", 4).slice(4, 11));
    expect(total).toBe(3 * definition.scenarios.dev!);
    expect(await world.tasks("handmade", { offset: 0, limit: 9 })).toEqual({ total: 0, tasks: [] });
    expect((await world.tasks("dev", { offset: total, limit: 9 })).tasks).toEqual([]);
  });
});

test("changes of free text carry the form that checks compare", () => {
  const notes = defineTable<{ id: number; title: string; text: string }>("notes.notes", {
    loose: ["text"],
  });
  const catalog = new TableCatalog([notes as Table]);
  const after = { id: 1, title: "A.", text: "It costs $87.21." };
  const insert = { table: "notes.notes", id: 1, kind: "insert" as const, after };
  expect(markComparedChanges(catalog, [insert], new Set())).toEqual([
    { ...insert, content: true, columns: ["title", "text"], texts: { text: "itcosts$87.21" } },
  ]);
});
