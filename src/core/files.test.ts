import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import {
  createFolder,
  listNames,
  readBytes,
  readCheckedLines,
  readFittingLines,
  readJson,
  readJsonLines,
  readText,
  writeJson,
} from "./files.ts";

const root = mkdtempSync(join(tmpdir(), "bowline-files-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const path = join(root, "lines.jsonl");
const schema = z.object({ n: z.number() });

test("an error about a line has the line's number in the file, where blank lines count", () => {
  writeFileSync(path, '{"n":1}\n\n{"n":"two"}\n');
  expect(() => readCheckedLines(path, schema)).toThrow(/lines\.jsonl:3 is damaged: n: /);
  writeFileSync(path, '\n{"n":1}\n{"n":\n');
  expect(() => readJsonLines(path)).toThrow(/lines\.jsonl:3 is damaged: .*JSON/);
});

test.skipIf(process.platform === "win32")(
  "a link in the place of a temporary file is not followed",
  () => {
    const other = join(root, "other.txt");
    writeFileSync(other, "mine");
    symlinkSync(other, join(root, "a.json.partial"));
    expect(() => writeJson(join(root, "a.json"), {})).toThrow(/cannot write .*a\.json/);
    expect(readFileSync(other, "utf8")).toBe("mine");
    writeJson(join(root, "a.json"), {});
    expect(readFileSync(other, "utf8")).toBe("mine");
  },
);

test("lines that do not fit are skipped where that is asked for, also a torn one before the last", () => {
  writeFileSync(path, '{"n":1}\n{"n":{"n":2}\n{"n":"3"}\n\n{"n":4}\n{"n":');
  expect(readFittingLines(path, schema)).toEqual([{ n: 1 }, { n: 4 }]);
  expect(readFittingLines(join(root, "nowhere"), schema)).toEqual([]);
});

test("an incomplete last line is left out", () => {
  writeFileSync(path, '{"n":1}\n{"n":2}\n{"n":');
  expect(readCheckedLines(path, schema)).toEqual([{ n: 1 }, { n: 2 }]);
});

test("a folder is created with its parents, and an impossible one is refused at once", () => {
  createFolder(join(root, "a", "b"));
  createFolder(join(root, "a", "b"));
  writeFileSync(join(root, "a", "b", "file"), "");
  expect(() => createFolder(join(root, "a", "b", "file"))).toThrow("EEXIST");
  expect(() => createFolder(join(root, "a", "b", "file", "c"))).toThrow("ENOTDIR");
});

test.runIf(existsSync("/proc/self"))("writing under /proc ends with an error", () => {
  expect(() => writeJson("/proc/x/y.json", {})).toThrow(/cannot write \/proc\/x\/y\.json: ENOENT/);
});

test("a file and a folder that cannot be read are named", () => {
  const missing = join(root, "nowhere");
  for (const read of [readText, readBytes, listNames, readJson]) {
    expect(() => read(missing)).toThrow(`cannot read ${missing}: ENOENT`);
  }
  // A folder is no file, so reading its bytes fails after it was found.
  expect(() => readJsonLines(root)).toThrow(`cannot read ${root}: EISDIR`);
});
