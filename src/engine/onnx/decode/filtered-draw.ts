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
  const scores = new Float32Array(logits.length);
  for (let id = 0; id < scores.length; id++) scores[id] = logits[id]! * inverseTemperature;
  const largest = largestOf(scores);
  if (!Number.isFinite(largest)) return { token: 0, logprob: Number.NaN };
  const { kept, weights } = keepTokens(scores, largest, filter);
  let total = 0;
  for (const id of kept) total += weights[id]!;
  const token = invertCumulativeSums(kept, weights, uniform * total);
  return { token, logprob: Math.fround(Math.log(weights[token]! / total)) };
}

/** Returns the id at which the cumulative sum of the weights exceeds the threshold. Weights of 0 are passed over. */
function invertCumulativeSums(ids: Int32Array, weights: Float64Array, threshold: number): number {
  let sum = 0;
  let last = ids[0]!;
  for (const id of ids) {
    if (weights[id] === 0) continue;
    sum += weights[id]!;
    last = id;
    if (sum > threshold) break;
  }
  return last;
}

/** The tokens that a filter keeps, by ascending id, and the weights of these and perhaps of other tokens, by id. */
export interface KeptTokens {
  readonly kept: Int32Array;
  /** The probabilities up to a factor. The most likely token has the weight 1. */
  readonly weights: Float64Array;
}

/** Returns what the filter keeps. `scores` are tempered logits by id, and `largest` is the largest of them. */
export function keepTokens(
  scores: Float32Array,
  largest: number,
  { topK = Infinity, topP = 1, minP = 0 }: SampleFilter,
): KeptTokens {
  // Top-k needs no weights, so that only the few tokens which it leaves get one.
  const allowed = topK < scores.length ? keepTopK(scores, largest, topK) : allIds(scores.length);
  const weights = new Float64Array(scores.length);
  for (const id of allowed) weights[id] = Math.exp(scores[id]! - largest);
  const likely = topP < 1 ? keepTopP(allowed, scores, largest, weights, topP) : allowed;
  const kept = minP > 0 ? selectIds(likely, (i) => weights[likely[i]!]! >= minP) : likely;
  return { kept, weights };
}

/** Returns the ids at whose index `isKept` is true. On large vocabularies a loop is several times as fast as `filter`. */
function selectIds(ids: Int32Array, isKept: (index: number) => boolean): Int32Array {
  const kept = new Int32Array(ids.length);
  let count = 0;
  for (let i = 0; i < ids.length; i++) if (isKept(i)) kept[count++] = ids[i]!;
  return kept.slice(0, count);
}

function allIds(count: number): Int32Array {
  const ids = new Int32Array(count);
  for (let id = 0; id < count; id++) ids[id] = id;
  return ids;
}

function keepTopK(scores: Float32Array, largest: number, topK: number): Int32Array {
  const ids = allIds(scores.length);
  let least = Infinity;
  for (const id of keepUntil(ids, scores, largest, () => 1, topK))
    least = Math.min(least, scores[id]!);
  return selectIds(ids, (id) => scores[id]! >= least);
}

function keepTopP(
  ids: Int32Array,
  scores: Float32Array,
  largest: number,
  weights: Float64Array,
  topP: number,
): Int32Array {
  let total = 0;
  for (const id of ids) total += weights[id]!;
  return keepUntil(ids, scores, largest, (id) => weights[id]!, topP * total);
}

/** Tokens are put into classes of equal width by how far their score is below the largest one. */
const CLASSES = 4096;
const CLASSES_PER_NAT = 128;

/**
 * Keeps tokens from the most likely one downwards until their amounts sum to `needed`. Only the tokens of the class in
 * which the border lies are sorted, because sorting a large vocabulary would take longer than the model's layers.
 */
function keepUntil(
  ids: Int32Array,
  scores: Float32Array,
  largest: number,
  amountOf: (id: number) => number,
  needed: number,
): Int32Array {
  const classes = new Uint16Array(ids.length);
  const sums = new Float64Array(CLASSES);
  for (let i = 0; i < ids.length; i++) {
    const below = Math.floor((largest - scores[ids[i]!]!) * CLASSES_PER_NAT);
    classes[i] = Math.min(CLASSES - 1, below);
    sums[classes[i]!]! += amountOf(ids[i]!);
  }
  let border = 0;
  let sum = 0;
  while (border < CLASSES - 1 && sum + sums[border]! < needed) sum += sums[border++]!;
  const taken = new Set<number>();
  for (const id of orderByScore(
    selectIds(ids, (i) => classes[i] === border),
    scores,
  )) {
    taken.add(id);
    sum += amountOf(id);
    if (sum >= needed) break;
  }
  return selectIds(
    ids,
    (i) => classes[i]! < border || (classes[i] === border && taken.has(ids[i]!)),
  );
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

function largestOf(values: Float32Array): number {
  let largest = -Infinity;
  for (const value of values) largest = value > largest || Number.isNaN(value) ? value : largest;
  return largest;
}
