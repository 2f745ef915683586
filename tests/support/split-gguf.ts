/** Splits a GGUF file into two shards, as llama.cpp's gguf-split does. */
import { type GgufEntry, GgufFile, type GgufValue, writeGguf } from "../../src/core/gguf/index.ts";

/** Writes `NAME-00001-of-00002.gguf` and the other shard beside `NAME.gguf`. Returns the path of the first. */
export function splitGguf(path: string): string {
  const whole = new GgufFile(path);
  const tensors = [...whole.tensors].map(([name, tensor]) => {
    const bytes = new Uint8Array(tensor.sizeBytes);
    whole.readAt(tensor.position, bytes);
    return { name, type: tensor.type, dims: tensor.dims, bytes: () => [bytes] };
  });
  const entries = [...whole.metadata].map(([key, value]) => toEntry(key, value));
  whole.close();
  const shard = (number: number) => path.replace(/\.gguf$/, `-0000${number}-of-00002.gguf`);
  const half = Math.ceil(tensors.length / 2);
  for (const [number, part] of [
    [1, tensors.slice(0, half)],
    [2, tensors.slice(half)],
  ] as const) {
    const keys = { no: number - 1, count: 2, "tensors.count": tensors.length };
    const split = Object.entries(keys).map(([key, value]) => toEntry(`split.${key}`, value));
    writeGguf(shard(number), number === 1 ? [...entries, ...split] : split, part);
  }
  return shard(1);
}

/** Returns an entry to write. A file that was read no longer says of which kind a number was. */
function toEntry(key: string, value: GgufValue): GgufEntry {
  if (typeof value === "string") return { key, kind: "string", value };
  if (typeof value === "boolean") return { key, kind: "bool", value };
  if (typeof value === "number") {
    return { key, kind: Number.isInteger(value) ? "uint32" : "float32", value };
  }
  if (typeof value === "bigint") throw new Error(`${key} is a bigint`);
  if (typeof value[0] === "string") return { key, kind: "strings", value: value as string[] };
  const numbers = value as number[];
  return { key, kind: numbers.every(Number.isInteger) ? "int32s" : "float32s", value: numbers };
}
