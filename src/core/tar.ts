/**
 * Tar archives of a few flat files (POSIX ustar): blocks of 512 bytes, a header and then the content of each file, two empty
 * blocks at the end. Folders, links and extended headers of others' archives are passed over.
 */
import { BowlineError } from "./errors.ts";

export interface ArchivedFile {
  /** Without folders. */
  readonly name: string;
  readonly data: Uint8Array;
}

const BLOCK = 512;
/** Fields of a header: where, and how long. */
const NAME = [0, 100] as const;
const SIZE = [124, 12] as const;
const CHECKSUM = [148, 8] as const;
const TYPE = 156;

/** Names of at most 100 bytes. */
export function tarOf(files: readonly ArchivedFile[]): Uint8Array {
  const parts = files.flatMap(({ name, data }) => [
    headerOf(name, data.length),
    data,
    new Uint8Array(-data.length & (BLOCK - 1)),
  ]);
  return Buffer.concat([...parts, new Uint8Array(2 * BLOCK)]);
}

function headerOf(name: string, sizeBytes: number): Uint8Array {
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, "0");
  header.write(name, NAME[0], NAME[1]);
  // Mode, owner, group; then the size and a time that is the same for equal files.
  header.write("0000644\0" + "0000000\0" + "0000000\0", 100);
  header.write(`${octal(sizeBytes, 11)}\0${octal(0, 11)}\0`, SIZE[0]);
  header.write("0", TYPE);
  header.write("ustar\x0000", 257, "latin1");
  header.write(`${octal(checksumOf(header), 6)}\0 `, CHECKSUM[0]);
  return header;
}

/** The sum of a header's bytes, with its own field taken as spaces. */
function checksumOf(header: Uint8Array): number {
  const [at, length] = CHECKSUM;
  return header.reduce((sum, byte, i) => sum + (i >= at && i < at + length ? 0x20 : byte), 0);
}

/** The files of an archive, by the last part of their names. Throws a `store` error when it is none, or is torn. */
export function filesOfTar(archive: Uint8Array): ArchivedFile[] {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.length);
  const files: ArchivedFile[] = [];
  for (let at = 0; at + BLOCK <= bytes.length; ) {
    const header = bytes.subarray(at, at + BLOCK);
    if (header.every((byte) => byte === 0)) return files;
    const sizeBytes = numberIn(header, SIZE);
    if (numberIn(header, CHECKSUM) !== checksumOf(header)) {
      throw new BowlineError("store", `this is no tar archive, or it is torn at byte ${at}`);
    }
    const from = at + BLOCK;
    if (from + sizeBytes > bytes.length) break;
    const name = textIn(header, NAME).split("/").at(-1)!;
    const isFile = header[TYPE] === 0 || header[TYPE] === 0x30;
    if (isFile && name !== "") files.push({ name, data: bytes.subarray(from, from + sizeBytes) });
    at = from + Math.ceil(sizeBytes / BLOCK) * BLOCK;
  }
  throw new BowlineError("store", `a tar archive of ${bytes.length} bytes has no end: torn?`);
}

function textIn(header: Buffer, [at, length]: readonly [number, number]): string {
  return header.toString("utf8", at, at + length).split("\0", 1)[0]!;
}

/** Octal digits; above 8 GiB GNU's tar writes binary, behind a first byte with its highest bit set. */
function numberIn(header: Buffer, field: readonly [number, number]): number {
  const [at, length] = field;
  if ((header[at]! & 0x80) !== 0) return Number(header.readBigUInt64BE(at + length - 8));
  return Number.parseInt(textIn(header, field).trim() || "0", 8);
}
