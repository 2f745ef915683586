/**
 * Encodes and decodes `ForwardBackwardRequest` as protobuf, the only request that the newer dialect does not send as
 * JSON.
 *
 * Field numbers are those of the descriptor in the official SDK (package `tinker_public`); docs/reference/tinker.md has
 * the table.
 */
import type { Chunk, Datum, ForwardBackwardRequest, TensorData } from "./messages.ts";
import {
  type Bytes,
  bytesField,
  concatBytes,
  type Field,
  malformedProtobuf,
  messageField,
  readBytes,
  readDouble,
  readFields,
  readInteger,
  readMapEntry,
  readString,
  stringField,
  writeDouble,
  writeIntegerUnlessZero,
  writeMapEntry,
} from "./protobuf.ts";
import { decodeTensor, encodeTensor, packInt32, unpackInt32 } from "./tensors.ts";

export function encodeForwardBackwardRequest(request: ForwardBackwardRequest): Bytes {
  const { model_id, seq_id, data, loss_fn, loss_fn_config = {}, forward_only = false } = request;
  return concatBytes([
    stringField(1, model_id),
    writeIntegerUnlessZero(2, seq_id ?? 0),
    ...data.map((datum) => messageField(3, [encodeDatum(datum)])),
    stringField(4, loss_fn),
    ...Object.entries(loss_fn_config).map(([key, value]) =>
      writeMapEntry(5, key, writeDouble(2, value)),
    ),
    writeIntegerUnlessZero(6, forward_only ? 1 : 0),
  ]);
}

/**
 * Throws an `engine` error that names the field when bytes are malformed, a tensor is sparse or an input is not text.
 */
export function decodeForwardBackwardRequest(source: Uint8Array): ForwardBackwardRequest {
  const messageName = "ForwardBackwardRequest";
  const out: ForwardBackwardRequest = { model_id: "", data: [], loss_fn: "" };
  const config: Record<string, number> = {};
  for (const field of readFields(source, messageName)) {
    if (field.number === 1) out.model_id = readString(field, `${messageName}.model_id`);
    if (field.number === 2) out.seq_id = readInteger(field, `${messageName}.seq_id`);
    if (field.number === 3) {
      const datumPath = `${messageName}.data[${out.data.length}]`;
      out.data.push(decodeDatum(readBytes(field, datumPath), datumPath));
    }
    if (field.number === 4) out.loss_fn = readString(field, `${messageName}.loss_fn`);
    if (field.number === 5 || field.number === 7) {
      const { key, value } = readMapEntry(field, `${messageName}.loss_fn_config`);
      config[key] = field.number === 5 ? readConfigDouble(value) : readConfigUnion(key, value);
    }
    if (field.number === 6)
      out.forward_only = readInteger(field, `${messageName}.forward_only`) !== 0;
  }
  if (Object.keys(config).length > 0) out.loss_fn_config = config;
  return out;
}

/** Protobuf writers leave zeros out, so an absent value is zero. */
function readConfigDouble(value: Field | undefined): number {
  return value === undefined ? 0 : readDouble(value, "ForwardBackwardRequest.loss_fn_config");
}

/** Newer SDKs write a union: field 1 is a number, field 2 a text. Throws on a text, because no known loss takes one. */
function readConfigUnion(key: string, value: Field | undefined): number {
  const fieldPath = `ForwardBackwardRequest.loss_fn_config_v2.${key}`;
  const [field] = value ? readFields(readBytes(value, fieldPath), fieldPath) : [];
  if (field?.number === 1) return readDouble(field, fieldPath);
  throw malformedProtobuf(fieldPath, "is not a number");
}

function encodeDatum({ model_input, loss_fn_inputs }: Datum): Bytes {
  return concatBytes([
    ...model_input.chunks.map(({ tokens }) =>
      messageField(1, [messageField(1, [bytesField(1, packInt32(tokens))])]),
    ),
    ...Object.entries(loss_fn_inputs).map(([key, tensor]) =>
      writeMapEntry(2, key, messageField(2, [encodeTensor(tensor)])),
    ),
  ]);
}

function decodeDatum(source: Uint8Array, fieldPath: string): Datum {
  const chunks: Chunk[] = [];
  const loss_fn_inputs: Record<string, TensorData> = {};
  for (const field of readFields(source, fieldPath)) {
    if (field.number === 1) chunks.push(decodeChunk(readBytes(field, fieldPath), fieldPath));
    if (field.number === 2) {
      const { key, value } = readMapEntry(field, fieldPath);
      const inputPath = `${fieldPath}.loss_fn_inputs.${key}`;
      loss_fn_inputs[key] = decodeTensor(
        value ? readBytes(value, inputPath) : new Uint8Array(0),
        inputPath,
      );
    }
  }
  return { model_input: { chunks }, loss_fn_inputs };
}

function decodeChunk(source: Uint8Array, fieldPath: string): Chunk {
  const [field] = readFields(source, fieldPath);
  if (field?.number !== 1) {
    throw malformedProtobuf(
      fieldPath,
      "has an input that is not encoded_text, the only kind that is supported",
    );
  }
  let tokens: number[] = [];
  for (const part of readFields(readBytes(field, fieldPath), fieldPath)) {
    if (part.number === 1)
      tokens = unpackInt32(readBytes(part, fieldPath), `${fieldPath}.model_input`);
  }
  return { type: "encoded_text", tokens };
}
