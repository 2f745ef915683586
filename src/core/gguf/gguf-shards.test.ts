/** Tests that a model in several GGUF files is read whole, whichever of them is named. */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { BowlineError } from "../errors.ts";
import { computed, defineFormat, formatSchema, refused } from "../formats/index.ts";
import { type GgufEntry, GgufShards, parseGgufKeys, readGgufKeys, writeGguf } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "bowline-shards-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const shardPath = (number: number) => join(folder, `model-0000${number}-of-00003.gguf`);
const integer = (key: string, value: number): GgufEntry => ({ key, kind: "uint32", value });

/** Writes one shard of three, with one tensor. */
function writeShard(number: number, changes: Readonly<Record<string, number>> = {}): void {
  const keys = { "split.no": number - 1, "split.count": 3, "split.tensors.count": 3, ...changes };
  const entries = Object.entries(keys).map(([key, value]) => integer(key, value));
  const name: GgufEntry = { key: "general.architecture", kind: "string", value: "llama" };
  const bytes = new Uint8Array(Float32Array.of(number, 2 * number).buffer);
  const tensor = { name: `t${number}`, type: "F32", dims: [2], bytes: () => [bytes] } as const;
  writeGguf(shardPath(number), number === 1 ? [name, ...entries] : entries, [tensor]);
}

beforeEach(() => {
  for (const number of [1, 2, 3]) writeShard(number);
});

function messageOfRejection(path: string): string {
  try {
    new GgufShards(path).close();
  } catch (error) {
    if (!BowlineError.is(error) || error.code !== "checkpoint") throw error;
    expect(error.message).not.toContain("\n");
    return error.message;
  }
  throw new Error("the file was accepted");
}

describe("a model in three shards", () => {
  test.each([1, 2, 3])("is read whole when shard %d is named", (named) => {
    const model = new GgufShards(shardPath(named));
    expect(model.path).toBe(shardPath(1));
    expect(model.metadata.get("general.architecture")).toBe("llama");
    expect([...model.tensors.keys()]).toEqual(["t1", "t2", "t3"]);
    const last = new Uint8Array(4);
    model.readTensor("t3", 4, last);
    expect(new Float32Array(last.buffer)).toEqual(Float32Array.of(6));
    expect(() => model.readTensor("t4", 0, last)).toThrow(/no tensor t4/);
    model.close();
    expect(readGgufKeys(shardPath(named)).metadata).toEqual(model.metadata);
  });

  test("is rejected with the names of missing shards", () => {
    rmSync(shardPath(1));
    rmSync(shardPath(3));
    expect(messageOfRejection(shardPath(2))).toMatch(
      /one of 3 shards, and model-00001-of-00003\.gguf, model-00003-of-00003\.gguf are missing/,
    );
  });

  test("is rejected when a name does not tell those of the other shards", () => {
    renameSync(shardPath(1), join(folder, "first.gguf"));
    expect(messageOfRejection(join(folder, "first.gguf"))).toMatch(
      /one of 3 shards, and its name does not tell .*; expected NAME-00001-of-00003\.gguf/,
    );
  });

  test.each<[string, () => void, RegExp]>([
    [
      "another number",
      () => writeShard(2, { "split.no": 2 }),
      /00002-of.*split\.no is 2; expected 1/,
    ],
    ["another count", () => writeShard(3, { "split.count": 4 }), /split\.count is 4; expected 3/],
    [
      "too few tensors",
      () => writeShard(1, { "split.tensors.count": 9 }),
      /split\.tensors\.count is 9; expected 3/,
    ],
    ["a huge count", () => writeShard(1, { "split.count": 4e9 }), /split\.count is 4000000000/],
    ["a damaged shard", () => writeFileSync(shardPath(2), "GGUF"), /00002-of-00003\.gguf: version/],
  ])("is rejected with %s", (_, damage, message) => {
    damage();
    expect(messageOfRejection(shardPath(1))).toMatch(message);
  });

  test("is rejected when two shards have one tensor", () => {
    const tensor = {
      name: "t1",
      type: "F32",
      dims: [2],
      bytes: () => [new Uint8Array(8)],
    } as const;
    writeGguf(shardPath(2), [integer("split.no", 1), integer("split.count", 3)], [tensor]);
    expect(messageOfRejection(shardPath(1))).toMatch(/another shard has t1 too/);
  });
});

test("keys are parsed through a table, with errors that name the key as in the file", () => {
  const schema = formatSchema(
    defineFormat({
      name: "keys",
      unknown: "refused",
      fields: {
        "general.architecture": computed(z.string(), "family"),
        "ARCH.size": computed(z.number(), "size"),
        "ARCH.scale": refused("nothing is scaled"),
      },
    }),
  );
  const parse = (...entries: (readonly [string, number | bigint])[]) => {
    const metadata = new Map<string, unknown>([["general.architecture", "llama"], ...entries]);
    return parseGgufKeys({ path: "x.gguf", metadata }, schema);
  };
  expect(parse(["llama.size", 3])).toEqual({ "general.architecture": "llama", "ARCH.size": 3 });
  expect(() => parse()).toThrow("x.gguf lacks the key llama.size");
  expect(() => parse(["llama.size", 3], ["llama.scale", 2n])).toThrow(
    'x.gguf: llama.scale: nothing is scaled (got "2")',
  );
  expect(() => parse(["llama.size", 3], ["qwen2.size", 2])).toThrow("qwen2.size: this field is");
});
