/**
 * One line as a rollout. Most of a line is tokens, and who wants turns alone is not to wait for them: `turnsOnly` passes over
 * their bytes. Where they are wanted, the schema reads all but their rows: these may be a hundred thousand numbers, and a
 * loop checks them in a tenth of the time.
 */
import { isRaw } from "../../../core/index.ts";
import { type Rollout, type RolloutTokens, rolloutSchema } from "../../../spec/index.ts";
import { Cursor, keys } from "./json-cursor.ts";

/** A line as bytes; undefined where it is no rollout of this version. */
export type ParseRollout = (bytes: Buffer, start: number, end: number) => Rollout | undefined;

/** With `tokens` and `segments`. */
export const wholeRollout: ParseRollout = (bytes, start, end) =>
  whereItIs(() => {
    const value: unknown = JSON.parse(bytes.toString("utf8", start, end));
    if (!isRaw(value)) return undefined;
    const { tokens, segments, ...rest } = value;
    if (tokens !== undefined && !isRow(tokens)) return undefined;
    if (segments !== undefined && !(Array.isArray(segments) && segments.every(isRow))) {
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

/** Without `tokens` and `segments`, whatever is in them. */
export const turnsOnly: ParseRollout = (bytes, start, end) =>
  whereItIs(() => {
    const value: unknown = JSON.parse(withoutRows(bytes, start, end));
    if (!isRaw(value)) return undefined;
    const { tokens: _, ...rest } = value;
    const { segments: __, ...rollout } = rolloutSchema.parse(rest);
    return rollout;
  });

function whereItIs(parse: () => Rollout | undefined): Rollout | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

const ROW_KEYS = keys("tokens", "segments");

/** The line's text with nothing where the rows were: `"tokens":[]`. */
function withoutRows(bytes: Buffer, start: number, end: number): string {
  const cursor = new Cursor(bytes, start, end);
  let text = "";
  let from = start;
  cursor.object(ROW_KEYS, (key) => {
    const value = cursor.at;
    cursor.skip();
    if (key === "") return;
    text += `${bytes.toString("utf8", from, value)}[]`;
    from = cursor.at;
  });
  return text + bytes.toString("utf8", from, end);
}

/** Three arrays of one length. */
function isRow(value: unknown): value is RolloutTokens {
  if (!isRaw(value) || Object.keys(value).length !== 3) return false;
  const { ids, mask, logprobs } = value;
  if (!isNumbers(ids) || !isNumbers(mask) || !isNumbers(logprobs)) return false;
  const isAligned = ids.length === mask.length && ids.length === logprobs.length;
  return isAligned && mask.every((one) => one === 0 || one === 1);
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((one) => typeof one === "number");
}
