/**
 * Writes a Hugging Face folder of random weights, for measurements at shapes whose real weights are too large to
 * ship.
 *
 * Weights are bfloat16, as in published models. They are made and written through one small buffer, so the writer
 * needs little memory, whatever the model's size.
 */
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createFolder, mix32, writeJson } from "../../../core/index.ts";
import { toHuggingFaceConfig } from "../checkpoint/index.ts";
import { type ModelConfig, type Parameter, parameterLayout } from "../model/index.ts";

const BUFFER_ELEMENTS = 2 ** 20;

/**
 * Writes `config.json` and `model.safetensors`. Matrices are uniform with standard deviation 1/sqrt(hidden), norms 1,
 * biases 0. The same seed gives the same bytes. Returns the size of the weights file.
 */
export function writeRandomCheckpoint(directory: string, model: ModelConfig, seed: number): number {
  createFolder(directory);
  writeJson(join(directory, "config.json"), {
    ...toHuggingFaceConfig(model),
    torch_dtype: "bfloat16",
  });
  const parameters = parameterLayout(model).inputs.flatMap(({ parts }) => parts);
  const head = encodeHeader(parameters);
  const file = openSync(join(directory, "model.safetensors"), "w");
  let sizeBytes = head.length;
  try {
    writeBytes(file, head);
    const buffer = new Uint16Array(BUFFER_ELEMENTS);
    const bound = Math.sqrt(3 / model.hiddenSize);
    for (const [index, parameter] of parameters.entries()) {
      const fill = createFiller(parameter, bound, mix32(seed ^ mix32(index + 1)));
      for (let at = 0; at < parameter.size; at += buffer.length) {
        const part = buffer.subarray(0, Math.min(buffer.length, parameter.size - at));
        fill(part);
        writeBytes(file, new Uint8Array(part.buffer, 0, part.byteLength));
        sizeBytes += part.byteLength;
      }
    }
  } finally {
    closeSync(file);
  }
  return sizeBytes;
}

/** Returns a function that fills the parts of one tensor, one after the other. */
function createFiller(
  { name, shape }: Parameter,
  bound: number,
  seed: number,
): (part: Uint16Array) => void {
  if (shape.length === 1) {
    const value = name.endsWith(".bias") ? 0 : BFLOAT16_ONE;
    return (part) => part.fill(value);
  }
  const float = new Float32Array(1);
  const bits = new Uint32Array(float.buffer);
  let state = seed | 0;
  return (part) => {
    for (let i = 0; i < part.length; i++) {
      // A linear congruential generator is random enough to measure speed and memory.
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
      float[0] = (state / 2 ** 31) * bound;
      part[i] = bits[0]! >>> 16;
    }
  };
}

/** The number 1 in bfloat16. */
const BFLOAT16_ONE = 0x3f80;

/** Returns the file header: its length, names, shapes and byte ranges (safetensors format). */
function encodeHeader(parameters: readonly Parameter[]): Uint8Array {
  let end = 0;
  const entries = parameters.map(({ name, shape, size }) => {
    const start = end;
    end += 2 * size;
    return [name, { dtype: "BF16", shape, data_offsets: [start, end] }] as const;
  });
  const text = JSON.stringify({ __metadata__: { format: "pt" }, ...Object.fromEntries(entries) });
  const out = Buffer.alloc(8 + Math.ceil(text.length / 8) * 8, " ");
  out.writeBigUInt64LE(BigInt(out.length - 8));
  out.write(text, 8);
  return out;
}

function writeBytes(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}
