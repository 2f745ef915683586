/**
 * `ForwardBackwardOutput` as protobuf.
 *
 * Its outputs are column-wise: an ArrayRecord holds, for each field, the values of all its datums in one run of bytes
 * with `num_datums + 1` byte offsets. A server may send several records; their datums follow each other.
 */
import { packedIntegers } from "../../onnx/proto/wire.ts";
import type { ForwardBackwardOutput, TensorData } from "./messages.ts";
import {
  asBytes,
  asDouble,
  asEntry,
  asInteger,
  asIntegers,
  asString,
  type Bytes,
  bytes,
  concat,
  double,
  entry,
  integer,
  malformed,
  message,
  readFields,
  string,
  unlessZero,
} from "./protobuf.ts";
import { elementsOf, packElements, packInt64, unpackInt64 } from "./tensors.ts";

/** All datums have the same fields, and a field one element type: they become one record. */
export function encodeForwardBackwardOutput(output: ForwardBackwardOutput): Bytes {
  const { loss_fn_output_type, loss_fn_outputs, metrics } = output;
  const fields = Object.keys(loss_fn_outputs[0] ?? {});
  const record = concat([
    string(1, loss_fn_output_type),
    ...fields.map((name) =>
      entry(2, name, message(2, [encodeColumn(loss_fn_outputs.map((datum) => datum[name]!))])),
    ),
    unlessZero(3, loss_fn_outputs.length),
  ]);
  return concat([
    string(1, loss_fn_output_type),
    ...(loss_fn_outputs.length > 0 ? [message(2, [record])] : []),
    ...Object.entries(metrics).map(([key, value]) => entry(3, key, double(2, value))),
  ]);
}

/** Message `BatchedTensor`: 1 data, 2 byte offsets, 3 dtype, 4 trailing shape. */
function encodeColumn(tensors: readonly TensorData[]): Bytes {
  const packed = tensors.map((tensor) => packElements(tensor));
  const offsets = [0];
  for (const { payload } of packed) offsets.push(offsets.at(-1)! + payload.length);
  const trailing = tensors[0]?.shape?.slice(1) ?? [];
  return concat([
    bytes(1, concat(packed.map(({ payload }) => payload))),
    bytes(2, packInt64(offsets)),
    integer(3, packed[0]?.code ?? 1),
    ...(trailing.length > 0 ? [packedIntegers(4, trailing)] : []),
  ]);
}

export function decodeForwardBackwardOutput(source: Uint8Array): ForwardBackwardOutput {
  const what = "ForwardBackwardOutput";
  const out: ForwardBackwardOutput = { loss_fn_output_type: "", loss_fn_outputs: [], metrics: {} };
  for (const field of readFields(source, what)) {
    if (field.number === 1) out.loss_fn_output_type = asString(field, what);
    if (field.number === 2) out.loss_fn_outputs.push(...decodeRecord(asBytes(field, what)));
    if (field.number === 3) {
      const { key, value } = asEntry(field, `${what}.metrics`);
      out.metrics[key] = value === undefined ? 0 : asDouble(value, `${what}.metrics.${key}`);
    }
  }
  return out;
}

type Outputs = Record<string, TensorData>;

function decodeRecord(source: Uint8Array): Outputs[] {
  const what = "ArrayRecord";
  let count = 0;
  const columns = new Map<string, TensorData[]>();
  for (const field of readFields(source, what)) {
    if (field.number === 2) {
      const { key, value } = asEntry(field, `${what}.fields`);
      const at = `${what}.fields.${key}`;
      columns.set(key, decodeColumn(value ? asBytes(value, at) : new Uint8Array(0), at));
    }
    if (field.number === 3) count = asInteger(field, `${what}.num_datums`);
  }
  for (const [key, { length }] of columns) {
    if (length !== count)
      throw malformed(`${what}.fields.${key}`, `has ${length} datums, not ${count}`);
  }
  return Array.from({ length: count }, (_, i) =>
    Object.fromEntries([...columns].map(([key, column]) => [key, column[i]!])),
  );
}

function decodeColumn(source: Uint8Array, what: string): TensorData[] {
  let data: Uint8Array = new Uint8Array(0);
  let offsets: number[] = [];
  let dtype = 0;
  const trailing: number[] = [];
  for (const field of readFields(source, what)) {
    if (field.number === 1) data = asBytes(field, what);
    if (field.number === 2) offsets = unpackInt64(asBytes(field, what), `${what}.offsets`);
    if (field.number === 3) dtype = asInteger(field, what);
    if (field.number === 4) trailing.push(...asIntegers(field, what));
  }
  const stride = trailing.reduce((product, dim) => product * dim, 1);
  return offsets.slice(1).map((end, i) => {
    const start = offsets[i]!;
    if (start < 0 || end < start || end > data.length) {
      throw malformed(what, `has offsets ${start} to ${end} in ${data.length} bytes`);
    }
    const elements = elementsOf(data.subarray(start, end), dtype, what);
    return { ...elements, shape: [elements.data.length / Math.max(stride, 1), ...trailing] };
  });
}
