/**
 * JSON Lines read in pieces: whole lines as bytes, the file never in memory. A last line without its newline is still being
 * written (or was torn by a death) and is left for the next look.
 */
import type { FileHandle } from "node:fs/promises";

const NEWLINE = 0x0a;
const CHUNK_BYTES = 1 << 19;
/** A longer line is of no rollout: it is skipped. */
const MAX_LINE_BYTES = 64 << 20;

/** A line is `bytes[start, end)`, valid until the call returns; `offset` is where it begins in the file. */
export type OnLine = (bytes: Buffer, start: number, end: number, offset: number) => void;

/** Hands over all whole lines from `from` on and answers where the last one ends. Every piece lets others run. */
export async function forEachLine(file: FileHandle, from: number, onLine: OnLine): Promise<number> {
  const first = SPARE_BUFFERS.pop() ?? Buffer.allocUnsafeSlow(CHUNK_BYTES);
  try {
    return await scanLines(file, from, onLine, first);
  } finally {
    if (SPARE_BUFFERS.length < MAX_SPARE_BUFFERS) SPARE_BUFFERS.push(first);
  }
}

/** Pieces are used again: memory outside the heap is given back late. */
const SPARE_BUFFERS: Buffer[] = [];
const MAX_SPARE_BUFFERS = 3;

async function scanLines(
  file: FileHandle,
  from: number,
  onLine: OnLine,
  first: Buffer,
): Promise<number> {
  let buffer = first;
  /** Of the file: where `buffer` begins. */
  let bufferOffset = from;
  let filledBytes = 0;
  let searchedBytes = 0;
  /** Within a line that is too long to be kept. */
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
      // Beyond what is filled lie bytes of earlier pieces.
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

/** None or one. */
export function parseObjectLine(line: string): Record<string, unknown>[] {
  if (!line.startsWith("{")) return [];
  try {
    return [JSON.parse(line) as Record<string, unknown>];
  } catch {
    return [];
  }
}
