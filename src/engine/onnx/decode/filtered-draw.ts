/**
 * Draws tokens from a filtered distribution. It works outside the graph, on logits that the filtered step graph
 * returns, because a filter needs an order of the tokens, which is slow inside a graph.
 *
 * The filters and their order are those of transformers. The temperature divides the logits. Top-k keeps the k largest
 * logits and all that equal the smallest of them. Top-p keeps the most likely tokens until their sum reaches p, and of
 * equal ones at the border those with the larger ids. Min-p keeps the tokens that are at least that part as likely as
 * the most likely one. Each filter sees the distribution that the one before left, and each keeps the most likely
 * token.
 *
 * A token is drawn by inverting the cumulative distribution of the kept tokens, in the order of their ids, at the row's
 * uniform number. Its log-prob is that of the filtered distribution, from which it was sampled. Every row is computed
 * on its own and sums are in double precision, so a draw depends on its arguments alone.
 */
import type { SampleFilter, SampleRequest } from "../../../spec/index.ts";

/** A drawn token and its log-prob in nats, rounded to float32. */
export interface DrawnToken {
  readonly token: number;
  readonly logprob: number;
}

/**
 * Returns the filter of a request if it changes the distribution over this vocabulary. Greedy sampling takes the most
 * likely token, which every filter keeps.
 */
export function effectiveFilter(
  { filter, temperature }: Pick<SampleRequest, "filter" | "temperature">,
  vocabularySize: number,
): SampleFilter | undefined {
  if (filter === undefined || temperature === 0) return undefined;
  const { topK = Infinity, topP = 1, minP = 0 } = filter;
  return topK < vocabularySize || topP < 1 || minP > 0 ? filter : undefined;
}

/** Draws a token. `uniform` is in [0, 1). The log-prob is NaN when the logits are not finite. */
export function drawFiltered(
  logits: Float32Array,
  temperature: number,
  filter: SampleFilter,
  uniform: number,
): DrawnToken {
  const inverseTemperature = Math.fround(1 / temperature);
  const scores = logits.map((logit) => logit * inverseTemperature);
  const largest = largestOf(scores);
  if (!Number.isFinite(largest)) return { token: 0, logprob: Number.NaN };
  const kept = keepTokens(scores, largest, filter);
  const weights = Float64Array.from(kept, (id) => Math.exp(scores[id]! - largest));
  const total = sumOf(weights);
  const index = invertCumulativeSums(weights, uniform * total);
  return { token: kept[index]!, logprob: Math.fround(Math.log(weights[index]! / total)) };
}

/** Returns the index at which the cumulative sum of the weights exceeds the threshold. Weights of 0 are passed over. */
function invertCumulativeSums(weights: Float64Array, threshold: number): number {
  let sum = 0;
  let last = 0;
  for (const [index, weight] of weights.entries()) {
    if (weight === 0) continue;
    sum += weight;
    last = index;
    if (sum > threshold) break;
  }
  return last;
}

/**
 * Returns the ids of the tokens that the filter keeps, in ascending order. `scores` are the tempered logits, and
 * `largest` is the largest of them.
 */
export function keepTokens(
  scores: Float32Array,
  largest: number,
  { topK = Infinity, topP = 1, minP = 0 }: SampleFilter,
): Int32Array {
  const least = topK < scores.length ? kthLargest(scores, largest, topK) : -Infinity;
  const allowed = listTokens(scores, least);
  const likely = topP < 1 ? keepTopP(allowed, scores, largest, topP) : allowed;
  if (minP <= 0) return likely;
  return likely.filter((id) => Math.exp(scores[id]! - largest) >= minP);
}

/** How far below the largest score the tokens are that are looked at first, and then if these are too few. */
const WINDOWS = [4, 8, 16, Infinity];

function kthLargest(scores: Float32Array, largest: number, k: number): number {
  for (const window of WINDOWS) {
    const high = scores.filter((score) => score >= largest - window);
    if (high.length >= k) return high.sort()[high.length - k]!;
  }
  return -Infinity;
}

function keepTopP(
  ids: Int32Array,
  scores: Float32Array,
  largest: number,
  topP: number,
): Int32Array {
  const needed = topP * sumWeights(ids, scores, largest);
  for (const window of WINDOWS) {
    const high = ids.filter((id) => scores[id]! >= largest - window);
    if (window !== Infinity && sumWeights(high, scores, largest) < needed) continue;
    const ordered = orderByScore(high, scores);
    let sum = 0;
    let count = 0;
    do sum += Math.exp(scores[ordered[count++]!]! - largest);
    while (sum < needed && count < ordered.length);
    return ordered.subarray(0, count).sort();
  }
  return ids;
}

function sumWeights(ids: Int32Array, scores: Float32Array, largest: number): number {
  let sum = 0;
  for (const id of ids) sum += Math.exp(scores[id]! - largest);
  return sum;
}

/** The number of ids that fit below a score's 32 bits in the 53 bits of an exact whole number. */
const MAX_IDS = 2 ** 21;

/** Returns the ids by descending score. Of equal scores, the larger id is first. */
function orderByScore(ids: Int32Array, scores: Float32Array): Int32Array {
  const float = new Float32Array(1);
  const bits = new Uint32Array(float.buffer);
  const keys = Float64Array.from(ids, (id) => {
    // Adding 0 makes -0 equal to 0.
    float[0] = scores[id]! + 0;
    const rank = bits[0]! >= 2 ** 31 ? ~bits[0]! >>> 0 : bits[0]! + 2 ** 31;
    return rank * MAX_IDS + id;
  });
  return Int32Array.from(keys.sort().reverse(), (key) => key % MAX_IDS);
}

function listTokens(scores: Float32Array, least: number): Int32Array {
  const ids = new Int32Array(scores.length);
  let count = 0;
  for (let id = 0; id < scores.length; id++) if (scores[id]! >= least) ids[count++] = id;
  return ids.subarray(0, count);
}

function largestOf(values: Float32Array): number {
  let largest = -Infinity;
  for (const value of values) largest = value > largest || Number.isNaN(value) ? value : largest;
  return largest;
}

function sumOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}
