/** Damages a file, as its kind allows: fields of JSON, lines of JSON, bytes, or cuts. */
import type { Rng } from "../../src/core/index.ts";
import { mutateBytes, mutateJson, mutateJsonText } from "./mutate.ts";

/** How a file was damaged. */
export interface Damage {
  readonly kind: "field" | "text" | "bytes" | "cut" | "empty" | "header";
  readonly content: Buffer;
}

export function damageFile(rng: Rng, name: string, content: Buffer): Damage {
  if (rng.chance(0.1))
    return { kind: "cut", content: content.subarray(0, rng.integer(0, content.length)) };
  if (rng.chance(0.02)) return { kind: "empty", content: Buffer.alloc(0) };
  if (/\.json$/.test(name)) return damageJson(rng, content);
  if (/\.jsonl$/.test(name)) return damageLines(rng, content);
  if (/\.safetensors$/.test(name) && rng.chance(0.7)) return damageHeader(rng, content);
  return { kind: "bytes", content: mutateBytes(rng, content) };
}

function damageJson(rng: Rng, content: Buffer): Damage {
  const value: unknown = JSON.parse(content.toString());
  if (rng.chance(0.15)) return { kind: "bytes", content: mutateBytes(rng, content) };
  if (rng.chance(0.2)) return { kind: "text", content: Buffer.from(mutateJsonText(rng, value)) };
  return {
    kind: "field",
    content: Buffer.from(`${JSON.stringify(mutateJson(rng, value), null, 2)}\n`),
  };
}

function damageLines(rng: Rng, content: Buffer): Damage {
  if (rng.chance(0.3) || content.length === 0)
    return { kind: "bytes", content: mutateBytes(rng, content) };
  const lines = content.toString().trimEnd().split("\n");
  const at = rng.integer(0, lines.length - 1);
  const value: unknown = JSON.parse(lines[at]!);
  const changed = rng.chance(0.2)
    ? [mutateJsonText(rng, value)]
    : rng.pick([
        [JSON.stringify(mutateJson(rng, value))],
        [JSON.stringify(mutateJson(rng, value))],
        [],
        [lines[at]!, lines[at]!],
        [""],
        ["null"],
      ]);
  return {
    kind: "field",
    content: Buffer.from(`${lines.toSpliced(at, 1, ...changed).join("\n")}\n`),
  };
}

/** Splits a safetensors file into the value of its header and the bytes of its tensors. */
export function splitSafetensors(content: Buffer): {
  readonly header: unknown;
  readonly data: Buffer;
} {
  const length = Number(content.readBigUInt64LE(0));
  return {
    header: JSON.parse(content.subarray(8, 8 + length).toString()),
    data: content.subarray(8 + length),
  };
}

/** Joins a safetensors header, as text, with the bytes of the tensors. */
export function joinSafetensors(header: string, data: Buffer): Buffer {
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(Buffer.byteLength(header)));
  return Buffer.concat([size, Buffer.from(header), data]);
}

function damageHeader(rng: Rng, content: Buffer): Damage {
  const { header, data } = splitSafetensors(content);
  const text = rng.chance(0.2)
    ? mutateJsonText(rng, header)
    : JSON.stringify(mutateJson(rng, header));
  return { kind: "header", content: joinSafetensors(text, data) };
}
