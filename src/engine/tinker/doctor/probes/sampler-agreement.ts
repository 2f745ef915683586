/**
 * Observes whether sampler and trainer agree on log-probs, after some training so that a difference can show.
 *
 * A new adapter changes nothing, so every server agrees with itself before training. Dropout in the trainer, tempered
 * log-probs, a sampler that follows the live weights and one that puts old weights into the trainer show only later.
 */

import {
  areLogprobsUntempered,
  createCurrentSampler,
  GAP_NATS,
  HIGH_TEMPERATURE,
  isOldSamplerFrozen,
  isTrainingUndisturbed,
  measureNoise,
  measureOldSampler,
  measureSampleGap,
  measureTemperatureGaps,
  type OldSamplerGaps,
  type Sampler,
} from "../../probes/index.ts";
import type { Observation } from "../finding.ts";
import { type DoctorSubject, defineProbe, doOnce, formatNumber } from "../probe.ts";

/** How much, in nats, two passes over the same row may differ by rounding when the order of sums varies. */
const NOISE_NATS = 0.005;
export const agreementProbe = defineProbe(
  ["trainer-noise", "sampler-gap", "logprob-temperature", "frozen-sampler", "sampler-training"],
  (subject) => {
    const { trainer, example, model } = subject;
    const moveWeights = doOnce(() => trainer.moveWeights(example));
    const openSampler = doOnce(() => createCurrentSampler(model));
    const observeOld = doOnce(async () => observeOldSampler(await openSampler(), subject));
    return {
      "trainer-noise": () => moveWeights().then(() => observeTrainerNoise(subject)),
      "sampler-gap": async () =>
        observeSamplerGap(await openSampler(), subject, await moveWeights()),
      "logprob-temperature": async () => observeLogprobTemperature(await openSampler(), subject),
      "frozen-sampler": () => observeOld().then((observed) => observed["frozen-sampler"]),
      "sampler-training": () => observeOld().then((observed) => observed["sampler-training"]),
    };
  },
);

async function observeTrainerNoise(subject: DoctorSubject): Promise<Observation> {
  const { gap, passes } = await measureNoise(subject);
  const ok = gap <= NOISE_NATS;
  return {
    verdict: ok ? "ok" : "deviates",
    evidence: `four passes over one row at the same weights differ by up to ${formatNumber(gap)} nats`,
    measured: { maxGap: gap, passes },
    consequence: ok
      ? "none"
      : "the trainer has dropout or sums in varying order; the first minibatch's ratios differ from 1 by as much, and the run's tripwire must allow such a difference",
  };
}

async function observeSamplerGap(
  sampler: Sampler,
  subject: DoctorSubject,
  moved: number,
): Promise<Observation> {
  const gap = await measureSampleGap(sampler, subject);
  const ok = gap.mean <= GAP_NATS;
  return {
    verdict: ok ? "ok" : "deviates",
    evidence: `for ${gap.tokens} tokens sampled at temperature 1, after training moved a row's log-probs by ${formatNumber(moved)} nats, the mean difference is ${formatNumber(gap.mean)} nats and the largest ${formatNumber(gap.max)}`,
    measured: { tokens: gap.tokens, meanGap: gap.mean, maxGap: gap.max, trainedBy: moved },
    consequence: ok
      ? "none"
      : "the trainer recomputes the old log-probs before the first minibatch",
  };
}

async function observeLogprobTemperature(
  sampler: Sampler,
  subject: DoctorSubject,
): Promise<Observation> {
  const gaps = await measureTemperatureGaps(sampler, subject);
  const { atOne, atHighTemperature } = gaps;
  const raw = areLogprobsUntempered(gaps);
  return {
    verdict: raw ? "ok" : "deviates",
    evidence: `the mean difference from the trainer is ${formatNumber(atOne.mean)} nats at temperature 1 and ${formatNumber(atHighTemperature.mean)} at ${HIGH_TEMPERATURE}`,
    measured: {
      meanGapAt1: atOne.mean,
      meanGapHot: atHighTemperature.mean,
      tokens: atHighTemperature.tokens,
    },
    consequence: raw
      ? "log-probs are untempered, so Bowline samples at temperatures 0 and 1 only"
      : "log-probs are tempered; training stays at temperature 1, where both kinds are the same",
  };
}

async function observeOldSampler(old: Sampler, subject: DoctorSubject) {
  const measured = await measureOldSampler(old, subject);
  return {
    "frozen-sampler": judgeFrozen(measured),
    "sampler-training": judgeUndisturbed(measured),
  };
}

function judgeFrozen(measured: OldSamplerGaps): Observation {
  const { change, oldAfterUpdate, oldAfterNewer } = measured;
  const formatGap = (value: number) =>
    value === Infinity ? "other tokens" : `${formatNumber(value)} nats`;
  const evidence = `an update moved the row's log-probs by ${formatNumber(change)} nats; the older sampler's then differ from before by ${formatGap(oldAfterUpdate)}, and by ${formatGap(oldAfterNewer)} after a newer sampler was made`;
  const numbers = {
    change,
    afterUpdate: finiteOrNull(oldAfterUpdate),
    afterNewer: finiteOrNull(oldAfterNewer),
  };
  if (isOldSamplerFrozen(measured))
    return { verdict: "ok", evidence, measured: numbers, consequence: "none" };
  return {
    verdict: "deviates",
    evidence,
    measured: numbers,
    consequence:
      "only the newest sampler is used, and nothing is sampled between an update and the next sampler: `algo.staleness` must be 0",
  };
}

function judgeUndisturbed(measured: OldSamplerGaps): Observation {
  const { change, disturbed, disturbedBySame } = measured;
  const evidence = `an update moved a row's log-probs by ${formatNumber(change)} nats; using the older sampler then changed the trainer's log-probs by ${formatNumber(disturbedBySame)} nats, and by ${formatNumber(disturbed)} after a newer sampler was made`;
  const ok = isTrainingUndisturbed(measured);
  return {
    verdict: ok ? "ok" : "deviates",
    evidence,
    measured: { change, disturbed, disturbedBySame },
    consequence: ok
      ? "none"
      : "only the newest sampler is used, and nothing is sampled between an update and the next sampler: `algo.staleness` must be 0",
  };
}

function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
