/** Tests notes and tags of runs, which are files of the studio's own beside the run, and never in it. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { allNotesSchema, runNotesSchema } from "../../spec/studio/index.ts";
import { createMemoryFolder } from "../../testing/fake-makers.ts";
import { createApi } from "./routes.ts";
import { noteRoutes } from "./run-notes.ts";
import { openRuns } from "./runs/index.ts";

let root: string;
beforeEach(() => {
  root = createMemoryFolder("bowline-studio-notes-");
  mkdirSync(join(root, "deep", "run"), { recursive: true });
  writeFileSync(join(root, "deep", "run", "run.json"), '{"config":{}}');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function request(method: string, path: string, body?: unknown, folder = root) {
  const api = createApi(noteRoutes(openRuns(folder)));
  const reply = await api({
    ...{ method, path: path.split("/").map(decodeURIComponent), query: new URLSearchParams() },
    ...{ signal: new AbortController().signal, json: async () => body },
  });
  return (reply as { json: unknown }).json;
}
const RUN = "runs/deep%2Frun/notes";
const SAID = { tags: ["good", "basis"], note: "the first that learned \u202e\n" };

test("notes are kept beside the run, also for a studio that is opened on the run itself", async () => {
  expect(await request("GET", RUN)).toEqual({ tags: [], note: "" });
  const written = runNotesSchema.parse(await request("POST", RUN, SAID));
  expect(written.tags).toEqual(["basis", "good"]);
  expect(await request("GET", RUN)).toEqual(written);
  expect(allNotesSchema.parse(await request("GET", "notes")).runs).toEqual({ "deep/run": written });
  expect(await request("GET", "runs/run/notes", undefined, join(root, "deep", "run"))).toEqual(
    written,
  );
  expect(readdirSync(join(root, "deep", "run"))).toEqual(["run.json"]);
  expect(readdirSync(join(root, "deep", ".bowline", "run"))).toEqual(["notes.json"]);
  await request("POST", RUN, { tags: [], note: " " });
  expect(await request("GET", "notes")).toEqual({ runs: {} });
});

test("a damaged file of notes is said, and is not overwritten", async () => {
  await request("POST", RUN, SAID);
  const path = join(root, "deep", ".bowline", "run", "notes.json");
  writeFileSync(path, '{"tags":["goo');
  expect(await request("GET", RUN)).toMatchObject({ problem: expect.stringMatching(/notes.json/) });
  await expect(request("POST", RUN, SAID)).rejects.toMatchObject({ status: 409 });
  expect(readFileSync(path, "utf8")).toBe('{"tags":["goo');
});

test.each([".bowline", ".bowline/run"])("a link at %s is not followed", async (link) => {
  const outside = createMemoryFolder("bowline-studio-outside-");
  mkdirSync(join(outside, "run"));
  writeFileSync(join(outside, "run", "notes.json"), '{"tags":["secret"],"note":""}');
  writeFileSync(join(outside, "notes.json"), '{"tags":["secret"],"note":""}');
  mkdirSync(join(root, "deep", link, ".."), { recursive: true });
  symlinkSync(outside, join(root, "deep", link));
  expect(JSON.stringify(await request("GET", RUN))).not.toContain("secret");
  await expect(request("POST", RUN, SAID)).rejects.toMatchObject({ status: 409 });
  expect(readdirSync(outside).sort()).toEqual(["notes.json", "run"]);
  expect(existsSync(join(outside, "forks"))).toBe(false);
  rmSync(outside, { recursive: true });
});

test.each([
  [{ tags: ["a b"], note: "" }, /tags\.0: expected letters/],
  [{ tags: [], note: 7 }, /note: /],
  [{ tags: [], note: "", more: 1 }, /more/],
])("a wrong request is refused: %j", async (body, message) => {
  await expect(request("POST", RUN, body)).rejects.toMatchObject({
    status: 400,
    message: expect.stringMatching(message),
  });
});
