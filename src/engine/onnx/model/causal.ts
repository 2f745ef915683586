/** Full causal attention over rows that start at position 0 and are padded on the right: what training runs. */
import {
  add,
  matmul,
  mul,
  reduceSum,
  reshape,
  softmax,
  sub,
  transpose,
  type Value,
} from "../graph/index.ts";
import type { Dim } from "../proto/index.ts";
import type { ModelConfig } from "./config.ts";
import { type Attend, type Positioned, queryKeyValue } from "./decoder.ts";

/** Large enough that a masked score's softmax underflows to zero. */
const MASKED = -1e9;

/** `mask`: float32 (time, time), 0 where a query (row) may look at a key (column). */
export function causalAttention(config: ModelConfig, at: Positioned, mask: Value): Attend {
  const { heads, kvHeads, headSize } = config;
  const group = heads / kvHeads;
  const [batch, time] = at.positions.shape as [Dim, Dim];
  const rows = typeof time === "number" ? group * time : `${group}*${time}`;
  return (normed, weights) => {
    const { query, key, value } = queryKeyValue(normed, weights, config, at);
    // Queries that share a key head become rows of one product: (batch, kvHeads, group * time, headSize).
    const q = transpose(reshape(query, [batch, time, kvHeads, group, headSize]), [0, 2, 3, 1, 4]);
    const queries = reshape(q, [batch, kvHeads, rows, headSize]);
    const keys = transpose(reshape(key, [batch, time, kvHeads, headSize]), [0, 2, 1, 3]);
    const values = transpose(reshape(value, [batch, time, kvHeads, headSize]), [0, 2, 1, 3]);
    const mixed = attentionCore(queries, keys, values, mask, headSize ** -0.5);
    const perHead = reshape(mixed, [batch, kvHeads, group, time, headSize]);
    return reshape(transpose(perHead, [0, 3, 1, 2, 4]), [normed.shape[0]!, heads * headSize]);
  };
}

/**
 * softmax(scale q k' + mask) v for q (batch, kvHeads, group * time, size), k and v (batch, kvHeads, time, size).
 * Its rule needs one sweep less over the (time, time) matrices than the rules of its parts: the row sums of
 * p * dp, which softmax's derivative subtracts, equal those of mixed * d(mixed), which is far smaller.
 */
function attentionCore(q: Value, k: Value, v: Value, mask: Value, scale: number): Value {
  const [batch, kvHeads, rows] = q.shape as [Dim, Dim, Dim];
  const time = mask.shape[1]!;
  return q.graph.custom(
    [q, k, v],
    () => {
      const scores = matmul(q, k, { transposeB: true, scale });
      const grouped = reshape(scores, [batch, kvHeads, "group", time, time]);
      const p = reshape(softmax(add(grouped, mask)), [batch, kvHeads, rows, time]);
      return [matmul(p, v), p] as const;
    },
    ([mixed, p], dmixed) => {
      const dp = matmul(dmixed, v, { transposeB: true });
      const dscores = mul(p, sub(dp, reduceSum(mul(mixed, dmixed), [-1], true)));
      return [
        matmul(dscores, k, { scale }),
        matmul(dscores, q, { transposeA: true, scale }),
        matmul(p, dmixed, { transposeA: true }),
      ];
    },
  );
}

/** The (time, time) mask that `causalAttention` takes. */
export function causalMask(time: number): Float32Array {
  const mask = new Float32Array(time * time);
  for (let query = 0; query < time; query++) {
    mask.fill(MASKED, query * time + query + 1, (query + 1) * time);
  }
  return mask;
}
