/**
 * One line as a rollout. The schema reads all but the rows of tokens: these may be a hundred thousand numbers, and a loop
 * checks them in a tenth of the time.
 */
import { isRaw } from "../../../core/index.ts";
import { type Rollout, type RolloutTokens, rolloutSchema } from "../../../spec/index.ts";

/** Undefined where it is none of this version. */
export function parseRollout(line: string): Rollout | undefined {
  try {
    const value: unknown = JSON.parse(line);
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
  } catch {
    return undefined;
  }
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
