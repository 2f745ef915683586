/** Keeps the end of a stream, so that a program that writes without end takes a bounded amount of memory. */
import type { Readable } from "node:stream";

/** Reads a stream to its end. The returned function gives the text of its last `limitBytes` so far. */
export function collectTail(stream: Readable, limitBytes: number): () => string {
  let chunks: Buffer[] = [];
  let sizeBytes = 0;
  stream.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    sizeBytes += chunk.length;
    if (sizeBytes > 2 * limitBytes) {
      const kept = Buffer.from(Buffer.concat(chunks).subarray(-limitBytes));
      chunks = [kept];
      sizeBytes = kept.length;
    }
  });
  // A pipe whose other end broke says nothing that the program's exit does not say.
  stream.on("error", () => {});
  return () => Buffer.concat(chunks).subarray(-limitBytes).toString("utf8");
}
