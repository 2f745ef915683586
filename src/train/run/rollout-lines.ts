/** Rollouts as lines of JSON. What rows share is written from one text, so a line costs little more than its own part. */
import { rowToJson } from "../../agent/index.ts";
import { isPlainObject } from "../../core/index.ts";
import type { Rollout, RolloutTokens } from "../../spec/index.ts";

/** Returns the bytes of `JSON.stringify(row)` and a line break. */
export function encodeLine(row: unknown): Buffer {
  return Buffer.concat([...(isRollout(row) ? encodeRollout(row) : [jsonBytes(row)]), LINE_BREAK]);
}

const LINE_BREAK = Buffer.from("\n");
const jsonBytes = (value: unknown) => Buffer.from(JSON.stringify(value));

function isRollout(row: unknown): row is Rollout {
  return isPlainObject(row) && "tokens" in row && isPlainObject(row["tokens"]);
}

function encodeRollout(rollout: Rollout): Buffer[] {
  const parts: Buffer[] = [];
  for (const [name, value] of Object.entries(rollout)) {
    if (value === undefined) continue;
    parts.push(Buffer.from(`${parts.length === 0 ? "{" : ","}${JSON.stringify(name)}:`));
    if (name === "tokens") parts.push(...rowToJson(value as RolloutTokens));
    else if (name === "segments") parts.push(...encodeRows(value as readonly RolloutTokens[]));
    else parts.push(jsonBytes(value));
  }
  return [...parts, Buffer.from("}")];
}

function encodeRows(rows: readonly RolloutTokens[]): Buffer[] {
  const parts = rows.flatMap((row, i) => [...(i > 0 ? [Buffer.from(",")] : []), ...rowToJson(row)]);
  return [Buffer.from("["), ...parts, Buffer.from("]")];
}
