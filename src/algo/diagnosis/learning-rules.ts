/** Rules on what training did to the policy, and on runs in which few groups teach for no other reason. */
import type { MeasuredIteration, MetricsByName, RunMeasurements } from "./measurements.ts";
import type { ObservedRollout } from "./observe-rollout.ts";
import { metricOverIterations, note, type Rule, readMetric } from "./picture.ts";
import { formatShare, isAbove, MOST, type Share, shareOf } from "./shares.ts";

/** After updates, far fewer rollouts pass, or most answers became ill-formed. */
export const findBrokenPolicy: Rule = ({ first, last, iterations }) => {
  if (first === undefined || last === undefined || first === last) return undefined;
  const updates = iterations
    .filter(({ number }) => number >= first.number && number < last.number)
    .reduce((sum, { metrics }) => sum + readMetric(metrics, "train/updates"), 0);
  if (updates === 0) return undefined;
  const passed = [first, last].map(({ rollouts }) => shareOf(rollouts, (one) => one.isPassed));
  const garbled = [first, last].map(({ rollouts }) => shareOf(rollouts, isGarbled));
  const [passedBefore, passedNow] = passed as [Share, Share];
  const [garbledBefore, garbledNow] = garbled as [Share, Share];
  const fell = passedNow.high < passedBefore.low && ratio(passedNow) < ratio(passedBefore) / 2;
  const rose = garbledNow.low > garbledBefore.high && isAbove(garbledNow, MOST);
  if (!fell && !rose) return undefined;
  const what = fell
    ? `the share of rollouts that pass fell from ${formatShare(passedBefore)} to ${formatShare(passedNow)}`
    : `the share of rollouts with only ill-formed answers rose from ${formatShare(garbledBefore)} to ${formatShare(garbledNow)}`;
  return note(
    "policy-broke",
    `${what} between iterations ${first.number} and ${last.number}, after ${updates} updates`,
    "the learning rate is far too high: divide it by 10 to 100, and start again from the warm start",
  );
};

const ratio = ({ count, of }: Share) => count / Math.max(of, 1);

const isGarbled = ({ answers }: ObservedRollout) =>
  answers.length > 0 && answers.every(({ isIllFormed }) => isIllFormed);

/**
 * The largest ratio of the newest iterations of several updates shows no change of the policy. A ratio of exactly 1 in
 * all of them shows nothing: a method may measure it before its only update of the policy.
 */
export const findSmallSteps: Rule = ({ iterations }) => {
  const several = iterations
    .filter(({ metrics }) => readMetric(metrics, "train/updates") > 1)
    .slice(-3);
  const largest = metricOverIterations(several, "ratio/max");
  const isMeasured = largest.some((value) => value > 1);
  if (largest.length < 3 || !isMeasured || largest.some((value) => value > STILL)) return undefined;
  return note(
    "steps-too-small",
    `in ${largest.length} iterations of several updates, no token became more than ${(100 * (Math.max(...largest) - 1)).toFixed(3)}% more likely`,
    "the learning rate is too low: multiply it by 10 or more",
  );
};

/** A ratio that is 1 except for rounding: one part in a thousand, a hundredth of the paper's clip. */
const STILL = 1.001;

/** Few groups of several rollouts teach, because nearly none passes, and no other rule says why. */
export const findHardTasks: Rule = ({ groups, recent, iterations }) => {
  const several = groups.filter(({ rollouts }) => rollouts.length > 1);
  const allWrong = shareOf(several, ({ rollouts }) => !rollouts.some(({ isPassed }) => isPassed));
  const newest = iterations.filter(({ rollouts }) => rollouts.length > 0).slice(-3);
  const mixed = metricOverIterations(newest, "group/mixed");
  const teaching = mixed.reduce((sum, share) => sum + share, 0) / Math.max(mixed.length, 1);
  if (!isAbove(allWrong, MOST) || mixed.length === 0 || teaching > 1 - MOST) return undefined;
  const passed = shareOf(recent, ({ isPassed }) => isPassed);
  return note(
    "tasks-too-hard",
    `${formatShare(passed)} of the rollouts pass, and in ${formatShare(allWrong)} of the groups none does`,
    "start with easier tasks or with a stronger policy (more or better demonstrations, a longer warm start), or use larger groups",
    "--warm.auto",
  );
};

/**
 * Returns the newest iterations in a row in which no group had two different returns and some group failed, as
 * measured by the run's own grading.
 */
export function countIdleIterations({ iterations }: RunMeasurements): MeasuredIteration[] {
  const finished = iterations.filter(({ metrics }) => metrics !== undefined);
  const lastTeaching = finished.findLastIndex(({ metrics }) => !isIdle(metrics!));
  return finished.slice(lastTeaching + 1);
}

/** Whether an iteration had nothing to learn from. Solutions that are mixed in and replayed successes also teach. */
function isIdle(metrics: MetricsByName): boolean {
  const isTaught =
    metrics["imitation/loss"] !== undefined || readMetric(metrics, "buffer/injected") > 0;
  return !isTaught && readMetric(metrics, "group/mixed") === 0 && isUseless(metrics);
}

/** No update was made, or the updates had nothing to follow. */
function isUseless(metrics: MetricsByName): boolean {
  return readMetric(metrics, "train/updates") === 0 || metrics["gradient/norm"] === 0;
}
