/**
 * Tar archives of a few files without folders (POSIX ustar). An archive consists of blocks of 512 bytes: a header and
 * the content of each file, and two empty blocks at the end. When an archive is read, folders, links and extended
 * headers are ignored.
 */
import { BowlineError } from "./errors.ts";

export interface ArchivedFile {
  /** The file's name without folders. */
  readonly name: string;
  readonly data: Uint8Array;
}

const BLOCK_BYTES = 512;
/** Header fields as [offset, length] in bytes. */
const NAME_FIELD = [0, 100] as const;
const SIZE_FIELD = [124, 12] as const;
const CHECKSUM_FIELD = [148, 8] as const;
const TYPE_OFFSET = 156;

/** Returns an archive of the files. A name may have at most 100 bytes. */
export function packTar(files: readonly ArchivedFile[]): Uint8Array {
  const parts = files.flatMap(({ name, data }) => [
    createHeader(name, data.length),
    data,
    new Uint8Array(-data.length & (BLOCK_BYTES - 1)),
  ]);
  return Buffer.concat([...parts, new Uint8Array(2 * BLOCK_BYTES)]);
}

function createHeader(name: string, sizeBytes: number): Uint8Array {
  const header = Buffer.alloc(BLOCK_BYTES);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, "0");
  header.write(name, NAME_FIELD[0], NAME_FIELD[1]);
  // The mode, the owner and the group come before the size and the time. The time is always 0, so that equal files give
  // equal bytes.
  header.write("0000644\0" + "0000000\0" + "0000000\0", 100);
  header.write(`${octal(sizeBytes, 11)}\0${octal(0, 11)}\0`, SIZE_FIELD[0]);
  header.write("0", TYPE_OFFSET);
  header.write("ustar\x0000", 257, "latin1");
  header.write(`${octal(computeChecksum(header), 6)}\0 `, CHECKSUM_FIELD[0]);
  return header;
}

/** Returns the sum of a header's bytes. The bytes of the checksum field count as spaces. */
function computeChecksum(header: Uint8Array): number {
  const [fieldOffset, length] = CHECKSUM_FIELD;
  return header.reduce(
    (sum, byte, i) => sum + (i >= fieldOffset && i < fieldOffset + length ? 0x20 : byte),
    0,
  );
}

/**
 * Returns the files of an archive, each with only the last part of its name. Throws a `store` error when the bytes are
 * not a tar archive or the archive is incomplete.
 */
export function unpackTar(archive: Uint8Array): ArchivedFile[] {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.length);
  const files: ArchivedFile[] = [];
  for (let at = 0; at + BLOCK_BYTES <= bytes.length; ) {
    const header = bytes.subarray(at, at + BLOCK_BYTES);
    if (header.every((byte) => byte === 0)) return files;
    const sizeBytes = readNumberField(header, SIZE_FIELD);
    const isWhole = readNumberField(header, CHECKSUM_FIELD) === computeChecksum(header);
    // A negative size would lead back to an earlier header, and reading would never end.
    if (!isWhole || !(sizeBytes >= 0)) {
      throw new BowlineError("store", `not a tar archive, or damaged at byte ${at}`);
    }
    const start = at + BLOCK_BYTES;
    if (start + sizeBytes > bytes.length) break;
    const name = readTextField(header, NAME_FIELD).split(/[\\/]/).at(-1)!;
    const isFile = header[TYPE_OFFSET] === 0 || header[TYPE_OFFSET] === 0x30;
    if (isFile && !/^\.{0,2}$/.test(name))
      files.push({ name, data: bytes.subarray(start, start + sizeBytes) });
    at = start + Math.ceil(sizeBytes / BLOCK_BYTES) * BLOCK_BYTES;
  }
  throw new BowlineError(
    "store",
    `a tar archive of ${bytes.length} bytes is incomplete: its end is missing`,
  );
}

function readTextField(header: Buffer, [at, length]: readonly [number, number]): string {
  return header.toString("utf8", at, at + length).split("\0", 1)[0]!;
}

/**
 * Reads octal digits. For sizes above 8 GiB, GNU tar sets the highest bit of the first byte and writes a binary number.
 */
function readNumberField(header: Buffer, field: readonly [number, number]): number {
  const [at, length] = field;
  if ((header[at]! & 0x80) !== 0) return Number(header.readBigUInt64BE(at + length - 8));
  return Number.parseInt(readTextField(header, field).trim() || "0", 8);
}
