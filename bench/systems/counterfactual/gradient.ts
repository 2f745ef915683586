/**
 * Reads the gradient of an iteration. AdamW's first moment, which a checkpoint contains, is the exponentially weighted
 * sum of the gradients of all updates since the moments were fresh. So it is the gradient of the iteration as its
 * optimizer sees it.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const FIRST_MOMENT = "exp_avg.";

/** Reads the first moment of all weights from the checkpoint of an engine, as one vector. */
export function readGradient(checkpoint: string): Float32Array {
  const bytes = readFileSync(join(checkpoint, "optimizer.safetensors"));
  const headerBytes = Number(bytes.readBigUInt64LE(0));
  const header = JSON.parse(bytes.toString("utf8", 8, 8 + headerBytes)) as Record<
    string,
    { readonly data_offsets: readonly [number, number] }
  >;
  const parts = Object.entries(header)
    .filter(([name]) => name.startsWith(FIRST_MOMENT))
    .map(
      ([
        ,
        {
          data_offsets: [from, to],
        },
      ]) => bytes.subarray(8 + headerBytes + from, 8 + headerBytes + to),
    );
  const all = Buffer.concat(parts);
  return new Float32Array(all.buffer.slice(all.byteOffset, all.byteOffset + all.byteLength));
}

/** Returns the squared Euclidean norm of `a`, or of `a - b`. */
export function squaredDistance(a: Float32Array, b?: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i]! - (b?.[i] ?? 0)) ** 2;
  return sum;
}
