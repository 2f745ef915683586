/**
 * `ForwardBackwardOutput` as protobuf.
 *
 * Its outputs are stored by column: an `ArrayRecord` holds, for each field, the values of all datums as one run of
 * bytes with `num_datums + 1` byte offsets. A server may send several records, whose datums follow each other.
 */
import { packedIntegersField } from "../../onnx/proto/wire.ts";
import type { ForwardBackwardOutput, TensorData } from "./messages.ts";
import {
  type Bytes,
  bytesField,
  concatBytes,
  integerField,
  malformedProtobuf,
  messageField,
  readBytes,
  readDouble,
  readFields,
  readInteger,
  readIntegers,
  readMapEntry,
  readString,
  stringField,
  writeDouble,
  writeIntegerUnlessZero,
  writeMapEntry,
} from "./protobuf.ts";
import { packElements, packInt64, unpackElements, unpackInt64 } from "./tensors.ts";

/** Writes all datums as one record: they all have the same fields, and each field has one element type. */
export function encodeForwardBackwardOutput(output: ForwardBackwardOutput): Bytes {
  const { loss_fn_output_type, loss_fn_outputs, metrics } = output;
  const fields = Object.keys(loss_fn_outputs[0] ?? {});
  const record = concatBytes([
    stringField(1, loss_fn_output_type),
    ...fields.map((name) =>
      writeMapEntry(
        2,
        name,
        messageField(2, [encodeColumn(loss_fn_outputs.map((datum) => datum[name]!))]),
      ),
    ),
    writeIntegerUnlessZero(3, loss_fn_outputs.length),
  ]);
  return concatBytes([
    stringField(1, loss_fn_output_type),
    ...(loss_fn_outputs.length > 0 ? [messageField(2, [record])] : []),
    ...Object.entries(metrics).map(([key, value]) => writeMapEntry(3, key, writeDouble(2, value))),
  ]);
}

/**
 * Writes the message `BatchedTensor`: field 1 is the data, 2 the byte offsets, 3 the element type, 4 the trailing
 * shape.
 */
function encodeColumn(tensors: readonly TensorData[]): Bytes {
  const packed = tensors.map((tensor) => packElements(tensor));
  const offsets = [0];
  for (const { payload } of packed) offsets.push(offsets.at(-1)! + payload.length);
  const trailing = tensors[0]?.shape?.slice(1) ?? [];
  return concatBytes([
    bytesField(1, concatBytes(packed.map(({ payload }) => payload))),
    bytesField(2, packInt64(offsets)),
    integerField(3, packed[0]?.code ?? 1),
    ...(trailing.length > 0 ? [packedIntegersField(4, trailing)] : []),
  ]);
}

export function decodeForwardBackwardOutput(source: Uint8Array): ForwardBackwardOutput {
  const messageName = "ForwardBackwardOutput";
  const output: ForwardBackwardOutput = {
    loss_fn_output_type: "",
    loss_fn_outputs: [],
    metrics: {},
  };
  for (const field of readFields(source, messageName)) {
    if (field.number === 1) output.loss_fn_output_type = readString(field, messageName);
    if (field.number === 2)
      output.loss_fn_outputs.push(...decodeRecord(readBytes(field, messageName)));
    if (field.number === 3) {
      const { key, value } = readMapEntry(field, `${messageName}.metrics`);
      output.metrics[key] =
        value === undefined ? 0 : readDouble(value, `${messageName}.metrics.${key}`);
    }
  }
  return output;
}

type DatumOutputs = Record<string, TensorData>;

function decodeRecord(source: Uint8Array): DatumOutputs[] {
  const messageName = "ArrayRecord";
  let count = 0;
  const columns = new Map<string, TensorData[]>();
  for (const field of readFields(source, messageName)) {
    if (field.number === 2) {
      const { key, value } = readMapEntry(field, `${messageName}.fields`);
      const columnPath = `${messageName}.fields.${key}`;
      columns.set(
        key,
        decodeColumn(value ? readBytes(value, columnPath) : new Uint8Array(0), columnPath),
      );
    }
    if (field.number === 3) count = readInteger(field, `${messageName}.num_datums`);
  }
  for (const [key, { length }] of columns) {
    if (length !== count)
      throw malformedProtobuf(
        `${messageName}.fields.${key}`,
        `has ${length} datums, expected ${count}`,
      );
  }
  return Array.from({ length: count }, (_, i) =>
    Object.fromEntries([...columns].map(([key, column]) => [key, column[i]!])),
  );
}

function decodeColumn(source: Uint8Array, fieldPath: string): TensorData[] {
  let data: Uint8Array = new Uint8Array(0);
  let offsets: number[] = [];
  let dtype = 0;
  const trailingShape: number[] = [];
  for (const field of readFields(source, fieldPath)) {
    if (field.number === 1) data = readBytes(field, fieldPath);
    if (field.number === 2)
      offsets = unpackInt64(readBytes(field, fieldPath), `${fieldPath}.offsets`);
    if (field.number === 3) dtype = readInteger(field, fieldPath);
    if (field.number === 4) trailingShape.push(...readIntegers(field, fieldPath));
  }
  const stride = trailingShape.reduce((product, dim) => product * dim, 1);
  return offsets.slice(1).map((end, i) => {
    const start = offsets[i]!;
    if (start < 0 || end < start || end > data.length) {
      throw malformedProtobuf(
        fieldPath,
        `has byte offsets ${start} to ${end}, but only ${data.length} bytes`,
      );
    }
    const elements = unpackElements(data.subarray(start, end), dtype, fieldPath);
    return { ...elements, shape: [elements.data.length / Math.max(stride, 1), ...trailingShape] };
  });
}
