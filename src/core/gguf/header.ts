/**
 * Reads the header of a GGUF file: magic, version, counts, typed metadata and a table of tensors. The whole header is
 * checked before any tensor is read: names must be unique, and each tensor must be aligned, lie inside the file and
 * overlap no other tensor.
 */
import { GgufCursor, MalformedGguf } from "./gguf-cursor.ts";
import {
  alignUp,
  DEFAULT_ALIGNMENT,
  findTensorType,
  GGUF_MAGIC,
  type GgufTensor,
  type GgufValue,
  MAX_DIMS,
  TENSOR_TYPES,
  VALUE_KINDS,
} from "./types.ts";

/** The largest number of bytes that a header may have. The vocabulary of a large model takes about ten million. */
const MAX_HEADER_BYTES = 128 * 2 ** 20;
/** The largest number of elements that all arrays of the metadata may have together. */
const MAX_ELEMENTS = 2 ** 22;
const MAX_NESTING = 4;
/** The smallest number of bytes of a metadata pair, and of a row in the table of tensors. */
const [MIN_PAIR_BYTES, MIN_ROW_BYTES] = [13, 32];

export interface GgufHeader {
  readonly version: number;
  readonly metadata: ReadonlyMap<string, GgufValue>;
  readonly tensors: ReadonlyMap<string, GgufTensor>;
}

/** Reads and checks the header of an open file. Throws a `MalformedGguf` error. */
export function readHeader(file: number, sizeBytes: number): GgufHeader {
  const cursor = new GgufCursor(file, sizeBytes, MAX_HEADER_BYTES);
  const version = readVersion(cursor, sizeBytes);
  const tensorCount = cursor.readUint64("number of tensors");
  const pairCount = cursor.readUint64("number of metadata pairs");
  const checkedPairCount = cursor.requireRemaining(
    pairCount,
    MIN_PAIR_BYTES,
    "number of metadata pairs",
  );
  cursor.requireRemaining(tensorCount, MIN_ROW_BYTES, "number of tensors");
  const metadata = readMetadata(cursor, checkedPairCount);
  const rowCount = cursor.requireRemaining(tensorCount, MIN_ROW_BYTES, "number of tensors");
  const tensors = readTensorTable(cursor, rowCount, readAlignment(metadata), sizeBytes);
  return { version, metadata, tensors };
}

function readVersion(cursor: GgufCursor, sizeBytes: number): number {
  const magic = sizeBytes < 4 ? "" : cursor.readBytes(4, "magic").toString("latin1");
  if (magic !== GGUF_MAGIC)
    throw new MalformedGguf("it is not a GGUF file: it does not start with GGUF");
  const version = cursor.readUint32("version");
  if (version === 2 || version === 3) return version;
  if (version !== 0 && (version & 0xffff) === 0) {
    throw new MalformedGguf("it is big-endian; only little-endian files are supported");
  }
  throw new MalformedGguf(`it has GGUF version ${version}; only versions 2 and 3 are supported`);
}

function readMetadata(cursor: GgufCursor, pairs: number): Map<string, GgufValue> {
  const metadata = new Map<string, GgufValue>();
  const budget = { elements: MAX_ELEMENTS };
  for (let i = 0; i < pairs; i++) {
    const key = cursor.readString(`key ${i}`);
    if (metadata.has(key)) throw new MalformedGguf(`the key ${formatName(key)} occurs twice`);
    const kind = cursor.readUint32(`kind of ${formatName(key)}`);
    metadata.set(key, readValue(cursor, kind, formatName(key), MAX_NESTING, budget));
  }
  return metadata;
}

function readValue(
  cursor: GgufCursor,
  kind: number,
  fieldName: string,
  nesting: number,
  budget: { elements: number },
): GgufValue {
  const name = VALUE_KINDS[kind];
  if (name === undefined) throw new MalformedGguf(`${fieldName} has the unknown kind ${kind}`);
  if (name !== "array") return readScalar(cursor, name, fieldName);
  if (nesting === 0)
    throw new MalformedGguf(`${fieldName} nests arrays more than ${MAX_NESTING} deep`);
  const elementKind = cursor.readUint32(`kind of ${fieldName}`);
  const minimumBytes = minimumElementBytes(elementKind);
  const count = cursor.requireRemaining(
    cursor.readUint64(`length of ${fieldName}`),
    minimumBytes,
    `length of ${fieldName}`,
  );
  budget.elements -= count;
  if (budget.elements < 0) {
    throw new MalformedGguf(
      `${fieldName}: arrays may have at most ${MAX_ELEMENTS} elements together`,
    );
  }
  const values: GgufValue[] = [];
  for (let i = 0; i < count; i++) {
    values.push(readValue(cursor, elementKind, fieldName, nesting - 1, budget));
  }
  return values;
}

type ScalarKind = Exclude<(typeof VALUE_KINDS)[number], "array">;

const WIDTHS: Readonly<Record<ScalarKind, number>> = {
  uint8: 1,
  int8: 1,
  bool: 1,
  uint16: 2,
  int16: 2,
  uint32: 4,
  int32: 4,
  float32: 4,
  uint64: 8,
  int64: 8,
  float64: 8,
  /** A string has at least the 8 bytes of its length. */
  string: 8,
};

