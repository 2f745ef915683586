/**
 * `ForwardBackwardRequest` as protobuf: the one request that the newer dialect does not send as JSON.
 *
 * Field numbers are those of the descriptor in the official SDK (package `tinker_public`); docs/reference/tinker.md has the table.
 */
import type { Chunk, Datum, ForwardBackwardRequest, TensorData } from "./messages.ts";
import {
  asBytes,
  asDouble,
  asEntry,
  asInteger,
  asString,
  type Bytes,
  bytes,
  concat,
  double,
  entry,
  type Field,
  malformed,
  message,
  readFields,
  string,
  unlessZero,
} from "./protobuf.ts";
import { decodeTensor, encodeTensor, packInt32, unpackInt32 } from "./tensors.ts";

export function encodeForwardBackwardRequest(request: ForwardBackwardRequest): Bytes {
  const { model_id, seq_id, data, loss_fn, loss_fn_config = {}, forward_only = false } = request;
  return concat([
    string(1, model_id),
    unlessZero(2, seq_id ?? 0),
    ...data.map((datum) => message(3, [encodeDatum(datum)])),
    string(4, loss_fn),
    ...Object.entries(loss_fn_config).map(([key, value]) => entry(5, key, double(2, value))),
    unlessZero(6, forward_only ? 1 : 0),
  ]);
}

/** Throws an `engine` error that names the field on malformed bytes, sparse tensors and inputs that are not text. */
export function decodeForwardBackwardRequest(source: Uint8Array): ForwardBackwardRequest {
  const what = "ForwardBackwardRequest";
  const out: ForwardBackwardRequest = { model_id: "", data: [], loss_fn: "" };
  const config: Record<string, number> = {};
  for (const field of readFields(source, what)) {
    if (field.number === 1) out.model_id = asString(field, `${what}.model_id`);
    if (field.number === 2) out.seq_id = asInteger(field, `${what}.seq_id`);
    if (field.number === 3) {
      const at = `${what}.data[${out.data.length}]`;
      out.data.push(decodeDatum(asBytes(field, at), at));
    }
    if (field.number === 4) out.loss_fn = asString(field, `${what}.loss_fn`);
    if (field.number === 5 || field.number === 7) {
      const { key, value } = asEntry(field, `${what}.loss_fn_config`);
      config[key] = field.number === 5 ? doubleOf(value) : configNumber(key, value);
    }
    if (field.number === 6) out.forward_only = asInteger(field, `${what}.forward_only`) !== 0;
  }
  if (Object.keys(config).length > 0) out.loss_fn_config = config;
  return out;
}

/** The default of a double is zero, and is not written. */
function doubleOf(value: Field | undefined): number {
  return value === undefined ? 0 : asDouble(value, "ForwardBackwardRequest.loss_fn_config");
}

/** Newer SDKs have a union here: 1 number, 2 text. No loss that we know takes text. */
function configNumber(key: string, value: Field | undefined): number {
  const what = `ForwardBackwardRequest.loss_fn_config_v2.${key}`;
  const [field] = value ? readFields(asBytes(value, what), what) : [];
  if (field?.number === 1) return asDouble(field, what);
  throw malformed(what, "is no number");
}

function encodeDatum({ model_input, loss_fn_inputs }: Datum): Bytes {
  return concat([
    ...model_input.chunks.map(({ tokens }) =>
      message(1, [message(1, [bytes(1, packInt32(tokens))])]),
    ),
    ...Object.entries(loss_fn_inputs).map(([key, tensor]) =>
      entry(2, key, message(2, [encodeTensor(tensor)])),
    ),
  ]);
}

function decodeDatum(source: Uint8Array, what: string): Datum {
  const chunks: Chunk[] = [];
  const loss_fn_inputs: Record<string, TensorData> = {};
  for (const field of readFields(source, what)) {
    if (field.number === 1) chunks.push(decodeChunk(asBytes(field, what), what));
    if (field.number === 2) {
      const { key, value } = asEntry(field, what);
      const at = `${what}.loss_fn_inputs.${key}`;
      loss_fn_inputs[key] = decodeTensor(value ? asBytes(value, at) : new Uint8Array(0), at);
    }
  }
  return { model_input: { chunks }, loss_fn_inputs };
}

function decodeChunk(source: Uint8Array, what: string): Chunk {
  const [field] = readFields(source, what);
  if (field?.number !== 1) {
    throw malformed(what, "has an input that is not encoded_text, the only kind that is supported");
  }
  let tokens: number[] = [];
  for (const part of readFields(asBytes(field, what), what)) {
    if (part.number === 1) tokens = unpackInt32(asBytes(part, what), `${what}.model_input`);
  }
  return { type: "encoded_text", tokens };
}
