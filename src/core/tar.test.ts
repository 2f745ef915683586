/** Tests packing and unpacking archives, with our functions and with the system's `tar`. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { packTar, unpackTar } from "./tar.ts";

const folder = mkdtempSync(join(tmpdir(), "bowline-tar-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const files = [0, 1, 511, 512, 513, 5000].map((size) => ({
  name: `file-${size}.bin`,
  data: Buffer.from(Uint8Array.from({ length: size }, (_, i) => i * 7)),
}));

test("unpacking a packed archive returns the same files", () => {
  expect(unpackTar(packTar(files))).toEqual(files);
  expect(unpackTar(packTar([]))).toEqual([]);
});

test("the system's tar reads our archives, and we read its archives", () => {
  writeFileSync(join(folder, "ours.tar"), packTar(files));
  execFileSync("tar", ["-xf", "ours.tar"], { cwd: folder });
  for (const { name, data } of files) expect(readFileSync(join(folder, name))).toEqual(data);
  execFileSync("tar", ["-cf", "theirs.tar", "./file-513.bin", "./file-0.bin"], { cwd: folder });
  const names = unpackTar(readFileSync(join(folder, "theirs.tar"))).map(({ name }) => name);
  expect(names).toEqual(["file-513.bin", "file-0.bin"]);
});

test("no name in an archive leads to another folder", () => {
  const named = (name: string) => ({ name, data: Buffer.from("x") });
  const archive = packTar(["a/b/..", "..", ".", "../c", "..\\d", "C:\\e"].map(named));
  expect(unpackTar(archive).map(({ name }) => name)).toEqual(["c", "d", "e"]);
});

test("a header with a negative size is rejected, as it would be read again and again", () => {
  const archive = Buffer.from(packTar([{ name: "a", data: Buffer.from("x") }]));
  const checksum = archive.subarray(0, 512).reduce((sum, byte) => sum + byte, 0);
  archive.write("-0000001000\0", 124);
  const before = "00000000001\0";
  const change = [..."-0000001000\0"].reduce(
    (sum, letter, i) => sum + letter.charCodeAt(0) - before.charCodeAt(i),
    0,
  );
  // The stored checksum counts its own bytes as spaces.
  const own = archive.subarray(148, 156).reduce((sum, byte) => sum + byte, 0);
  const expected = checksum - own + 8 * 0x20 + change;
  archive.write(`${expected.toString(8).padStart(6, "0")}\0 `, 148);
  expect(() => unpackTar(archive)).toThrow(/damaged at byte 0/);
});

test("bytes that are not an archive and incomplete archives are rejected", () => {
  const whole = packTar(files);
  expect(() => unpackTar(Buffer.from("<html>".repeat(200)))).toThrow(/not a tar archive/);
  expect(() => unpackTar(whole.subarray(0, whole.length - 3000))).toThrow(
    /incomplete: its end is missing/,
  );
  expect(() => unpackTar(new Uint8Array())).toThrow(/is incomplete/);
});
