/**
 * Checks of datums before they are sent. Servers do not check them: they silently cut or pad a tensor of the wrong
 * length, and a token id outside the vocabulary turns the whole gradient into NaN.
 */
import { errorMessage } from "../../../core/index.ts";
import type { Datum, TensorData } from "../wire/index.ts";
import { TinkerError } from "./errors.ts";

export interface TokenBounds {
  /** When undefined, the check only requires that ids are not negative. */
  readonly vocabularySize?: number | undefined;
  readonly contextLength?: number | undefined;
}

/** Rounding in half precision may put a log-prob a little above zero. A larger value is not a log-prob. */
export const LOGPROB_SLACK = 0.01;

/** Throws an `invalid` error that names the datum and the field. */
export function checkDatums(data: readonly Datum[], bounds: TokenBounds): void {
  if (data.length === 0) throwInvalid("the request has no datum; it needs at least one");
  data.forEach((datum, index) => {
    checkDatum(datum, `datum ${index}`, bounds);
  });
}

function checkDatum(
  { model_input, loss_fn_inputs }: Datum,
  label: string,
  bounds: TokenBounds,
): void {
  const tokens = model_input.chunks.flatMap((chunk) => chunk.tokens);
  checkTokens(tokens, `${label}: model_input`, bounds);
  for (const [name, tensor] of Object.entries(loss_fn_inputs)) {
    checkTensor(tensor, `${label}: ${name}`, tokens.length);
  }
  const { target_tokens, logprobs, advantages, weights } = loss_fn_inputs;
  if (target_tokens) checkTokens(target_tokens.data, `${label}: target_tokens`, bounds);
  logprobs?.data.forEach((value, i) => {
    if (value > LOGPROB_SLACK)
      throwInvalid(`${label}: logprobs[${i}] must not be above 0, but is ${value}`);
  });
  if (!weights || !advantages) return;
  advantages.data.forEach((value, i) => {
    if (value !== 0 && weights.data[i] === 0) {
      throwInvalid(
        `${label}: advantages[${i}] must be 0 where the weight is 0, but it is ${value}`,
      );
    }
  });
}

function checkTensor({ data, shape }: TensorData, label: string, length: number): void {
  if (data.length !== length)
    throwInvalid(
      `${label} has ${data.length} values, expected one for each of the ${length} tokens`,
    );
  const size = shape?.reduce((product, dim) => product * dim, 1) ?? length;
  if (size !== length)
    throwInvalid(
      `${label} has shape [${shape?.join(", ")}], which does not fit its ${length} values`,
    );
  const bad = data.findIndex((value) => !Number.isFinite(Math.fround(value)));
  if (bad >= 0) throwInvalid(`${label}[${bad}] must be a finite float32, but it is ${data[bad]}`);
}

/** Requires at least one token, no more than the context holds, and each id in the vocabulary. */
export function checkTokens(tokens: readonly number[], label: string, bounds: TokenBounds): void {
  const { vocabularySize = 2 ** 31, contextLength = Number.POSITIVE_INFINITY } = bounds;
  if (tokens.length === 0) throwInvalid(`${label} has no tokens; it needs at least one`);
  if (tokens.length > contextLength) {
    throwInvalid(`${label} has ${tokens.length} tokens, but the context is ${contextLength}`);
  }
  const bad = tokens.findIndex((id) => !(Number.isInteger(id) && id >= 0 && id < vocabularySize));
  if (bad < 0) return;
  throwInvalid(
    `${label}[${bad}] must be a token id from 0 to ${vocabularySize - 1}, but it is ${tokens[bad]}`,
  );
}

export function throwInvalid(message: string): never {
  throw new TinkerError("invalid", message);
}

export interface ChunkLimits {
  readonly datums: number;
  readonly bytes: number;
}
/** The limits on one request that the hosted service states in `client/config`. */
export const CHUNK_LIMITS: ChunkLimits = { datums: 1024, bytes: 5_000_000 };

/** Splits datums, in order, into groups that each fit into one request. */
export function splitIntoRequests(data: readonly Datum[], limits: ChunkLimits): Datum[][] {
  const chunks: Datum[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const datum of data) {
    const size = estimateJsonBytes(datum);
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

/** Estimates a datum's size as JSON, at ten characters per number. */
function estimateJsonBytes({ model_input, loss_fn_inputs }: Datum): number {
  const tokens = model_input.chunks.reduce((sum, chunk) => sum + chunk.tokens.length, 0);
  const values = Object.values(loss_fn_inputs).reduce((sum, { data }) => sum + data.length, 0);
  return 10 * (tokens + values) + 200;
}

/** Turns an error that a decoder threw into a `malformed` error that names the call. */
export function toMalformedError(path: string, error: unknown): TinkerError {
  if (TinkerError.is(error)) return error;
  return new TinkerError("malformed", `${path}: ${errorMessage(error)}`);
}
