/**
 * The per-token numbers of a surrogate: advantages spread over tokens, weights, and whose gradient survives the clip.
 *
 * A weight is what filters left of a token (0 to 1) times the truncated sampler correction min(p_old / p_sampler, cap):
 * where rollouts come from an engine or a precision other than the learner's, it takes the part of the mismatch that
 * is not the policy's movement out of the estimate, and the cap bounds its variance.
 */
import { assert } from "../core/index.ts";
import { needed, type ObjectiveOptions, type ObjectiveRow } from "./objective-types.ts";

/** A of each action token. */
export function tokenAdvantages({ advantage, logprobs }: ObjectiveRow): Float64Array {
  const count = logprobs.length;
  if (typeof advantage === "number") return new Float64Array(count).fill(advantage);
  return Float64Array.from(needed(advantage, count, "advantages"));
}

/** w of each action token in the surrogate. */
export function surrogateWeights(
  { weights, logprobs, oldLogprobs, samplerLogprobs }: ObjectiveRow,
  { samplerCap }: Pick<ObjectiveOptions, "samplerCap">,
): Float64Array {
  const count = logprobs.length;
  const out = new Float64Array(count).fill(1);
  if (weights) out.set(Float64Array.from(needed(weights, count, "weights")));
  if (samplerCap === undefined) return out;
  const sampler = needed(samplerLogprobs, count, "sampler log-probs");
  return out.map((w, t) => w * Math.min(Math.exp(oldLogprobs[t]! - sampler[t]!), samplerCap));
}

/**
 * The entropy that a `share` of the minibatch's tokens reaches; Infinity when none is to be picked. Ties are all in.
 */
export function entropyThreshold(rows: readonly ObjectiveRow[], share: number | undefined): number {
  if (share === undefined) return Infinity;
  assert(share > 0 && share <= 1, `a share of tokens lies in (0, 1], not ${share}`);
  const all = rows.flatMap(({ entropies, logprobs }) =>
    Array.from(needed(entropies, logprobs.length, "entropies")),
  );
  all.sort((a, b) => b - a);
  return all[Math.ceil(share * all.length) - 1] ?? Infinity;
}

/**
 * Whether a token beyond the upper clip keeps a gradient: its surrogate g is written g r/sg(r), with value g and slope g,
 * so that rare exploratory tokens go on being learned. Only for A > 0: below the lower clip nothing is kept.
 */
export function keepsGradient(
  { entropies }: ObjectiveRow,
  t: number,
  advantage: number,
  keptAbove: number,
): boolean {
  return advantage > 0 && entropies !== undefined && entropies[t]! >= keptAbove;
}
