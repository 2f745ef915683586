/** The container: what is written is read, and what is wrong is one clear line, whatever a header says. */
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

test("what is written is read", () => {
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

test("a failure leaves what was there", () => {
  writeFileSync(path, "old");
  const broken = { ...TENSORS[0]!, bytes: () => [new Uint8Array(3)] };
  expect(() => writeGguf(path, [], [broken])).toThrow(/one has 3 bytes, not 160/);
  expect(readFileSync(path, "utf8")).toBe("old");
});

/** The message of the refusal, which is one line and names the file. */
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
  throw new Error("it was not refused");
}

function writeValidFile(): Buffer {
  writeGguf(path, ENTRIES, TENSORS);
  return readFileSync(path);
}

/** A file of a few numbers and strings in a row. */
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
const key = (name: string) => [BigInt(name.length), name] as const;

describe("one clear line for", () => {
  test.each<[string, Buffer, RegExp]>([
    ["an empty file", Buffer.alloc(0), /does not start with GGUF/],
    ["another format", Buffer.from("PK\u0003\u0004 and so on"), /does not start with GGUF/],
    ["a magic alone", concatParts("GGUF"), /version: 1? ?.*ends at byte 4/],
    ["version 1", concatParts("GGUF", 1, 0, 0), /GGUF version 1; versions 2 and 3/],
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
      concatParts("GGUF", 3, 0n, 1n, ...key("a"), STRING, 2n ** 40n, "x".repeat(20)),
      /length of a: 1099511627776/,
    ],
    [
      "an array longer than the file",
      concatParts("GGUF", 3, 0n, 1n, ...key("a"), ARRAY, UINT8, 2n ** 62n, "x".repeat(20)),
      /length of a: 4611686018427387904/,
    ],
    [
      "arrays in arrays in arrays",
      concatParts("GGUF", 3, 0n, 1n, ...key("a"), ARRAY, ...nestedArrays, UINT8, 1n, 0n),
      /a nests arrays more than 4 deep/,
    ],
    [
      "an unknown kind",
      concatParts("GGUF", 3, 0n, 1n, ...key("a"), 77, 0n),
      /a is of unknown kind 77/,
    ],
    [
      "a key twice",
      concatParts("GGUF", 3, 0n, 2n, ...key("a"), 4, 1, ...key("a"), 4, 2),
      /the key a occurs twice/,
    ],
    [
      "a key that is not UTF-8",
      concatParts("GGUF", 3, 0n, 1n, 2n, "\u00ff\u00fe", 4, 1),
      /key 0 at byte 32 is not UTF-8/,
    ],
    [
      "an alignment that is no power of two",
      concatParts("GGUF", 3, 0n, 1n, ...key("general.alignment"), 4, 48),
      /general\.alignment is 48, not a power of two/,
    ],
  ])("%s", (_, bytes, message) => {
    expect(messageForBytes(bytes)).toMatch(message);
  });

  const tensorRow = (name: string, dims: readonly bigint[], type: number, offset: bigint) =>
    [...key(name), dims.length, ...dims, type, offset] as const;
  const fileWithTensors = (...rows: (readonly (string | bigint | number)[])[]) =>
    Buffer.concat([
      concatParts("GGUF", 3, BigInt(rows.length), 0n, ...rows.flat()),
      Buffer.alloc(512),
    ]);

  test.each<[string, Buffer, RegExp]>([
    ["no dimensions", fileWithTensors(tensorRow("t", [], 0, 0n)), /t has 0 dimensions/],
    [
      "five dimensions",
      fileWithTensors(tensorRow("t", [1n, 1n, 1n, 1n, 1n], 0, 0n)),
      /t has 5 dimensions/,
    ],
    [
      "a dimension of nothing",
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
      "an unknown type",
      fileWithTensors(tensorRow("t", [4n], 99, 0n)),
      /t is of unknown tensor type 99/,
    ],
    [
      "a type that was withdrawn",
      fileWithTensors(tensorRow("t", [4n], 4, 0n)),
      /unknown tensor type 4/,
    ],
    [
      "half a block",
      fileWithTensors(tensorRow("t", [40n], 8, 0n)),
      /rows of 40; Q8_0 needs multiples of 32/,
    ],
    [
      "an offset between",
      fileWithTensors(tensorRow("t", [4n], 0, 8n)),
      /starts at 8, which is no multiple of 32/,
    ],
    [
      "an offset outside",
      fileWithTensors(tensorRow("t", [4n], 0, 2n ** 33n)),
      /but the file has \d+: torn/,
    ],
    [
      "a tensor cut off",
      fileWithTensors(tensorRow("t", [200n], 0, 0n)),
      /but the file has \d+: torn/,
    ],
    [
      "tensors on each other",
      fileWithTensors(tensorRow("t", [16n], 0, 0n), tensorRow("u", [16n], 0, 32n)),
      /u overlaps another tensor/,
    ],
    [
      "a tensor twice",
      fileWithTensors(tensorRow("t", [4n], 0, 0n), tensorRow("t", [4n], 0, 32n)),
      /t occurs twice/,
    ],
  ])("%s", (_, bytes, message) => {
    expect(messageForBytes(bytes)).toMatch(message);
  });

  test("a file that is cut off anywhere", () => {
    const bytes = writeValidFile();
    for (let length = 0; length < bytes.length - 32; length += 7)
      messageForBytes(bytes.subarray(0, length));
  });
});

test("offsets beyond four gibibytes are right: a sparse file", () => {
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

test("headers of random damage: a right read or one clear line, in little memory", () => {
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

/** One byte, or eight that look like a length. */
function damageRandomly(bytes: Buffer, rng: Rng): void {
  const at = randomBelow(rng, bytes.length - 8);
  if (randomBelow(rng, 3) > 0) bytes[at] = randomBelow(rng, 256);
  else bytes.writeBigUInt64LE(2n ** BigInt(randomBelow(rng, 64)) - BigInt(randomBelow(rng, 2)), at);
}

function randomBelow(rng: Rng, count: number): number {
  return Math.floor(rng.uniform() * count);
}
