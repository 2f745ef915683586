/**
 * Per-token numbers of a surrogate objective: advantages spread over tokens, weights, and which tokens keep a
 * gradient when they are clipped.
 *
 * The weight of a token is what the filters gave it (0 to 1) times the truncated sampler correction min(p_old /
 * p_sampler, cap). The correction is for rollouts from an engine or a precision other than the learner's: it removes
 * the part of the mismatch that is not the policy's movement, and the cap bounds its variance.
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
 * Returns the entropy that is reached or exceeded by this share of the minibatch's tokens. Tokens with equal entropy
 * all count. Returns Infinity when `share` is undefined, so that no token reaches it.
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
 * Its surrogate g is then written g r/sg(r) (sg stops the gradient), which has value g and slope g. This applies only
 * for A > 0: below the lower clip no token keeps a gradient.
 */
export function keepsGradientAboveClip(
  { entropies }: ObjectiveRow,
  t: number,
  advantage: number,
  leastEntropy: number,
): boolean {
  return advantage > 0 && entropies !== undefined && entropies[t]! >= leastEntropy;
}
