/** Rules on rewards that do not depend on what a rollout did, on judges, and on rollouts that failed. */
import type { Finding } from "./measurements.ts";
import { areAllAlike, type ObservedGroup } from "./observed-groups.ts";
import { metricOverIterations, note, type Picture, type Rule, readMetric } from "./picture.ts";
import { ALMOST_ALWAYS, formatShare, isAbove, MOST, SOME, shareOf } from "./shares.ts";

/**
 * A policy that has learned its tasks earns the same by doing the same. So a reward is blind when rollouts of a group
 * that did different things earned the same in every group, or when some of a group passed and its returns are equal.
 */
export const findBlindReward: Rule = (picture) => {
  const finished = picture.readGroups.flatMap(({ task, rollouts }) => {
    const ended = rollouts.filter(({ isFinished }) => isFinished);
    return ended.length > 1 ? [{ task, rollouts: ended }] : [];
  });
  const different = finished.filter((group) => !areAllAlike(group, ({ deeds }) => deeds));
  const rewarded = different.filter(({ rollouts }) => rollouts.some(({ earned }) => earned > 0));
  const alike = shareOf(different, earnedAlike);
  const rewardedAlike = shareOf(rewarded, earnedAlike);
  const isAlways = alike.count === alike.of && isAbove(alike, ALMOST_ALWAYS);
  if (isAlways && isAbove(rewardedAlike, MOST)) {
    const seen = `in all ${alike.of} groups whose finished rollouts did different things (${rewarded.length} of them rewarded), they earned the same`;
    return describeBlindness(seen, finished);
  }
  const divided = shareOf(picture.readGroups, (group) => !areAllAlike(group, isPassed));
  if (!isAbove(divided, SOME) || countTeachingGroups(picture) > 0) return undefined;
  const seen = `no group has two different returns, although in ${formatShare(divided)} of the groups some rollouts passed and some did not`;
  return describeBlindness(seen, finished);
};

const earnedAlike = (group: ObservedGroup) => areAllAlike(group, ({ result }) => result);

const isPassed = (rollout: { readonly isPassed: boolean }) => rollout.isPassed;

/** A reward that differs between groups depends on the task; one that never differs depends on nothing. */
function describeBlindness(seen: string, finished: readonly ObservedGroup[]): Finding {
  const results = new Set(finished.flatMap(({ rollouts }) => rollouts.map(({ earned }) => earned)));
  if (results.size === 1) {
    return note(
      "reward-constant",
      `every finished rollout earned ${formatNumber([...results][0]!)}; ${seen}`,
      "the reward cannot fail: make the checks or the reward function tell a good result from a bad one (`bowline world check` shows checks that pass when nothing is done)",
    );
  }
  return note(
    "reward-blind-in-groups",
    seen,
    "the reward depends on the task and not on what the rollout did: make it depend on the result",
  );
}

const formatNumber = (value: number) => String(Number(value.toFixed(3)));

/** Returns the sum over iterations of the share of groups that teach, as the run itself graded them. */
function countTeachingGroups({ iterations }: Picture): number {
  return metricOverIterations(iterations, "group/mixed").reduce((sum, share) => sum + share, 0);
}

/** A term whose mean is the same in three iterations depends on nothing; one of 0 never paid anything. */
export const findConstantTerm: Rule = ({ iterations }) => {
  const names = new Set(
    iterations.flatMap(({ metrics = {} }) =>
      Object.keys(metrics).filter((name) => name.startsWith("reward/term/")),
    ),
  );
  for (const name of names) {
    const values = metricOverIterations(iterations, name);
    if (values.length < 3 || values.some((value) => value !== values[0])) continue;
    return note(
      "reward-term-constant",
      `${name} is ${formatNumber(values[0]!)} in all ${values.length} iterations`,
      "the reward term always returns the same value: look for an error that it catches, or leave it out",
    );
  }
  return undefined;
};

/** Rollouts that have no result, because the judge, the world, the policy or the agent failed. */
export const findFailedRollouts: Rule = ({ recent, evaluations }) => {
  const all = new Set([...recent, ...evaluations.flatMap(({ rollouts }) => rollouts)]);
  const failed = [...all].filter(({ outcome }) => outcome === "failed");
  const share = shareOf([...all], ({ outcome }) => outcome === "failed");
  if (failed.length === 0 || !isAbove(share, SOME)) return undefined;
  const { boundary, message } = failed.at(-1)!.failure ?? { boundary: "agent", message: "" };
  const seen = `${formatShare(share)} of the rollouts failed at the ${boundary}: ${message}`;
  return boundary === "judge"
    ? note("judge-fails", seen, "mend the judge: its address, its key and the form of its answers")
    : note("rollouts-fail", seen, `mend the ${boundary}; rollouts that fail teach nothing`);
};

/** All calls of an API fail, and the calls are too many for that to be chance. */
export const findFailingTool: Rule = ({ recent }) => {
  const calls = recent.flatMap(({ task, calls }) => calls.map((call) => ({ ...call, task })));
  const names = [...new Set(calls.map(({ name }) => name))];
  const failing = names.flatMap((name) => {
    const made = calls.filter((call) => call.name === name);
    const callers = shareOf(recent, (rollout) => rollout.calls.some((call) => call.name === name));
    const failed = shareOf(made, ({ isFailed }) => isFailed);
    const always = failed.count === failed.of && isAbove(failed, ALMOST_ALWAYS);
    return always && isAbove(callers, SOME) ? [{ name, failed, callers }] : [];
  });
  const [worst] = failing.sort((a, b) => b.callers.count - a.callers.count);
  if (worst === undefined) return undefined;
  return note(
    "tool-always-fails",
    `${worst.name} is called in ${formatShare(worst.callers)} of the rollouts, and all of its ${worst.failed.of} calls failed`,
    "the API never works for the agent: call it by hand (`bowline play`), and check its handler, its address and what it needs first, such as a login",
  );
};

/** Groups have different returns, and yet no rollout is left to learn from. */
export const findNothingKept: Rule = ({ iterations }) => {
  const finished = iterations.filter(({ metrics }) => metrics !== undefined).slice(-3);
  const kept = finished.reduce((sum, { metrics }) => sum + readMetric(metrics, "rollout/kept"), 0);
  const mixed = metricOverIterations(finished, "group/mixed").filter((share) => share > SOME);
  if (finished.length < 2 || kept > 0 || mixed.length < finished.length) return undefined;
  const filters = Object.entries(finished.at(-1)!.metrics ?? {}).filter(
    ([name, left]) => name.startsWith("filter/") && left > 0,
  );
  const by = filters.map(([name, left]) => `${name} left out ${formatNumber(left)}`).join(", ");
  return note(
    "nothing-kept",
    `no rollout of the last ${finished.length} iterations was learned from, although ${Math.round(100 * Math.min(...mixed))}% of the groups or more have different returns${by && `; ${by}`}`,
    "filters or algo.advantageThreshold leave out every rollout: loosen them",
  );
};
