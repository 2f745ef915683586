/** Which of the weights on the server a resume may still want, and what becomes of the rest. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { TinkerError } from "../client/index.ts";
import { Housekeeping } from "./saved-weights-cleaner.ts";

let root: string;
let deleted: string[];
let refuses: TinkerError | undefined;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "bowline-housekeeping-"));
  deleted = [];
  refuses = undefined;
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const remove = async (path: string) => {
  if (refuses) throw refuses;
  deleted.push(path);
};
const open = (directory?: string) => new Housekeeping(remove, directory);
const save = (keeping: Housekeeping, ...paths: string[]) => {
  for (const path of paths) keeping.saved("latest.next", path);
};

test("of each folder the newest saves are kept", async () => {
  const keeping = open();
  keeping.saved("warm", "warm");
  save(keeping, "1", "2", "3");
  await keeping.settled();
  expect(deleted).toEqual([]);
  save(keeping, "4", "5");
  await keeping.settled();
  expect(deleted).toEqual(["1", "2"]);
});

test("what a killed program goes on from outlives what it had saved after", async () => {
  save(open(root), "1", "2", "3"); // And 3 never took its place.
  const keeping = open(root);
  keeping.loaded("2");
  save(keeping, "3'"); // Killed again before it takes its place, so 2 must be there.
  await keeping.settled();
  const next = open(root);
  next.loaded("2");
  save(next, "3", "4");
  await next.settled();
  expect(deleted).toEqual(["1", "3'"]);
});

test("a repeated save is the same save", async () => {
  const keeping = open();
  save(keeping, "1", "2", "2", "2", "3");
  await keeping.settled();
  expect(deleted).toEqual([]);
});

test("a reference goes when it is replaced, or, where calls are repeated, some saves later", async () => {
  const fleeting = open();
  fleeting.referenced("a");
  fleeting.referenced("b");
  await fleeting.settled();
  expect(deleted).toEqual(["a"]);
  fleeting.dereferenced();
  await fleeting.settled();
  expect(deleted.splice(0)).toEqual(["a", "b"]);

  open(root).referenced("a");
  const keeping = open(root);
  save(keeping, "1", "2");
  keeping.referenced("a"); // The recorded call again.
  save(keeping, "3");
  await keeping.settled();
  expect(deleted).toEqual([]);
  keeping.referenced("b");
  save(keeping, "3", "3", "3");
  await keeping.settled();
  expect(deleted).toEqual(["a"]);
});

test("no answer is asked for again, by the next program too; a refusal is final", async () => {
  const keeping = open(root);
  refuses = new TinkerError("unreachable", "away");
  save(keeping, "1", "2", "3", "4");
  await keeping.settled();
  refuses = undefined;
  const next = open(root);
  save(next, "5");
  await next.settled();
  expect(deleted.splice(0)).toEqual(["1", "2"]);
  refuses = new TinkerError("missing", "no such route");
  save(next, "6");
  await next.settled();
  refuses = undefined;
  save(next, "7");
  await next.settled();
  expect(deleted).toEqual(["4"]);
});
