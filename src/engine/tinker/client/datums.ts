/**
 * What is checked before anything is sent, because servers do not: a tensor of the wrong length is cut or padded in
 * silence, and an id outside the vocabulary turns the whole gradient into NaN.
 */
import { messageOf } from "../../../core/index.ts";
import type { Datum, TensorData } from "../wire/index.ts";
import { TinkerError } from "./errors.ts";

export interface Bounds {
  /** Undefined: not known, so only that ids are not negative is checked. */
  readonly vocabularySize?: number | undefined;
  readonly contextLength?: number | undefined;
}

/** Half precision may put a log-prob a little above zero; more is no log-prob. */
export const LOGPROB_SLACK = 0.01;

/** Throws an `invalid` error that names the datum and the field. */
export function checkData(data: readonly Datum[], bounds: Bounds): void {
  if (data.length === 0) refuse("there is no datum");
  data.forEach((datum, index) => {
    checkDatum(datum, `datum ${index}`, bounds);
  });
}

function checkDatum({ model_input, loss_fn_inputs }: Datum, at: string, bounds: Bounds): void {
  const tokens = model_input.chunks.flatMap((chunk) => chunk.tokens);
  checkTokens(tokens, `${at}: model_input`, bounds);
  for (const [name, tensor] of Object.entries(loss_fn_inputs)) {
    checkTensor(tensor, `${at}: ${name}`, tokens.length);
  }
  const { target_tokens, logprobs, advantages, weights } = loss_fn_inputs;
  if (target_tokens) checkTokens(target_tokens.data, `${at}: target_tokens`, bounds);
  logprobs?.data.forEach((value, i) => {
    if (value > LOGPROB_SLACK) refuse(`${at}: logprobs[${i}] must not be above 0, but is ${value}`);
  });
  if (!weights || !advantages) return;
  advantages.data.forEach((value, i) => {
    if (value !== 0 && weights.data[i] === 0) {
      refuse(`${at}: advantages[${i}] is ${value} where the weight is 0`);
    }
  });
}

function checkTensor({ data, shape }: TensorData, at: string, length: number): void {
  if (data.length !== length) refuse(`${at} has ${data.length} values for ${length} tokens`);
  const size = shape?.reduce((product, dim) => product * dim, 1) ?? length;
  if (size !== length) refuse(`${at} has shape [${shape?.join(", ")}] and ${length} values`);
  const bad = data.findIndex((value) => !Number.isFinite(Math.fround(value)));
  if (bad >= 0) refuse(`${at}[${bad}] must be a finite float32, but it is ${data[bad]}`);
}

/** At least one id, each in the vocabulary, no more than the context holds. */
export function checkTokens(tokens: readonly number[], at: string, bounds: Bounds): void {
  const { vocabularySize = 2 ** 31, contextLength = Number.POSITIVE_INFINITY } = bounds;
  if (tokens.length === 0) refuse(`${at} has no tokens`);
  if (tokens.length > contextLength) {
    refuse(`${at} has ${tokens.length} tokens, but the context is ${contextLength}`);
  }
  const bad = tokens.findIndex((id) => !(Number.isInteger(id) && id >= 0 && id < vocabularySize));
  if (bad < 0) return;
  refuse(`${at}[${bad}] must be an id from 0 to ${vocabularySize - 1}, but it is ${tokens[bad]}`);
}

export function refuse(message: string): never {
  throw new TinkerError("invalid", message);
}

export interface ChunkLimits {
  readonly datums: number;
  readonly bytes: number;
}
/** Those of the hosted service's `client/config`. */
export const CHUNK_LIMITS: ChunkLimits = { datums: 1024, bytes: 5_000_000 };

/** Runs of datums that fit one request each, in order. */
export function chunksOf(data: readonly Datum[], limits: ChunkLimits): Datum[][] {
  const chunks: Datum[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const datum of data) {
    const size = sizeOf(datum);
    const last = chunks.at(-1);
    if (last === undefined || bytes + size > limits.bytes || last.length >= limits.datums) {
      chunks.push([datum]);
      bytes = size;
    } else {
      last.push(datum);
      bytes += size;
    }
  }
  return chunks;
}

/** About what JSON takes: ten characters a number. */
function sizeOf({ model_input, loss_fn_inputs }: Datum): number {
  const tokens = model_input.chunks.reduce((sum, chunk) => sum + chunk.tokens.length, 0);
  const values = Object.values(loss_fn_inputs).reduce((sum, { data }) => sum + data.length, 0);
  return 10 * (tokens + values) + 200;
}

/** What a decoder threw, as a `malformed` error of this call. */
export function asMalformed(path: string, error: unknown): TinkerError {
  if (TinkerError.is(error)) return error;
  return new TinkerError("malformed", `${path}: ${messageOf(error)}`);
}
