/** The contract of what a policy samples. */
import { BowlineError } from "../core/index.ts";
import type { Sample } from "../spec/index.ts";

/**
 * Throws an `engine` error when a sample breaks its contract. Such a sample would silently misalign a training row, so
 * the rollout fails instead.
 */
export function requireValidSample(
  sample: Sample,
  maxTokens: number,
  stopIds: readonly number[],
): Sample {
  const { tokens, logprobs, stop } = sample;
  if (stop === "cancelled") return sample;
  const last = tokens.at(-1);
  const broken =
    tokens.length !== logprobs.length
      ? `${tokens.length} tokens with ${logprobs.length} log-probs`
      : tokens.length > maxTokens
        ? `${tokens.length} tokens where at most ${maxTokens} were asked for`
        : !logprobs.every(Number.isFinite)
          ? "a log-prob that is not finite"
          : stop === "stop" && !(last !== undefined && stopIds.includes(last))
            ? `a stop without a stop token (last token: ${last})`
            : undefined;
  if (broken) throw new BowlineError("engine", `the policy sampled ${broken}`);
  return sample;
}
