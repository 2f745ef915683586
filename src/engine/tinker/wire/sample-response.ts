/**
 * `SampleResponse` as protobuf. Proto3 does not write zeros, so an absent stop reason means "stop", which is number 0.
 */
import type { SampledSequence, SampleResponse } from "./messages.ts";
import {
  type Bytes,
  bytesField,
  concatBytes,
  malformedProtobuf,
  messageField,
  readBytes,
  readFields,
  readInteger,
  writeIntegerUnlessZero,
} from "./protobuf.ts";
import { packFloat32, packInt32, unpackFloat32, unpackInt32 } from "./tensors.ts";

const STOP_REASONS = ["stop", "length"] as const;
/** The log-prob in a table cell that holds no token. */
const EMPTY_CELL_LOGPROB = -99_999;

export function encodeSampleResponse(response: SampleResponse): Bytes {
  const { sequences, prompt_logprobs, topk_prompt_logprobs, prompt_cache_hit_tokens } = response;
  return concatBytes([
    ...sequences.map((sequence) => messageField(1, [encodeSequence(sequence)])),
    ...(prompt_logprobs ? [bytesField(2, packFloat32(prompt_logprobs))] : []),
    ...(topk_prompt_logprobs ? [messageField(3, [encodeTopk(topk_prompt_logprobs)])] : []),
    writeIntegerUnlessZero(4, prompt_cache_hit_tokens ?? 0),
  ]);
}

function encodeSequence({ stop_reason, tokens, logprobs }: SampledSequence): Bytes {
  return concatBytes([
    writeIntegerUnlessZero(1, STOP_REASONS.indexOf(stop_reason)),
    bytesField(2, packInt32(tokens)),
    ...(logprobs ? [bytesField(3, packFloat32(logprobs))] : []),
  ]);
}

type TopkLogprobs = NonNullable<SampleResponse["topk_prompt_logprobs"]>;

/**
 * Writes the message `TopkLogprobs`: field 1 holds the token ids and field 2 the log-probs of a table with `length`
 * (field 4) rows and `k` (field 3) columns.
 */
function encodeTopk(rows: TopkLogprobs): Bytes {
  const k = Math.max(0, ...rows.map((row) => row?.length ?? 0));
  const cells = rows.flatMap((row) =>
    Array.from({ length: k }, (_, j) => row?.[j] ?? ([0, EMPTY_CELL_LOGPROB] as const)),
  );
  return concatBytes([
    bytesField(1, packInt32(cells.map(([id]) => id))),
    bytesField(2, packFloat32(cells.map(([, logprob]) => logprob))),
    writeIntegerUnlessZero(3, k),
    writeIntegerUnlessZero(4, rows.length),
  ]);
}

/** Reads a sampling answer; a missing prompt log-prob becomes null, as in JSON. */
export function decodeSampleResponse(source: Uint8Array): SampleResponse {
  const messageName = "SampleResponse";
  const out: SampleResponse = { sequences: [] };
  for (const field of readFields(source, messageName)) {
    if (field.number === 1) out.sequences.push(decodeSequence(readBytes(field, messageName)));
    if (field.number === 2) {
      const values = unpackFloat32(readBytes(field, messageName), `${messageName}.prompt_logprobs`);
      out.prompt_logprobs = values.map((value) => (Number.isNaN(value) ? null : value));
    }
    if (field.number === 3) out.topk_prompt_logprobs = decodeTopk(readBytes(field, messageName));
    if (field.number === 4) out.prompt_cache_hit_tokens = readInteger(field, messageName);
  }
  return out;
}

function decodeSequence(source: Uint8Array): SampledSequence {
  const messageName = "SampledSequence";
  const out: SampledSequence = { stop_reason: "stop", tokens: [] };
  for (const field of readFields(source, messageName)) {
    if (field.number === 1) {
      const reason = STOP_REASONS[readInteger(field, messageName)];
      if (reason === undefined)
        throw malformedProtobuf(messageName, `has stop reason ${field.value}`);
      out.stop_reason = reason;
    }
    if (field.number === 2)
      out.tokens = unpackInt32(readBytes(field, messageName), `${messageName}.tokens`);
    if (field.number === 3)
      out.logprobs = unpackFloat32(readBytes(field, messageName), `${messageName}.logprobs`);
  }
  return out;
}

function decodeTopk(source: Uint8Array): TopkLogprobs {
  const messageName = "TopkLogprobs";
  let [k, length] = [0, 0];
  let ids: number[] = [];
  let logprobs: number[] = [];
  for (const field of readFields(source, messageName)) {
    if (field.number === 1) ids = unpackInt32(readBytes(field, messageName), messageName);
    if (field.number === 2) logprobs = unpackFloat32(readBytes(field, messageName), messageName);
    if (field.number === 3) k = readInteger(field, messageName);
    if (field.number === 4) length = readInteger(field, messageName);
  }
  if (ids.length !== k * length || logprobs.length !== ids.length) {
    throw malformedProtobuf(
      messageName,
      `has ${ids.length} cells, expected a table of ${length} rows and ${k} columns`,
    );
  }
  return Array.from({ length }, (_, row) => {
    const cells = Array.from({ length: k }, (_, j): [number, number] => [
      ids[row * k + j]!,
      logprobs[row * k + j]!,
    ]).filter(([, logprob]) => logprob > EMPTY_CELL_LOGPROB);
    return cells.length > 0 ? cells : null;
  });
}
