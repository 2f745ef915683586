/** Damages bytes, texts and values of JSON at random places. */
import type { Rng } from "../../src/core/index.ts";

/** Values that a parser of JSON accepts and a reader does not expect. */
const UNEXPECTED_VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  -0.0,
  1e308,
  2 ** 53,
  -(2 ** 31) - 1,
  "",
  "\u0000",
  "\ud800",
  "null",
  "__proto__",
  "constructor",
  "../../etc/passwd",
  "{{ raise }}",
  "\u001b[31m",
  [],
  {},
  [null],
  [[]],
  { type: null },
  "x".repeat(3000),
];

/** Returns a new value, because values are changed in place. */
const drawUnexpected = (rng: Rng): unknown => structuredClone(rng.pick(UNEXPECTED_VALUES));

/** Texts that stand where a text of JSON has a value; a parser of JSON refuses some of them. */
const UNEXPECTED_TEXTS = ["NaN", "1e999", "-", "01", "'a'", "undefined", "{", "]", ",", "//x\n"];

type Container = Record<string, unknown> | unknown[];

/** Returns a value with one to three changes: fields removed, added or replaced, items repeated or put in other order. */
export function mutateJson(rng: Rng, value: unknown): unknown {
  const root = { value: structuredClone(value) };
  for (let changes = rng.integer(1, 3); changes > 0; changes--) {
    const containers: Container[] = [];
    collectContainers(root, containers);
    changeContainer(rng, rng.pick(containers));
  }
  // The whole value may have been removed.
  return root.value ?? null;
}

function collectContainers(value: unknown, found: Container[]): void {
  if (typeof value !== "object" || value === null) return;
  found.push(value as Container);
  for (const item of Object.values(value)) collectContainers(item, found);
}

function changeContainer(rng: Rng, container: Container): void {
  const keys = Object.keys(container);
  const target = container as Record<string, unknown>;
  if (keys.length === 0) {
    if (Array.isArray(container)) container.push(drawUnexpected(rng));
    else setOwn(target, rng.pick(["x", "__proto__", "type", ""]), drawUnexpected(rng));
    return;
  }
  const key = rng.pick(keys);
  switch (rng.integer(0, 6)) {
    case 0:
      if (Array.isArray(container)) container.splice(Number(key), 1);
      else delete target[key];
      return;
    case 1:
      setOwn(target, key, changeNumber(rng, target[key]));
      return;
    case 2:
      setOwn(target, key, { [rng.pick(["type", "0", key])]: target[key] });
      return;
    case 3:
      setOwn(target, key, [target[key]]);
      return;
    case 4:
      if (Array.isArray(container)) container.push(structuredClone(target[key]));
      else setOwn(target, `${key}x`, target[key]);
      return;
    default:
      setOwn(target, key, drawUnexpected(rng));
  }
}

/** Sets a field, also one with the name `__proto__`. */
function setOwn(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}

function changeNumber(rng: Rng, value: unknown): unknown {
  if (typeof value === "number") return value + rng.pick([1, -1, 0.5, 2 ** 31, -value, value]);
  if (typeof value === "string")
    return rng.pick([value.toUpperCase(), `${value} `, `\n${value}`, value.slice(1)]);
  return drawUnexpected(rng);
}

/** Returns a text of JSON with one change that may make it invalid. */
export function mutateJsonText(rng: Rng, value: unknown): string {
  const text = JSON.stringify(value);
  switch (rng.integer(0, 5)) {
    case 0:
      return text.slice(0, rng.integer(0, text.length));
    case 1: {
      const at = rng.integer(0, text.length);
      return text.slice(0, at) + rng.pick(UNEXPECTED_TEXTS) + text.slice(at);
    }
    case 2:
      return nest(rng, rng.pick([100, 3000, 100_000]), text);
    case 3:
      return text.replace(/\d+/, rng.pick(UNEXPECTED_TEXTS));
    default:
      return JSON.stringify(mutateJson(rng, value));
  }
}

function nest(rng: Rng, depth: number, text: string): string {
  return rng.chance(0.5)
    ? "[".repeat(depth) + text + "]".repeat(depth)
    : `${'{"a":'.repeat(depth)}${text}${"}".repeat(depth)}`;
}

/** Returns the bytes with one to four changes: bits flipped, parts removed, repeated, overwritten or cut off. */
export function mutateBytes(rng: Rng, source: Uint8Array): Buffer {
  let bytes = Buffer.from(source);
  for (let changes = rng.integer(1, 4); changes > 0; changes--) {
    if (bytes.length === 0) return Buffer.from([rng.integer(0, 255)]);
    bytes = changeBytes(rng, bytes);
  }
  return bytes;
}

function changeBytes(rng: Rng, bytes: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  // Beginnings of files have headers, so they are changed more often.
  const last = rng.chance(0.5) ? Math.min(bytes.length, 64) - 1 : bytes.length - 1;
  const at = rng.integer(0, last);
  const count = Math.min(rng.pick([1, 2, 4, 8, 100]), bytes.length - at);
  switch (rng.integer(0, 5)) {
    case 0:
      bytes[at]! ^= 1 << rng.integer(0, 7);
      return bytes;
    case 1:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + count)]);
    case 2:
      return Buffer.concat([bytes.subarray(0, at + count), bytes.subarray(at)]);
    case 3:
      bytes.fill(rng.pick([0, 0xff, 0x7f, 0x80]), at, at + count);
      return bytes;
    case 4:
      return bytes.subarray(0, at);
    default: {
      const inserted = Buffer.from(Array.from({ length: count }, () => rng.integer(0, 255)));
      return Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at)]);
    }
  }
}
