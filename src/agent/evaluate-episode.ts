/** Evaluates an episode of any world, and refuses numbers that cannot be learned from instead of recording them. */
import { BowlineError, formatValue } from "../core/index.ts";
import { type Episode, type Evaluation, findUnusableNumber } from "../spec/index.ts";

/** Rejects with a `world` error when the reward is not in [0, 1] or a metric is not finite. */
export async function evaluateEpisode(
  episode: Pick<Episode, "evaluate" | "task">,
): Promise<Evaluation> {
  const evaluation = await episode.evaluate();
  const unusable = findUnusableNumber(evaluation);
  if (!unusable) return evaluation;
  const { field, expected, value } = unusable;
  throw new BowlineError(
    "world",
    `the evaluation of ${episode.task.id}: ${field}: expected ${expected}, got ${formatValue(value)}; the world must convert it`,
  );
}
