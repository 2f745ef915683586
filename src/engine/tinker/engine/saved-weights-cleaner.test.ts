/** Tests which saved weights stay on the server for a resume, and when the others are deleted. */
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

test("keeps the newest three saves of each folder and deletes older ones", async () => {
  const keeping = createCleaner();
  keeping.recordSave("warm", "warm");
  recordSaves(keeping, "1", "2", "3");
  await keeping.waitForDeletions();
  expect(deleted).toEqual([]);
  recordSaves(keeping, "4", "5");
  await keeping.waitForDeletions();
  expect(deleted).toEqual(["1", "2"]);
});

test("keeps the save that a killed program resumes from, even after newer saves", async () => {
  recordSaves(createCleaner(root), "1", "2", "3"); // Save 3 never replaced the folder.
  const keeping = createCleaner(root);
  keeping.recordLoad("2");
  recordSaves(keeping, "3'"); // The program is killed again before this save replaces the folder, so save 2 must be kept.
  await keeping.waitForDeletions();
  const next = createCleaner(root);
  next.recordLoad("2");
  recordSaves(next, "3", "4");
  await next.waitForDeletions();
  expect(deleted).toEqual(["1", "3'"]);
});

test("counts a repeated save of the same path once", async () => {
  const keeping = createCleaner();
  recordSaves(keeping, "1", "2", "2", "2", "3");
  await keeping.waitForDeletions();
  expect(deleted).toEqual([]);
});

test("deletes a replaced reference at once, or three saves later when calls can be repeated", async () => {
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
  keeping.recordReference("a"); // The recorded call is repeated.
  recordSaves(keeping, "3");
  await keeping.waitForDeletions();
  expect(deleted).toEqual([]);
  keeping.recordReference("b");
  recordSaves(keeping, "3", "3", "3");
  await keeping.waitForDeletions();
  expect(deleted).toEqual(["a"]);
});

test("tries a deletion again when the server did not answer, also after a restart, but not after a refusal", async () => {
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
