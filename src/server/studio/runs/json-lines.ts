/**
 * Reads JSON Lines in chunks, so the file is never in memory as a whole. A last line without a newline is still being
 * written, or its writer was killed; it is left for the next read.
 */
import type { FileHandle } from "node:fs/promises";

const NEWLINE = 0x0a;
const CHUNK_BYTES = 1 << 19;
/** No rollout has a longer line, so longer lines are skipped. */
const MAX_LINE_BYTES = 64 << 20;

/** Receives a line as `bytes[start, end)`, valid until the call returns. `offset` is where it begins in the file. */
export type OnLine = (bytes: Buffer, start: number, end: number, offset: number) => void;

/** Calls `onLine` with each complete line, beginning at the offset `from`. Returns where the last one ends. */
export async function forEachLine(file: FileHandle, from: number, onLine: OnLine): Promise<number> {
  const first = SPARE_BUFFERS.pop() ?? Buffer.allocUnsafeSlow(CHUNK_BYTES);
  try {
    return await scanLines(file, from, onLine, first);
  } finally {
    if (SPARE_BUFFERS.length < MAX_SPARE_BUFFERS) SPARE_BUFFERS.push(first);
  }
}

/** Buffers that are reused, because memory outside the heap is freed late. */
const SPARE_BUFFERS: Buffer[] = [];
const MAX_SPARE_BUFFERS = 3;

async function scanLines(
  file: FileHandle,
  from: number,
  onLine: OnLine,
  first: Buffer,
): Promise<number> {
  let buffer = first;
  /** The offset in the file at which `buffer` begins. */
  let bufferOffset = from;
  let filledBytes = 0;
  let searchedBytes = 0;
  /** True inside a line that is too long. */
  let isSkipping = false;
  for (;;) {
    const { bytesRead } = await file.read(
      buffer,
      filledBytes,
      buffer.length - filledBytes,
      bufferOffset + filledBytes,
    );
    if (bytesRead === 0) return bufferOffset;
    filledBytes += bytesRead;
    let start = 0;
    for (;;) {
      const end = buffer.indexOf(NEWLINE, Math.max(start, searchedBytes));
      // After the filled part, the buffer still holds bytes of earlier chunks.
      if (end < 0 || end >= filledBytes) break;
      if (!isSkipping && end > start) onLine(buffer, start, end, bufferOffset + start);
      isSkipping = false;
      start = end + 1;
    }
    buffer.copyWithin(0, start, filledBytes);
    bufferOffset += start;
    filledBytes -= start;
    searchedBytes = filledBytes;
    if (filledBytes < buffer.length) continue;
    if (buffer.length < MAX_LINE_BYTES) {
      buffer = Buffer.concat([buffer], buffer.length * 2);
    } else {
      isSkipping = true;
      bufferOffset += filledBytes;
      filledBytes = 0;
      searchedBytes = 0;
    }
  }
}

/** Parses a line. Returns the object in an array, or an empty array if the line is not a JSON object. */
export function parseObjectLine(line: string): Record<string, unknown>[] {
  if (!line.startsWith("{")) return [];
  try {
    return [JSON.parse(line) as Record<string, unknown>];
  } catch {
    return [];
  }
}
