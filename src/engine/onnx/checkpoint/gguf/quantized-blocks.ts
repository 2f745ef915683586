/**
 * Moves blocks of GGUF's Q4_0 and Q8_0 into the layout of a quantised base, number by number and bit by bit. A block is
 * a 16-bit scale and 32 numbers: sixteen bytes whose lower halves are the first sixteen numbers, or 32 signed bytes.
 */
import { QUANTIZED_BLOCK, type QuantizedRows, storeNumber } from "../../model/index.ts";
import { getHalfValues } from "../half-floats.ts";

const SCALE_BYTES = 2;

/** Fills rows from packed blocks of the rows' own type. */
export function unpackBlocks(packed: Uint8Array, target: QuantizedRows): void {
  const blockBytes = SCALE_BYTES + (target.type === "q4" ? QUANTIZED_BLOCK / 2 : QUANTIZED_BLOCK);
  const halves = getHalfValues();
  for (let block = 0; block < target.scales.length; block++) {
    const at = block * blockBytes;
    target.scales[block] = halves[packed[at]! | (packed[at + 1]! << 8)]!;
    const [from, to] = [at + SCALE_BYTES, block * QUANTIZED_BLOCK];
    if (target.type === "q4") unpackFourBits(packed, from, target, to);
    else {
      for (let i = 0; i < QUANTIZED_BLOCK; i++) {
        storeNumber(target, to + i, (packed[from + i]! << 24) >> 24);
      }
    }
  }
}

function unpackFourBits(packed: Uint8Array, from: number, target: QuantizedRows, to: number): void {
  for (let i = 0; i < QUANTIZED_BLOCK / 2; i++) {
    const pair = packed[from + i]!;
    storeNumber(target, to + i, (pair & 15) - 8);
    storeNumber(target, to + QUANTIZED_BLOCK / 2 + i, (pair >> 4) - 8);
  }
}
