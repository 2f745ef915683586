/**
 * The digests of the weights in a folder that we write. They are in `sha256sums.txt`, which `sha256sum -c` reads.
 *
 * A single wrong byte in a file of weights is no error of its format: the model merely answers nonsense. So the files
 * are compared with their digests before they are read. Folders of other programs have no digests and are read as they
 * are. Hashing takes about a second for each gibibyte, once for each file of a process.
 */
import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { BowlineError, readText } from "../../../core/index.ts";

export const DIGESTS_FILE = "sha256sums.txt";
const CHUNK_BYTES = 4 * 2 ** 20;
const LINE = /^([0-9a-f]{64}) [ *](.+)$/;

/** Writes the digests of the safetensors files of a folder; nothing when it has none. */
export function writeDigests(folder: string): void {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith(".safetensors"))
    .sort();
  if (names.length === 0) return;
  const lines = names.map((name) => {
    const file = openSync(join(folder, name), "r");
    try {
      return `${hashFile(file)}  ${name}\n`;
    } finally {
      closeSync(file);
    }
  });
  writeFileSync(join(folder, DIGESTS_FILE), lines.join(""));
}

/** Removes the digest of a file that is about to be written anew. It has none until its folder is complete. */
export function forgetDigest(path: string): void {
  const sums = join(dirname(path), DIGESTS_FILE);
  if (!existsSync(sums)) return;
  const lines = readText(sums).split("\n");
  writeFileSync(sums, lines.filter((line) => LINE.exec(line)?.[2] !== basename(path)).join("\n"));
}

/** The files that were compared, with what identifies their content, so that each is hashed once. */
const comparedFiles = new Map<string, string>();

/**
 * Compares an open file with its digest, if its folder has one for it. Throws a `checkpoint` error that names the file
 * when they differ.
 */
export function requireDigest(path: string, file: number): void {
  const expected = readDigest(path);
  if (expected === undefined) return;
  const { size, mtimeMs, ctimeMs, ino } = fstatSync(file);
  const content = [expected, size, mtimeMs, ctimeMs, ino].join(" ");
  if (comparedFiles.get(path) === content) return;
  const found = hashFile(file);
  if (found !== expected) {
    const sums = join(dirname(path), DIGESTS_FILE);
    throw new BowlineError(
      "checkpoint",
      `${path} is damaged: expected sha256 ${expected.slice(0, 16)}... as in ${sums}, got ${found.slice(0, 16)}...; use another copy, or remove its line there if the file was changed on purpose`,
    );
  }
  comparedFiles.set(path, content);
}

function readDigest(path: string): string | undefined {
  const sums = join(dirname(path), DIGESTS_FILE);
  if (!existsSync(sums)) return undefined;
  for (const [i, line] of readText(sums).split("\n").entries()) {
    if (line.trim() === "") continue;
    const [, digest, name] = LINE.exec(line.trimEnd()) ?? [];
    if (digest === undefined) {
      throw new BowlineError(
        "checkpoint",
        `${sums}:${i + 1} is damaged: expected a sha256 and the name of a file`,
      );
    }
    if (name === basename(path)) return digest;
  }
  return undefined;
}

function hashFile(file: number): string {
  const hash = createHash("sha256");
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let at = 0; ; ) {
    const count = readSync(file, chunk, 0, chunk.length, at);
    if (count === 0) return hash.digest("hex");
    hash.update(chunk.subarray(0, count));
    at += count;
  }
}
