/** Which of the weights on the server a resume may still want, and what becomes of the rest. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { TinkerError } from "../client/index.ts";
import { SavedWeightsCleaner } from "./saved-weights-cleaner.ts";

let root: string;
let deleted: string[];
let refusal: TinkerError | undefined;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "bowline-housekeeping-"));
  deleted = [];
  refusal = undefined;
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const deleteWeights = async (path: string) => {
  if (refusal) throw refusal;
  deleted.push(path);
};
const createCleaner = (directory?: string) => new SavedWeightsCleaner(deleteWeights, directory);
const recordSaves = (keeping: SavedWeightsCleaner, ...paths: string[]) => {
  for (const path of paths) keeping.recordSave("latest.next", path);
};

test("of each folder the newest saves are kept", async () => {
  const keeping = createCleaner();
  keeping.recordSave("warm", "warm");
  recordSaves(keeping, "1", "2", "3");
  await keeping.waitForDeletions();
  expect(deleted).toEqual([]);
  recordSaves(keeping, "4", "5");
  await keeping.waitForDeletions();
  expect(deleted).toEqual(["1", "2"]);
});

test("what a killed program goes on from outlives what it had saved after", async () => {
  recordSaves(createCleaner(root), "1", "2", "3"); // And 3 never took its place.
  const keeping = createCleaner(root);
  keeping.recordLoad("2");
  recordSaves(keeping, "3'"); // Killed again before it takes its place, so 2 must be there.
  await keeping.waitForDeletions();
  const next = createCleaner(root);
  next.recordLoad("2");
  recordSaves(next, "3", "4");
  await next.waitForDeletions();
  expect(deleted).toEqual(["1", "3'"]);
});

test("a repeated save is the same save", async () => {
  const keeping = createCleaner();
  recordSaves(keeping, "1", "2", "2", "2", "3");
  await keeping.waitForDeletions();
  expect(deleted).toEqual([]);
});

test("a reference goes when it is replaced, or, where calls are repeated, some saves later", async () => {
  const fleeting = createCleaner();
  fleeting.recordReference("a");
  fleeting.recordReference("b");
  await fleeting.waitForDeletions();
  expect(deleted).toEqual(["a"]);
  fleeting.dropReference();
  await fleeting.waitForDeletions();
  expect(deleted.splice(0)).toEqual(["a", "b"]);

  createCleaner(root).recordReference("a");
  const keeping = createCleaner(root);
  recordSaves(keeping, "1", "2");
  keeping.recordReference("a"); // The recorded call again.
  recordSaves(keeping, "3");
  await keeping.waitForDeletions();
  expect(deleted).toEqual([]);
  keeping.recordReference("b");
  recordSaves(keeping, "3", "3", "3");
  await keeping.waitForDeletions();
  expect(deleted).toEqual(["a"]);
});

test("no answer is asked for again, by the next program too; a refusal is final", async () => {
  const keeping = createCleaner(root);
  refusal = new TinkerError("unreachable", "away");
  recordSaves(keeping, "1", "2", "3", "4");
  await keeping.waitForDeletions();
  refusal = undefined;
  const next = createCleaner(root);
  recordSaves(next, "5");
  await next.waitForDeletions();
  expect(deleted.splice(0)).toEqual(["1", "2"]);
  refusal = new TinkerError("missing", "no such route");
  recordSaves(next, "6");
  await next.waitForDeletions();
  refusal = undefined;
  recordSaves(next, "7");
  await next.waitForDeletions();
  expect(deleted).toEqual(["4"]);
});
