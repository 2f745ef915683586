/**
 * Parses one line as a rollout. Most of a line is tokens, so `parseWithoutTokens` skips their bytes where only turns
 * are needed. `parseWholeRollout` checks the token rows with a loop instead of the schema: a row may have a hundred
 * thousand numbers, and the loop takes a tenth of the time.
 */
import { isPlainObject } from "../../../core/index.ts";
import { type Rollout, type RolloutTokens, rolloutSchema } from "../../../spec/index.ts";
import { encodeKeys, JsonCursor } from "./json-cursor.ts";

/** Parses a line of bytes. Returns undefined if it is not a rollout of this version. */
export type ParseRollout = (bytes: Buffer, start: number, end: number) => Rollout | undefined;

/** Parses a rollout with its `tokens` and `segments`. */
export const parseWholeRollout: ParseRollout = (bytes, start, end) =>
  parseOrUndefined(() => {
    const value: unknown = JSON.parse(bytes.toString("utf8", start, end));
    if (!isPlainObject(value)) return undefined;
    const { tokens, segments, ...rest } = value;
    if (tokens !== undefined && !isTokenRow(tokens)) return undefined;
    if (segments !== undefined && !(Array.isArray(segments) && segments.every(isTokenRow))) {
      return undefined;
    }
    const rollout = rolloutSchema.parse({
      ...rest,
      ...(segments !== undefined && { segments: [] }),
    });
    return {
      ...rollout,
      ...(tokens !== undefined && { tokens }),
      ...(segments !== undefined && { segments: segments as RolloutTokens[] }),
    };
  });

/** Parses a rollout without its `tokens` and `segments`, which are not even checked. */
export const parseWithoutTokens: ParseRollout = (bytes, start, end) =>
  parseOrUndefined(() => {
    const value: unknown = JSON.parse(removeTokenRows(bytes, start, end));
    if (!isPlainObject(value)) return undefined;
    const { tokens: _, ...rest } = value;
    const { segments: __, ...rollout } = rolloutSchema.parse(rest);
    return rollout;
  });

const TURNS_KEY = encodeKeys("turns");

/** Parses only the texts of a rollout's turns. Returns undefined if they are not there. */
export function parseTurnTexts(
  bytes: Buffer,
  start: number,
  end: number,
): Pick<Rollout, "turns"> | undefined {
  try {
    const cursor = new JsonCursor(bytes, start, end);
    let json = "";
    cursor.forEachMember(TURNS_KEY, (key) => {
      if (key === "turns") json = cursor.readRawText();
      else cursor.skipValue();
    });
    const turns: unknown = JSON.parse(json);
    return Array.isArray(turns) && turns.every(hasTexts) ? { turns } : undefined;
  } catch {
    return undefined;
  }
}

function hasTexts(turn: unknown): turn is Rollout["turns"][number] {
  if (!isPlainObject(turn)) return false;
  const { message, code, observation, heard = [] } = turn;
  const isHeard = Array.isArray(heard) && heard.every((one) => isPlainObject(one));
  return isHeard && [message, code, observation].every((text) => typeof text === "string");
}

function parseOrUndefined(parse: () => Rollout | undefined): Rollout | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

const ROW_KEYS = encodeKeys("tokens", "segments");

/** Returns the line's text with empty token rows: `"tokens":[]`. */
function removeTokenRows(bytes: Buffer, start: number, end: number): string {
  const cursor = new JsonCursor(bytes, start, end);
  let text = "";
  let from = start;
  cursor.forEachMember(ROW_KEYS, (key) => {
    const value = cursor.position;
    cursor.skipValue();
    if (key === "") return;
    text += `${bytes.toString("utf8", from, value)}[]`;
    from = cursor.position;
  });
  return text + bytes.toString("utf8", from, end);
}

/** Whether a value is a token row: three arrays of equal length. */
function isTokenRow(value: unknown): value is RolloutTokens {
  if (!isPlainObject(value) || Object.keys(value).length !== 3) return false;
  const { ids, mask, logprobs } = value;
  if (!isNumberArray(ids) || !isNumberArray(mask) || !isNumberArray(logprobs)) return false;
  const isAligned = ids.length === mask.length && ids.length === logprobs.length;
  return isAligned && mask.every((one) => one === 0 || one === 1);
}

function isNumberArray(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((one) => typeof one === "number");
}
