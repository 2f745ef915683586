/** Archives there and back, and by the system's own `tar`. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { filesOfTar, tarOf } from "./tar.ts";

const folder = mkdtempSync(join(tmpdir(), "bowline-tar-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const files = [0, 1, 511, 512, 513, 5000].map((size) => ({
  name: `file-${size}.bin`,
  data: Buffer.from(Uint8Array.from({ length: size }, (_, i) => i * 7)),
}));

test("what was packed is unpacked", () => {
  expect(filesOfTar(tarOf(files))).toEqual(files);
  expect(filesOfTar(tarOf([]))).toEqual([]);
});

test("other programs read it, and theirs is read", () => {
  writeFileSync(join(folder, "ours.tar"), tarOf(files));
  execFileSync("tar", ["-xf", "ours.tar"], { cwd: folder });
  for (const { name, data } of files) expect(readFileSync(join(folder, name))).toEqual(data);
  execFileSync("tar", ["-cf", "theirs.tar", "./file-513.bin", "./file-0.bin"], { cwd: folder });
  const names = filesOfTar(readFileSync(join(folder, "theirs.tar"))).map(({ name }) => name);
  expect(names).toEqual(["file-513.bin", "file-0.bin"]);
});

test("what is no archive, or not a whole one, is refused", () => {
  const whole = tarOf(files);
  expect(() => filesOfTar(Buffer.from("<html>".repeat(200)))).toThrow(/no tar archive/);
  expect(() => filesOfTar(whole.subarray(0, whole.length - 3000))).toThrow(/has no end: torn/);
  expect(() => filesOfTar(new Uint8Array())).toThrow(/has no end/);
});
