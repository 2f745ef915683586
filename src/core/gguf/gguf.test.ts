/**
 * Tests that GGUF files are read in the way they were written, and that every malformed header causes an error of one
 * line.
 */
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { BowlineError } from "../errors.ts";
import { Rng } from "../rng.ts";
import { GgufFile, type GgufTensorToWrite, ggufHeader, writeGguf } from "./index.ts";
import type { GgufEntry } from "./types.ts";

const folder = mkdtempSync(join(tmpdir(), "bowline-gguf-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, "model.gguf");

const ENTRIES: readonly GgufEntry[] = [
  { key: "general.architecture", kind: "string", value: "llama" },
  { key: "a.count", kind: "uint32", value: 4_000_000_000 },
  { key: "a.less", kind: "int32", value: -7 },
  { key: "a.number", kind: "float32", value: 0.5 },
  { key: "a.flag", kind: "bool", value: true },
  { key: "a.words", kind: "strings", value: ["one", "", "zwölf ▁"] },
  { key: "a.numbers", kind: "int32s", value: [3, -1] },
  { key: "a.scores", kind: "float32s", value: [-0.25, 1e10] },
];
const floats = Float32Array.from({ length: 40 }, (_, i) => i / 8);
const TENSORS: readonly GgufTensorToWrite[] = [
  { name: "one", type: "F32", dims: [5, 8], bytes: () => [new Uint8Array(floats.buffer)] },
  { name: "two", type: "Q8_0", dims: [32], bytes: () => [new Uint8Array(30), new Uint8Array(4)] },
];

test("reading a written file returns the same metadata and tensors", () => {
  writeGguf(path, ENTRIES, TENSORS);
  const file = new GgufFile(path);
  expect(file.version).toBe(3);
  expect(Object.fromEntries(file.metadata)).toEqual(
    Object.fromEntries(ENTRIES.map(({ key, value }) => [key, value])),
  );
  expect(file.tensors.get("two")).toMatchObject({ type: "Q8_0", dims: [32], sizeBytes: 34 });
  const { position, sizeBytes } = file.tensors.get("one")!;
  expect(position % 32).toBe(0);
  const bytes = new Uint8Array(sizeBytes);
  file.readAt(position, bytes);
  expect(new Float32Array(bytes.buffer)).toEqual(floats);
  file.close();
});

test("a failed write leaves the old file unchanged", () => {
  writeFileSync(path, "old");
  const broken = { ...TENSORS[0]!, bytes: () => [new Uint8Array(3)] };
  expect(() => writeGguf(path, [], [broken])).toThrow(/one has 3 bytes, not 160/);
  expect(readFileSync(path, "utf8")).toBe("old");
});

/** Writes the bytes to a file and returns the message of the error when that file is opened. */
function messageForBytes(bytes: Uint8Array): string {
  writeFileSync(path, bytes);
  return messageOfRejection();
}

function messageOfRejection(): string {
  try {
    new GgufFile(path).close();
  } catch (error) {
    if (!BowlineError.is(error) || error.code !== "checkpoint") throw error;
    expect(error.message).toContain(path);
    expect(error.message).not.toContain("\n");
    return error.message;
  }
  throw new Error("the file was accepted");
}

function writeValidFile(): Buffer {
  writeGguf(path, ENTRIES, TENSORS);
  return readFileSync(path);
}

/** Returns the bytes of strings, 64-bit integers (bigint) and 32-bit integers (number), joined together. */
function concatParts(...parts: readonly (string | bigint | number)[]): Buffer {
  return Buffer.concat(
    parts.map((part) => {
      const out = Buffer.alloc(typeof part === "bigint" ? 8 : 4);
      if (typeof part === "bigint") out.writeBigUInt64LE(part);
      else if (typeof part === "number") out.writeUInt32LE(part);
      return typeof part === "string" ? Buffer.from(part, "latin1") : out;
    }),
  );
}
const HUGE = 2n ** 63n;
const [STRING, ARRAY, UINT8] = [8, 9, 0];
const nestedArrays = Array.from({ length: 5 }, () => [ARRAY, 1n]).flat();
const encodeKey = (name: string) => [BigInt(name.length), name] as const;

describe("opening a malformed GGUF file", () => {
  test.each<[string, Buffer, RegExp]>([
    ["an empty file", Buffer.alloc(0), /does not start with GGUF/],
    ["another format", Buffer.from("PK\u0003\u0004 and so on"), /does not start with GGUF/],
    ["nothing but the magic", concatParts("GGUF"), /version: 1? ?.*ends at byte 4/],
    ["version 1", concatParts("GGUF", 1, 0, 0), /GGUF version 1; only versions 2 and 3/],
    ["a big-endian file", concatParts("GGUF", 0x03000000, 0n, 0n), /big-endian/],
    [
      "more pairs than bytes",
      concatParts("GGUF", 3, 0n, HUGE),
      /number of metadata pairs: 9223372036854775808/,
    ],
    [
      "more tensors than bytes",
      concatParts("GGUF", 3, HUGE, 0n),
      /number of tensors: 9223372036854775808/,
    ],
    [
      "a key longer than the file",
      concatParts("GGUF", 3, 0n, 1n, HUGE, "x".repeat(20)),
      /length of key 0: 9223372036854775808/,
    ],
    [
      "a string longer than the file",
      concatParts("GGUF", 3, 0n, 1n, ...encodeKey("a"), STRING, 2n ** 40n, "x".repeat(20)),
      /length of a: 1099511627776/,
    ],
    [
      "an array longer than the file",
      concatParts("GGUF", 3, 0n, 1n, ...encodeKey("a"), ARRAY, UINT8, 2n ** 62n, "x".repeat(20)),
      /length of a: 4611686018427387904/,
    ],
    [
      "arrays in arrays in arrays",
      concatParts("GGUF", 3, 0n, 1n, ...encodeKey("a"), ARRAY, ...nestedArrays, UINT8, 1n, 0n),
      /a nests arrays more than 4 deep/,
    ],
    [
      "an unknown kind",
      concatParts("GGUF", 3, 0n, 1n, ...encodeKey("a"), 77, 0n),
      /a has the unknown kind 77/,
    ],
    [
      "a key twice",
      concatParts("GGUF", 3, 0n, 2n, ...encodeKey("a"), 4, 1, ...encodeKey("a"), 4, 2),
      /the key a occurs twice/,
    ],
    [
      "a key that is not UTF-8",
      concatParts("GGUF", 3, 0n, 1n, 2n, "\u00ff\u00fe", 4, 1),
      /key 0 at byte 32 is not UTF-8/,
    ],
    [
      "an alignment that is not a power of two",
      concatParts("GGUF", 3, 0n, 1n, ...encodeKey("general.alignment"), 4, 48),
      /general\.alignment is 48, not a power of two/,
    ],
  ])("fails with an error of one line: %s", (_, bytes, message) => {
    expect(messageForBytes(bytes)).toMatch(message);
  });

  const tensorRow = (name: string, dims: readonly bigint[], type: number, offset: bigint) =>
    [...encodeKey(name), dims.length, ...dims, type, offset] as const;
  const fileWithTensors = (...rows: (readonly (string | bigint | number)[])[]) =>
    Buffer.concat([
      concatParts("GGUF", 3, BigInt(rows.length), 0n, ...rows.flat()),
      Buffer.alloc(512),
    ]);

  test.each<[string, Buffer, RegExp]>([
    [
      "a tensor without dimensions",
      fileWithTensors(tensorRow("t", [], 0, 0n)),
      /t has 0 dimensions/,
    ],
    [
      "five dimensions",
      fileWithTensors(tensorRow("t", [1n, 1n, 1n, 1n, 1n], 0, 0n)),
      /t has 5 dimensions/,
    ],
    [
      "a dimension of size 0",
      fileWithTensors(tensorRow("t", [0n, 4n], 0, 0n)),
      /impossible dimensions/,
    ],
    [
      "dimensions that overflow",
      fileWithTensors(tensorRow("t", [2n ** 40n, 2n ** 40n], 0, 0n)),
      /impossible dim/,
    ],
    [
      "a dimension beyond 2^53",
      fileWithTensors(tensorRow("t", [HUGE], 0, 0n)),
      /dimension or offset of 92233/,
    ],
    [
      "an unknown tensor type",
      fileWithTensors(tensorRow("t", [4n], 99, 0n)),
      /t has the unknown tensor type 99/,
    ],
    [
      "a withdrawn tensor type",
      fileWithTensors(tensorRow("t", [4n], 4, 0n)),
      /unknown tensor type 4/,
    ],
    [
      "a row of one and a half blocks",
      fileWithTensors(tensorRow("t", [40n], 8, 0n)),
      /rows of 40; Q8_0 needs multiples of 32/,
    ],
    [
      "an offset that is not aligned",
      fileWithTensors(tensorRow("t", [4n], 0, 8n)),
      /starts at 8, which is not a multiple of 32/,
    ],
    [
      "an offset outside the file",
      fileWithTensors(tensorRow("t", [4n], 0, 2n ** 33n)),
      /but the file is incomplete/,
    ],
    [
      "a tensor that is cut off",
      fileWithTensors(tensorRow("t", [200n], 0, 0n)),
      /but the file is incomplete/,
    ],
    [
      "overlapping tensors",
      fileWithTensors(tensorRow("t", [16n], 0, 0n), tensorRow("u", [16n], 0, 32n)),
      /u overlaps another tensor/,
    ],
    [
      "a tensor twice",
      fileWithTensors(tensorRow("t", [4n], 0, 0n), tensorRow("t", [4n], 0, 32n)),
      /t occurs twice/,
    ],
  ])("fails with an error of one line: %s", (_, bytes, message) => {
    expect(messageForBytes(bytes)).toMatch(message);
  });

  test("fails with an error of one line if the file is cut off at any byte", () => {
    const bytes = writeValidFile();
    for (let length = 0; length < bytes.length - 32; length += 7)
      messageForBytes(bytes.subarray(0, length));
  });
});

test("tensors beyond four gibibytes are found and read", () => {
  const distance = 5 * 2 ** 30;
  const tensor = { name: "t", type: "F32", dims: [2 ** 28, 5] } as const;
  const header = ggufHeader([], [tensor, { name: "last", type: "F32", dims: [2] }]);
  const handle = openSync(path, "w");
  writeSync(handle, header);
  writeSync(
    handle,
    new Uint8Array(Float32Array.of(1.5, -2.5).buffer),
    0,
    8,
    header.length + distance,
  );
  closeSync(handle);
  const opened = new GgufFile(path);
  const { position } = opened.tensors.get("last")!;
  expect(position).toBe(header.length + distance);
  const bytes = new Uint8Array(8);
  opened.readAt(position, bytes);
  expect([...new Float32Array(bytes.buffer)]).toEqual([1.5, -2.5]);
  opened.close();
  truncateSync(path, header.length + distance);
  expect(messageOfRejection()).toMatch(/last should end at byte \d+/);
});

test("a randomly damaged file is either read within its size or rejected by an error of one line, and uses little memory", () => {
  const rng = new Rng(14);
  const original = writeValidFile();
  const before = process.memoryUsage().rss;
  let refused = 0;
  for (let i = 0; i < 4000; i++) {
    const bytes = Buffer.from(original);
    for (let n = randomBelow(rng, 4); n >= 0; n--) damageRandomly(bytes, rng);
    writeFileSync(path, bytes);
    try {
      const opened = new GgufFile(path);
      opened.close();
      for (const { position, sizeBytes } of opened.tensors.values()) {
        expect(position + sizeBytes).toBeLessThanOrEqual(bytes.length);
      }
    } catch (error) {
      if (!BowlineError.is(error) || error.code !== "checkpoint") throw error;
      expect(error.message).not.toContain("\n");
      refused++;
    }
  }
  expect(refused).toBeGreaterThan(1000);
  expect(process.memoryUsage().rss - before).toBeLessThan(200e6);
}, 60_000);

/** Overwrites one byte, or eight bytes with a number that looks like a length. */
function damageRandomly(bytes: Buffer, rng: Rng): void {
  const at = randomBelow(rng, bytes.length - 8);
  if (randomBelow(rng, 3) > 0) bytes[at] = randomBelow(rng, 256);
  else bytes.writeBigUInt64LE(2n ** BigInt(randomBelow(rng, 64)) - BigInt(randomBelow(rng, 2)), at);
}

function randomBelow(rng: Rng, count: number): number {
  return Math.floor(rng.uniform() * count);
}
