/**
 * JSON Lines read in pieces: whole lines as bytes, the file never in memory. A last line without its newline is still being
 * written (or was torn by a death) and is left for the next look.
 */
import type { FileHandle } from "node:fs/promises";

const NEWLINE = 0x0a;
const PIECE_BYTES = 1 << 19;
/** A longer line is of no rollout: it is skipped. */
const LONGEST_BYTES = 64 << 20;

/** A line is `bytes[start, end)`, valid until the call returns; `offset` is where it begins in the file. */
export type OnLine = (bytes: Buffer, start: number, end: number, offset: number) => void;

/** Hands over all whole lines from `from` on and answers where the last one ends. Every piece lets others run. */
export async function eachLine(file: FileHandle, from: number, onLine: OnLine): Promise<number> {
  const first = SPARE.pop() ?? Buffer.allocUnsafeSlow(PIECE_BYTES);
  try {
    return await walkLines(file, from, onLine, first);
  } finally {
    if (SPARE.length < MOST_SPARE) SPARE.push(first);
  }
}

/** Pieces are used again: memory outside the heap is given back late. */
const SPARE: Buffer[] = [];
const MOST_SPARE = 3;

async function walkLines(
  file: FileHandle,
  from: number,
  onLine: OnLine,
  first: Buffer,
): Promise<number> {
  let buffer = first;
  /** Of the file: where `buffer` begins. */
  let base = from;
  let filled = 0;
  let searched = 0;
  /** Within a line that is too long to be kept. */
  let isSkipping = false;
  for (;;) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, base + filled);
    if (bytesRead === 0) return base;
    filled += bytesRead;
    let start = 0;
    for (;;) {
      const end = buffer.indexOf(NEWLINE, Math.max(start, searched));
      // Beyond what is filled lie bytes of earlier pieces.
      if (end < 0 || end >= filled) break;
      if (!isSkipping && end > start) onLine(buffer, start, end, base + start);
      isSkipping = false;
      start = end + 1;
    }
    buffer.copyWithin(0, start, filled);
    base += start;
    filled -= start;
    searched = filled;
    if (filled < buffer.length) continue;
    if (buffer.length < LONGEST_BYTES) {
      buffer = Buffer.concat([buffer], buffer.length * 2);
    } else {
      isSkipping = true;
      base += filled;
      filled = 0;
      searched = 0;
    }
  }
}

/** None or one. */
export function objectOf(line: string): Record<string, unknown>[] {
  if (!line.startsWith("{")) return [];
  try {
    return [JSON.parse(line) as Record<string, unknown>];
  } catch {
    return [];
  }
}
