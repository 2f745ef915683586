/** What all rules of a diagnosis look at, computed once: the newest rollouts, their groups, and the tasks that are stuck. */
import type {
  Finding,
  FindingId,
  MeasuredIteration,
  MetricsByName,
  RunMeasurements,
} from "./measurements.ts";
import type { ObservedRollout } from "./observe-rollout.ts";
import {
  groupRollouts,
  type IsCut,
  type ObservedGroup,
  recogniseCutAnswers,
} from "./observed-groups.ts";
import { isAbove, SOME, shareOf } from "./shares.ts";

/** The number of newest iterations that show how a run is doing now. */
const RECENT_ITERATIONS = 3;

/** A run at the moment of the diagnosis. */
export interface Picture extends RunMeasurements {
  /** The newest iterations, or the evaluation at T = 1 before training as long as there is no iteration. */
  readonly recent: readonly ObservedRollout[];
  /** The first iteration whose rollouts were read. Its policy is that of the warm start if its number is 1. */
  readonly first: MeasuredIteration | undefined;
  readonly last: MeasuredIteration | undefined;
  /** The groups of the newest iterations. */
  readonly groups: readonly ObservedGroup[];
  /** The groups of all iterations whose rollouts were read. */
  readonly readGroups: readonly ObservedGroup[];
  /** The rollouts of groups in which none passed, if more than a few groups are like that; otherwise empty. */
  readonly stuck: readonly ObservedRollout[];
  readonly isCut: IsCut;
}

/** A rule: returns what it found, or undefined. A rule does not decide whether the run must stop. */
export type Rule = (picture: Picture) => Finding | undefined;

/** Returns a finding that does not stop the run. */
export function note(id: FindingId, seen: string, cure: string, options?: string): Finding {
  return { id, severity: "note", seen, cure, ...(options !== undefined && { options }) };
}

export function createPicture(measured: RunMeasurements): Picture {
  const read = measured.iterations.filter(({ rollouts }) => rollouts.length > 0);
  const newest = read.slice(-RECENT_ITERATIONS);
  const before = measured.evaluations.filter(({ isGreedy }) => !isGreedy);
  const recent = read.length > 0 ? newest.flatMap(({ rollouts }) => rollouts) : rolloutsOf(before);
  // One group has one policy, so groups are formed within an iteration.
  const groups =
    read.length > 0
      ? newest.flatMap(({ rollouts }) => groupRollouts(rollouts))
      : groupRollouts(recent);
  const isWrong = ({ rollouts }: ObservedGroup) => !rollouts.some(({ isPassed }) => isPassed);
  const wrong = groups.filter(isWrong);
  return {
    ...measured,
    recent,
    first: read[0],
    last: read.at(-1),
    groups,
    readGroups: read.flatMap(({ rollouts }) => groupRollouts(rollouts)),
    stuck: isAbove(shareOf(groups, isWrong), SOME) ? wrong.flatMap(({ rollouts }) => rollouts) : [],
    isCut: recogniseCutAnswers(recent),
  };
}

const rolloutsOf = (parts: readonly { readonly rollouts: readonly ObservedRollout[] }[]) =>
  parts.flatMap(({ rollouts }) => rollouts);

/** Returns the value of a metric in each finished iteration that has it. */
export function metricOverIterations(
  iterations: readonly MeasuredIteration[],
  name: string,
): number[] {
  return iterations.flatMap(({ metrics }) => {
    const value = metrics?.[name];
    return value === undefined ? [] : [value];
  });
}

/** Returns a metric of an iteration, or 0 if it has none. */
export const readMetric = (metrics: MetricsByName | undefined, name: string): number =>
  metrics?.[name] ?? 0;
