/** Reads the last output of a process from the file into which it prints. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

const TAIL_BYTES = 16 << 10;
const MAX_LINES = 60;

/** Returns the last lines that are not empty. Returns none if the file does not exist. */
export function readLastLines(path: string): string[] {
  const lines = readTail(path).split("\n");
  return lines.filter((line) => line.trim() !== "").slice(-MAX_LINES);
}

/** Returns the line in which a command reports an error, or its last line if there is none. */
export function findErrorLine(path: string): string | undefined {
  const lines = readLastLines(path);
  const said = lines.findLast((line) => /^(error|bug): /.test(line));
  return (said ?? lines.at(-1))?.replace(/^error: /, "");
}

function readTail(path: string): string {
  try {
    const fd = openSync(path, "r");
    try {
      const { size } = fstatSync(fd);
      const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
      return bytes.toString("utf8", 0, readSync(fd, bytes, 0, bytes.length, size - bytes.length));
    } finally {
      closeSync(fd);
    }
  } catch {
    return "";
  }
}
