/**
 * Summarises a score over groups of runs. Only runs that have the score after training count, and each run counts once,
 * because runs, and not tasks, are the independent units.
 */
import { meanShareInterval } from "../../../algo/index.ts";
import type { ScoreGroups, ScoreGroupsRequest } from "../../../spec/studio/index.ts";
import { computeSpread } from "../../../train/index.ts";
import type { Runs } from "./runs.ts";

/** Throws 404 for an unknown run. */
export async function summariseGroups(
  runs: Runs,
  { split, groups }: ScoreGroupsRequest,
): Promise<ScoreGroups> {
  const summaries: ScoreGroups["groups"] = [];
  for (const ids of groups) {
    const scores: number[] = [];
    for (const id of ids) {
      const { after } = await runs.readRow(await runs.locate(id));
      const score = after?.[split]?.tgc;
      if (score !== undefined) scores.push(score);
    }
    summaries.push({ runs: ids.length, ...summariseScores(scores) });
  }
  return { groups: summaries };
}

function summariseScores(scores: readonly number[]): Omit<ScoreGroups["groups"][number], "runs"> {
  if (scores.length === 0) return { scored: 0 };
  const interval = meanShareInterval(scores);
  const { mean, sd } = computeSpread(scores);
  return {
    scored: scores.length,
    mean,
    ...(sd !== undefined && { spread: sd }),
    ...(interval && { interval }),
  };
}
