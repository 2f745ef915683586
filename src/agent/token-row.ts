/**
 * A row of tokens while it grows and afterwards. The beginning that it shares with other rows is held once; the rest is
 * in typed arrays. The record of a row looks like three plain arrays, which are made when they are read.
 */
import {
  BowlineError,
  defineLazyArray,
  integersToText,
  joinArrays,
  joinTexts,
  SharedList,
  type SharedStart,
  StartFinder,
} from "../core/index.ts";
import type { RolloutTokens } from "../spec/index.ts";

interface RowParts {
  readonly ids: SharedList;
  readonly mask: Uint8Array;
  readonly logprobs: Float64Array;
}

const partsOfRows = new WeakMap<object, RowParts>();
const prompts = new StartFinder();
const INITIAL_CAPACITY = 512;

/** A row that grows. Its prompt, which nobody sampled, comes first. */
export class GrowingRow {
  #start: SharedStart | undefined;
  #ids = new Int32Array(INITIAL_CAPACITY);
  #mask = new Uint8Array(INITIAL_CAPACITY);
  #logprobs = new Float64Array(INITIAL_CAPACITY);
  #size = 0;

  get length(): number {
    return (this.#start?.length ?? 0) + this.#size;
  }

  /** Appends tokens that the agent did not sample. The first ones are compared with those of other rows. */
  appendText(tokens: readonly number[]): void {
    let from = 0;
    if (this.length === 0) {
      this.#start = prompts.find(tokens);
      from = this.length;
    }
    for (let i = from; i < tokens.length; i++) this.push(tokens[i]!, 0, 0);
  }

  push(token: number, mask: 0 | 1, logprob: number): void {
    if ((token | 0) !== token) {
      throw new BowlineError("engine", `expected a token id, a 32-bit integer, got ${token}`);
    }
    if (this.#size === this.#ids.length) this.#grow();
    this.#ids[this.#size] = token;
    this.#mask[this.#size] = mask;
    this.#logprobs[this.#size] = logprob;
    this.#size += 1;
  }

  /** The ids so far. Later tokens do not change them. */
  get ids(): SharedList {
    return new SharedList(this.#start, this.#ids.subarray(0, this.#size));
  }

  /** Returns the record of the row as it is now. */
  toRecord(): RolloutTokens {
    const start = this.#start;
    return createRecord({
      ids: new SharedList(start, this.#ids.slice(0, this.#size)),
      mask: this.#mask.slice(0, this.#size),
      logprobs: this.#logprobs.slice(0, this.#size),
    });
  }

  #grow(): void {
    const size = 2 * this.#ids.length;
    const ids = new Int32Array(size);
    const mask = new Uint8Array(size);
    const logprobs = new Float64Array(size);
    ids.set(this.#ids);
    mask.set(this.#mask);
    logprobs.set(this.#logprobs);
    [this.#ids, this.#mask, this.#logprobs] = [ids, mask, logprobs];
  }
}

/** Returns an equal record that shares its prompt with other rows. Records that cannot be shared are returned as is. */
export function shareRow(row: RolloutTokens): RolloutTokens {
  const { ids, mask, logprobs } = row;
  if (mask.length !== ids.length || logprobs.length !== ids.length) return row;
  if (!ids.every((id) => (id | 0) === id)) return row;
  const sampled = mask.indexOf(1);
  let prompt = sampled < 0 ? ids.length : sampled;
  const other = logprobs.findIndex((value) => value !== 0);
  if (other >= 0) prompt = Math.min(prompt, other);
  const start = prompts.find(ids, prompt);
  const from = start?.length ?? 0;
  return createRecord({
    ids: new SharedList(start, Int32Array.from(ids.slice(from))),
    mask: Uint8Array.from(mask.slice(from)),
    logprobs: Float64Array.from(logprobs.slice(from)),
  });
}

function createRecord(parts: RowParts): RolloutTokens {
  const { ids, mask, logprobs } = parts;
  const record = {};
  const zeros = () => (ids.start ? new Uint8Array(ids.start.length) : undefined);
  defineLazyArray(record, "ids", () => ids.toArray());
  defineLazyArray(record, "mask", () => joinArrays<ArrayLike<number>>(zeros(), mask));
  defineLazyArray(record, "logprobs", () => joinArrays<ArrayLike<number>>(zeros(), logprobs));
  partsOfRows.set(record, parts);
  return record as RolloutTokens;
}

/** Returns the number of tokens of a row, without making an array. */
export function countRowTokens(row: RolloutTokens): number {
  return partsOfRows.get(row)?.ids.length ?? row.ids.length;
}

/** Returns the row as `JSON.stringify` writes it, in parts that follow each other. Shared numbers are not written anew. */
export function rowToJson(row: RolloutTokens): Buffer[] {
  const parts = partsOfRows.get(row);
  if (parts === undefined) return [Buffer.from(JSON.stringify(row))];
  const { ids, mask, logprobs } = parts;
  const zeros = ids.start?.zeros;
  return [
    Buffer.from('{"ids":['),
    ...ids.textParts(),
    Buffer.from('],"mask":['),
    ...joinTexts(zeros, integersToText(mask)),
    Buffer.from('],"logprobs":['),
    ...joinTexts(zeros, numbersToText(logprobs)),
    Buffer.from("]}"),
  ];
}

/** Returns numbers as in JSON, separated by commas. Most of them are 0, since nobody sampled their tokens. */
function numbersToText(values: Float64Array): Buffer {
  let text = "";
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    text += `${i > 0 ? "," : ""}${value === 0 ? "0" : JSON.stringify(value)}`;
  }
  return Buffer.from(text);
}
