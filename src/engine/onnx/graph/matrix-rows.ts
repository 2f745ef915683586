/** Unpacks matrices of few bits to floats inside a graph on a device (quantized-product.ts). */
import type { Dim } from "../proto/index.ts";
import { reshape } from "./broadcast.ts";
import { add, mul } from "./elementwise.ts";
import type { Value } from "./graph.ts";
import { gather } from "./layout.ts";
import { BLOCK, declaredPlanes } from "./quantized-product.ts";

/**
 * Returns rows of a matrix that a graph on a device declared for `rows`, by indices int32 (n): (n, columns) of floats.
 */
export function gatherMatrixRows(weight: Value, indices: Value): Value {
  const { graph } = weight;
  const output = { dtype: "float32", shape: [indices.shape[0]!, weight.shape[1]!] } as const;
  const parts = declaredPlanes(weight).map(({ nibbles, scales, zeros, factor }) => {
    const [floats] = graph.emit("GatherBlockQuantized", [nibbles, indices, scales], [output], {
      domain: "com.microsoft",
      attributes: {
        bits: { int: 4 },
        block_size: { int: BLOCK },
        gather_axis: { int: 0 },
        quantize_axis: { int: 1 },
      },
    });
    const scaled = factor === 1 ? floats! : mul(floats!, graph.scalar(factor));
    return zeros ? addEightScales(scaled, gather(scales, indices)) : scaled;
  });
  return parts.reduce((a, b) => add(a, b));
}

/**
 * Makes x = scale * (q - 8) to scale * q, for x (n, columns) and scales (n, blocks). The kernel takes other zeros in a
 * layout of its own.
 */
function addEightScales(x: Value, scales: Value): Value {
  const [n, blocks] = scales.shape as [Dim, number];
  const byBlock = reshape(x, [n, blocks, BLOCK]);
  const eight = mul(reshape(scales, [n, blocks, 1]), x.graph.scalar(8));
  return reshape(add(byBlock, eight), x.shape);
}

/** Returns all rows of such a matrix as floats. */
export function unpackMatrix(weight: Value): Value {
  const rows = weight.shape[0] as number;
  const all = weight.graph.constant("int32", [rows], [...new Array(rows).keys()]);
  return gatherMatrixRows(weight, all);
}
