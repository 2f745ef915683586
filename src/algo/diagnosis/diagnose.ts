/**
 * The diagnosis of a run: what its measurements say about why it learns slowly, or cannot learn at all.
 *
 *   rules       each looks for one cause, and names it only where a 95% interval excludes health
 *   verdict     nothing can be learned when no group has taught for `ENOUGH_UNITS` groups: then the chance that a group
 *               teaches is below 5%, with 95% confidence
 *
 * A diagnosis reads measurements alone. It does not know the configuration, so what it says holds whatever was set.
 */

import {
  findCutAnswers,
  findEqualSamples,
  findEvaluationCut,
  findIllFormedAnswers,
  findRowsCut,
  findStopNotHeard,
  findTurnsRunOut,
} from "./answer-rules.ts";
import {
  countIdleIterations,
  findBrokenPolicy,
  findHardTasks,
  findSmallSteps,
} from "./learning-rules.ts";
import type { Finding, RunMeasurements } from "./measurements.ts";
import { groupRollouts } from "./observed-groups.ts";
import { createPicture, type Picture, type Rule, readMetric } from "./picture.ts";
import {
  findBlindReward,
  findConstantTerm,
  findFailedRollouts,
  findFailingTool,
  findNothingKept,
} from "./reward-rules.ts";
import { ENOUGH_UNITS, shareOf } from "./shares.ts";

/**
 * Rules that explain failures, the most certain first. When a rule applies, those after it are not asked, because
 * their symptoms follow from its cause: a policy whose stop token is not heard also runs out of turns.
 */
const CAUSES: readonly Rule[] = [
  findFailedRollouts,
  findStopNotHeard,
  findBlindReward,
  findBrokenPolicy,
  findEqualSamples,
  findCutAnswers,
  findIllFormedAnswers,
  findFailingTool,
  findRowsCut,
  findTurnsRunOut,
  findNothingKept,
  findHardTasks,
];

/** Rules on other things that go wrong, each of which is reported besides a cause. */
const ASIDES: readonly Rule[] = [findEvaluationCut, findConstantTerm, findSmallSteps];

/** Returns what a run's measurements say is wrong with it; empty for a run that learns or has learned. */
export function diagnose(measured: RunMeasurements): Finding[] {
  const picture = createPicture(measured);
  const causes = firstFinding(CAUSES, picture);
  const asides = ASIDES.flatMap((rule) => rule(picture) ?? []);
  const idle = describeIdleness(picture);
  if (idle === undefined) return [...causes, ...asides];
  if (causes.length === 0) return [idle, ...asides];
  const stopping = causes.map((finding): Finding => ({ ...finding, severity: "stop" }));
  return [...stopping, ...asides];
}

function firstFinding(rules: readonly Rule[], picture: Picture): Finding[] {
  for (const rule of rules) {
    const finding = rule(picture);
    if (finding !== undefined) return [finding];
  }
  return [];
}

/** Returns the finding that stops a run, without its cause; undefined as long as something may be learned. */
function describeIdleness(picture: Picture): Finding | undefined {
  const idle = countIdleIterations(picture);
  const groups = idle.reduce((sum, { rollouts }) => sum + groupRollouts(rollouts).length, 0);
  const isSolved = idle.some(({ metrics }) => readMetric(metrics, "group/all_right") > 0);
  if (groups < ENOUGH_UNITS) return undefined;
  if (isSolved && findBlindReward(picture) === undefined) return undefined;
  const rollouts = idle.flatMap((iteration) => iteration.rollouts);
  const passed = shareOf(rollouts, ({ isPassed }) => isPassed);
  return {
    id: "nothing-teaches",
    severity: "stop",
    seen: `in ${idle.length} iterations, none of ${groups} groups has two different returns; ${passed.count} of ${passed.of} rollouts pass`,
    cure: "start with easier tasks or with a stronger policy: more demonstrations, a longer warm start, or a larger model",
    options: "--warm.auto",
  };
}
