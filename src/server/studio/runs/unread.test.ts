/** Tests what a studio says of folders that it did not search, and of lines that it cannot read. */
import { appendFileSync, mkdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { packageModuleUrl } from "../../../../tests/support/package-module.ts";
import { writeToyRun } from "../../../../tests/support/toy-run.ts";
import { damageSchema, runListSchema } from "../../../spec/studio/index.ts";
import { createMemoryFolder } from "../../../testing/fake-makers.ts";
import { openWorld } from "../../../world/index.ts";
import { createApi } from "../routes.ts";
import { openRuns, runRoutes } from "./index.ts";

let root: string;
beforeEach(() => {
  root = createMemoryFolder("bowline-studio-unread-");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function get(path: string): Promise<unknown> {
  const reply = await createApi(runRoutes(openRuns(root)))({
    ...{ method: "GET", path: path.split("/"), query: new URLSearchParams() },
    ...{ signal: new AbortController().signal, json: async () => undefined },
  });
  return (reply as { json: unknown }).json;
}

function makeRun(name: string): void {
  mkdirSync(join(root, name), { recursive: true });
  writeFileSync(join(root, name, "run.json"), '{"config":{}}');
}

test("runs and folders that lie too deep are said, with the first of them", async () => {
  makeRun("a/b/c");
  const listed = async () => runListSchema.parse(await get("runs"));
  expect(await listed()).toMatchObject({ runs: [{ id: "a/b/c" }] });
  expect((await listed()).unsearched).toBeUndefined();
  for (const name of ["d1", "d2", "d3", "d4"]) makeRun(`a/b/d/${name}`);
  mkdirSync(join(root, "a", "b", "d", "empty", "more"), { recursive: true });
  mkdirSync(join(root, "a", "b", "d", ".hidden"));
  const { runs, unsearched } = await listed();
  expect(runs.map(({ id }) => id)).toEqual(["a/b/c"]);
  expect(unsearched).toMatchObject({ depth: 3, deepRunCount: 4, folders: 1, stopped: false });
  expect(unsearched!.deepRuns).toHaveLength(3);
  expect(unsearched!.deepRuns.every((id) => id.startsWith("a/b/d/d"))).toBe(true);
});

test("lines that cannot be read and files that end within a line are counted by file", async () => {
  const world = await openWorld(packageModuleUrl("worlds/toy/toy.ts"), { seed: 1 });
  await writeToyRun(join(root, "run"), world);
  await world.close();
  const damage = async () => damageSchema.parse(await get("runs/run/damage")).files;
  expect(await damage()).toEqual([]);
  const file = join(root, "run", "rollouts", "train-0001.jsonl");
  appendFileSync(file, '7\n{"id":"x"}\n');
  const name = "rollouts/train-0001.jsonl";
  expect(await damage()).toEqual([{ file: name, unreadable: 2, readable: 1, torn: false }]);
  appendFileSync(file, '{"version":1,"id":"half');
  expect(await damage()).toMatchObject([{ file: name, unreadable: 2, torn: true }]);
  truncateSync(file, 100);
  writeFileSync(join(root, "run", "metrics.jsonl"), '{"phase":"loop","step":1}\nnot json\n{"pha');
  expect(await damage()).toEqual([
    { file: "metrics.jsonl", unreadable: 1, readable: 1, torn: true },
    { file: name, unreadable: 0, readable: 0, torn: true },
  ]);
});