/**
 * Returns the smallest number of bytes that a value of this kind has. An array has at least 12: its kind and its
 * length.
 */
function minimumElementBytes(kind: number): number {
  const name = VALUE_KINDS[kind];
  return name === undefined ? 1 : name === "array" ? 12 : WIDTHS[name];
}

function readScalar(cursor: GgufCursor, kind: ScalarKind, fieldName: string): GgufValue {
  if (kind === "string") return cursor.readString(fieldName);
  const bytes = cursor.readBytes(WIDTHS[kind], fieldName);
  switch (kind) {
    case "uint8":
      return bytes.readUInt8();
    case "int8":
      return bytes.readInt8();
    case "bool":
      return bytes.readUInt8() !== 0;
    case "uint16":
      return bytes.readUInt16LE();
    case "int16":
      return bytes.readInt16LE();
    case "uint32":
      return bytes.readUInt32LE();
    case "int32":
      return bytes.readInt32LE();
    case "float32":
      return bytes.readFloatLE();
    case "float64":
      return bytes.readDoubleLE();
    case "uint64":
      return toNumberIfSafe(bytes.readBigUInt64LE());
    case "int64":
      return toNumberIfSafe(bytes.readBigInt64LE());
  }
}

function toNumberIfSafe(value: bigint): number | bigint {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

function readAlignment(metadata: ReadonlyMap<string, GgufValue>): number {
  const value = metadata.get("general.alignment") ?? DEFAULT_ALIGNMENT;
  if (typeof value === "number" && value >= 1 && Number.isInteger(Math.log2(value))) return value;
  throw new MalformedGguf(`general.alignment is ${String(value).slice(0, 40)}, not a power of two`);
}

function readTensorTable(
  cursor: GgufCursor,
  rowCount: number,
  alignment: number,
  sizeBytes: number,
): Map<string, GgufTensor> {
  const table = new Map<string, Omit<GgufTensor, "position"> & { readonly offset: number }>();
  for (let i = 0; i < rowCount; i++) {
    const name = cursor.readString(`name of tensor ${i}`);
    if (table.has(name)) throw new MalformedGguf(`the tensor ${formatName(name)} occurs twice`);
    table.set(name, readTensorEntry(cursor, formatName(name), alignment));
  }
  const start = alignUp(cursor.position, alignment);
  const tensors = new Map<string, GgufTensor>();
  for (const [name, { offset, ...row }] of table) {
    const position = start + offset;
    if (position + row.sizeBytes > sizeBytes) {
      throw new MalformedGguf(
        `${formatName(name)} should end at byte ${position + row.sizeBytes}, but the file is incomplete: it has ${sizeBytes}`,
      );
    }
    tensors.set(name, { ...row, position });
  }
  requireNoOverlaps(tensors);
  return tensors;
}

function readTensorEntry(cursor: GgufCursor, name: string, alignment: number) {
  const rank = cursor.readUint32(`rank of ${name}`);
  if (rank === 0 || rank > MAX_DIMS) {
    throw new MalformedGguf(`${name} has ${rank} dimensions; expected 1 to ${MAX_DIMS}`);
  }
  const dims: number[] = [];
  for (let i = 0; i < rank; i++)
    dims.push(requireSafeInteger(cursor.readUint64(`dims of ${name}`), name));
  const id = cursor.readUint32(`type of ${name}`);
  const type = findTensorType(id);
  if (type === undefined) throw new MalformedGguf(`${name} has the unknown tensor type ${id}`);
  const offset = requireSafeInteger(cursor.readUint64(`offset of ${name}`), name);
  if (offset % alignment !== 0) {
    throw new MalformedGguf(`${name} starts at ${offset}, which is not a multiple of ${alignment}`);
  }
  const { block, bytes } = TENSOR_TYPES[type];
  const elements = dims.reduce((a, b) => a * b, 1);
  if (dims.includes(0) || !Number.isSafeInteger(elements * bytes)) {
    throw new MalformedGguf(`${name} has impossible dimensions [${dims}]`);
  }
  if (dims[0]! % block !== 0) {
    throw new MalformedGguf(`${name} has rows of ${dims[0]}; ${type} needs multiples of ${block}`);
  }
  return { type, dims, offset, sizeBytes: (elements / block) * bytes };
}

function requireSafeInteger(value: bigint, name: string): number {
  if (value <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(value);
  throw new MalformedGguf(`${name} has a dimension or offset of ${value}`);
}

function requireNoOverlaps(tensors: ReadonlyMap<string, GgufTensor>): void {
  let end = 0;
  const inOrder = [...tensors].sort(([, a], [, b]) => a.position - b.position);
  for (const [name, { position, sizeBytes }] of inOrder) {
    if (position < end) throw new MalformedGguf(`${formatName(name)} overlaps another tensor`);
    end = position + sizeBytes;
  }
}

/** Formats a name from the file for a message of one line. */
function formatName(name: string): string {
  const text = JSON.stringify(name).slice(1, -1);
  return text.length > 80 ? `${text.slice(0, 80)}...` : text;
}
