/** What a process printed, from the end of the file that it prints into. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

const TAIL_BYTES = 16 << 10;
const MAX_LINES = 60;

/** Without the empty ones; none where there is no such file. */
export function readLastLines(path: string): string[] {
  const lines = readTail(path).split("\n");
  return lines.filter((line) => line.trim() !== "").slice(-MAX_LINES);
}

/** The line by which a command says that it failed; its last one where it says nothing so. */
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
