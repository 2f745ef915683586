/**
 * Per-token numbers for an objective: the advantage and the weight of each token, and which tokens keep a gradient when
 * they are clipped.
 *
 * The weight of a token is the weight that filters gave it (0 to 1), times the truncated sampler correction min(p_old /
 * p_sampler, cap). The correction is for rollouts that were sampled by another engine or with another precision than
 * the learner's. It corrects for this difference and not for the movement of the policy; the cap limits its variance.
 */
import { assert } from "../core/index.ts";
import { type ObjectiveOptions, type ObjectiveRow, requireTokenArray } from "./objective-types.ts";

/** Returns the advantage of each action token. */
export function tokenAdvantages({ advantage, logprobs }: ObjectiveRow): Float64Array {
  const count = logprobs.length;
  if (typeof advantage === "number") return new Float64Array(count).fill(advantage);
  return Float64Array.from(requireTokenArray(advantage, count, "advantages"));
}

/** Returns the weight of each action token in the surrogate. */
export function surrogateWeights(
  { weights, logprobs, oldLogprobs, samplerLogprobs }: ObjectiveRow,
  { samplerCap }: Pick<ObjectiveOptions, "samplerCap">,
): Float64Array {
  const count = logprobs.length;
  const out = new Float64Array(count).fill(1);
  if (weights) out.set(Float64Array.from(requireTokenArray(weights, count, "weights")));
  if (samplerCap === undefined) return out;
  const sampler = requireTokenArray(samplerLogprobs, count, "sampler log-probs");
  return out.map((w, t) => w * Math.min(Math.exp(oldLogprobs[t]! - sampler[t]!), samplerCap));
}

/**
 * Returns the largest entropy that at least this share of the minibatch's tokens have. Tokens with equal entropy all
 * count. Returns Infinity when `share` is undefined, so that no token reaches it.
 */
export function entropyThreshold(rows: readonly ObjectiveRow[], share: number | undefined): number {
  if (share === undefined) return Infinity;
  assert(share > 0 && share <= 1, `expected a share of tokens in (0, 1], got ${share}`);
  const all = rows.flatMap(({ entropies, logprobs }) =>
    Array.from(requireTokenArray(entropies, logprobs.length, "entropies")),
  );
  all.sort((a, b) => b - a);
  return all[Math.ceil(share * all.length) - 1] ?? Infinity;
}

/**
 * Returns whether a token beyond the upper clip keeps a gradient, so that rare exploratory tokens are still learned.
 * Its objective g is then written as g r/sg(r), where sg stops the gradient, so it has value g and slope g. This
 * applies only for A > 0: below the lower clip no token keeps a gradient.
 */
export function keepsGradientAboveClip(
  { entropies }: ObjectiveRow,
  t: number,
  advantage: number,
  leastEntropy: number,
): boolean {
  return advantage > 0 && entropies !== undefined && entropies[t]! >= leastEntropy;
}
