/** `SampleResponse` as protobuf. Proto3 leaves zeros out, so an absent stop reason is "stop". */
import type { SampledSequence, SampleResponse } from "./messages.ts";
import {
  asBytes,
  asInteger,
  type Bytes,
  bytes,
  concat,
  malformed,
  message,
  readFields,
  unlessZero,
} from "./protobuf.ts";
import { packFloat32, packInt32, unpackFloat32, unpackInt32 } from "./tensors.ts";

const STOP_REASONS = ["stop", "length"] as const;
/** Log-prob of a cell that has no token. */
const EMPTY_CELL = -99_999;

export function encodeSampleResponse(response: SampleResponse): Bytes {
  const { sequences, prompt_logprobs, topk_prompt_logprobs, prompt_cache_hit_tokens } = response;
  return concat([
    ...sequences.map((sequence) => message(1, [encodeSequence(sequence)])),
    ...(prompt_logprobs ? [bytes(2, packFloat32(prompt_logprobs))] : []),
    ...(topk_prompt_logprobs ? [message(3, [encodeTopk(topk_prompt_logprobs)])] : []),
    unlessZero(4, prompt_cache_hit_tokens ?? 0),
  ]);
}

function encodeSequence({ stop_reason, tokens, logprobs }: SampledSequence): Bytes {
  return concat([
    unlessZero(1, STOP_REASONS.indexOf(stop_reason)),
    bytes(2, packInt32(tokens)),
    ...(logprobs ? [bytes(3, packFloat32(logprobs))] : []),
  ]);
}

type Topk = NonNullable<SampleResponse["topk_prompt_logprobs"]>;

/** Message `TopkLogprobs`: 1 ids and 2 log-probs of a table of `length` (4) rows and `k` (3) columns. */
function encodeTopk(rows: Topk): Bytes {
  const k = Math.max(0, ...rows.map((row) => row?.length ?? 0));
  const cells = rows.flatMap((row) =>
    Array.from({ length: k }, (_, j) => row?.[j] ?? ([0, EMPTY_CELL] as const)),
  );
  return concat([
    bytes(1, packInt32(cells.map(([id]) => id))),
    bytes(2, packFloat32(cells.map(([, logprob]) => logprob))),
    unlessZero(3, k),
    unlessZero(4, rows.length),
  ]);
}

/** A missing prompt log-prob is null, as in JSON. */
export function decodeSampleResponse(source: Uint8Array): SampleResponse {
  const what = "SampleResponse";
  const out: SampleResponse = { sequences: [] };
  for (const field of readFields(source, what)) {
    if (field.number === 1) out.sequences.push(decodeSequence(asBytes(field, what)));
    if (field.number === 2) {
      const values = unpackFloat32(asBytes(field, what), `${what}.prompt_logprobs`);
      out.prompt_logprobs = values.map((value) => (Number.isNaN(value) ? null : value));
    }
    if (field.number === 3) out.topk_prompt_logprobs = decodeTopk(asBytes(field, what));
    if (field.number === 4) out.prompt_cache_hit_tokens = asInteger(field, what);
  }
  return out;
}

function decodeSequence(source: Uint8Array): SampledSequence {
  const what = "SampledSequence";
  const out: SampledSequence = { stop_reason: "stop", tokens: [] };
  for (const field of readFields(source, what)) {
    if (field.number === 1) {
      const reason = STOP_REASONS[asInteger(field, what)];
      if (reason === undefined) throw malformed(what, `has stop reason ${field.value}`);
      out.stop_reason = reason;
    }
    if (field.number === 2) out.tokens = unpackInt32(asBytes(field, what), `${what}.tokens`);
    if (field.number === 3) out.logprobs = unpackFloat32(asBytes(field, what), `${what}.logprobs`);
  }
  return out;
}

function decodeTopk(source: Uint8Array): Topk {
  const what = "TopkLogprobs";
  let [k, length] = [0, 0];
  let ids: number[] = [];
  let logprobs: number[] = [];
  for (const field of readFields(source, what)) {
    if (field.number === 1) ids = unpackInt32(asBytes(field, what), what);
    if (field.number === 2) logprobs = unpackFloat32(asBytes(field, what), what);
    if (field.number === 3) k = asInteger(field, what);
    if (field.number === 4) length = asInteger(field, what);
  }
  if (ids.length !== k * length || logprobs.length !== ids.length) {
    throw malformed(what, `has ${ids.length} cells in a table of ${length} by ${k}`);
  }
  return Array.from({ length }, (_, row) => {
    const cells = Array.from({ length: k }, (_, j): [number, number] => [
      ids[row * k + j]!,
      logprobs[row * k + j]!,
    ]).filter(([, logprob]) => logprob > EMPTY_CELL);
    return cells.length > 0 ? cells : null;
  });
}
