/** Keeps the end of a stream, so that a program that writes without end takes a bounded amount of memory. */
import type { Readable } from "node:stream";

/**
 * Reads a stream to its end. The returned function gives the text of its last `limitBytes` so far. When that is not
 * all, it begins with a whole line, because the rest of a line could be taken for something that nobody wrote.
 */
export function collectTail(stream: Readable, limitBytes: number): () => string {
  let chunks: Buffer[] = [];
  let sizeBytes = 0;
  let isCut = false;
  stream.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    sizeBytes += chunk.length;
    if (sizeBytes > 2 * limitBytes) {
      isCut = true;
      const kept = Buffer.from(Buffer.concat(chunks).subarray(-limitBytes));
      chunks = [kept];
      sizeBytes = kept.length;
    }
  });
  // A pipe whose other end broke says nothing that the program's exit does not say.
  stream.on("error", () => {});
  return () => {
    const text = Buffer.concat(chunks).subarray(-limitBytes).toString("utf8");
    return isCut || sizeBytes > limitBytes
      ? text.slice(text.indexOf("\n") + 1 || text.length)
      : text;
  };
}
