/**
 * Whether sampler and trainer speak of the same weights: after some training, so that a difference can show.
 *
 * A fresh adapter changes nothing, and every server agrees with itself then. Dropout in the trainer, log-probs after
 * temperature, a sampler that follows the live weights and one that puts old weights into the trainer show only later.
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
import { type DoctorSubject, formatNumber, type Probe } from "../probe.ts";

/** What two passes over the same row may differ by: rounding, where the order of sums varies. */
const NOISE_NATS = 0.005;
export const agreementProbe: Probe = {
  topics: [
    "trainer-noise",
    "sampler-gap",
    "logprob-temperature",
    "frozen-sampler",
    "sampler-training",
  ],
  async run(subject) {
    const { trainer, example, model } = subject;
    const moved = await trainer.moveWeights(example);
    const noise = await observeTrainerNoise(subject);
    const sampler = await createCurrentSampler(model);
    return {
      "trainer-noise": noise,
      "sampler-gap": await observeSamplerGap(sampler, subject, moved),
      "logprob-temperature": await observeLogprobTemperature(sampler, subject),
      ...(await observeOldSampler(sampler, subject)),
    };
  },
};

async function observeTrainerNoise(subject: DoctorSubject): Promise<Observation> {
  const { gap, passes } = await measureNoise(subject);
  const ok = gap <= NOISE_NATS;
  return {
    verdict: ok ? "ok" : "deviates",
    evidence: `four passes over one row at the same weights differ by up to ${formatNumber(gap)} nats`,
    measured: { maxGap: gap, passes },
    consequence: ok
      ? "none"
      : "dropout, or sums in varying order: ratios on the first minibatch are off 1 by as much, and the run's tripwire must allow it",
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
    evidence: `${gap.tokens} sampled tokens at temperature 1, after training moved a row by ${formatNumber(moved)} nats: mean gap ${formatNumber(gap.mean)}, largest ${formatNumber(gap.max)} nats`,
    measured: { tokens: gap.tokens, meanGap: gap.mean, maxGap: gap.max, trainedBy: moved },
    consequence: ok
      ? "none"
      : "old log-probs are recomputed by the trainer before the first minibatch",
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
    evidence: `mean gap to the trainer: ${formatNumber(atOne.mean)} nats sampled at temperature 1, ${formatNumber(atHighTemperature.mean)} at ${HIGH_TEMPERATURE}`,
    measured: {
      meanGapAt1: atOne.mean,
      meanGapHot: atHighTemperature.mean,
      tokens: atHighTemperature.tokens,
    },
    consequence: raw
      ? "log-probs are untempered: only temperatures 0 and 1 are sampled"
      : "log-probs come after temperature; training stays at temperature 1, where both are the same",
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
  const gap = (value: number) =>
    value === Infinity ? "other tokens" : `${formatNumber(value)} nats`;
  const evidence = `an update moved the row by ${formatNumber(change)} nats; the older sampler then differs from itself by ${gap(oldAfterUpdate)}, and by ${gap(oldAfterNewer)} after a newer one was made`;
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
      "only the newest sampler is used, and nothing is drawn between an update and the next sampler: `algo.staleness` must be 0",
  };
}

function judgeUndisturbed(measured: OldSamplerGaps): Observation {
  const { change, disturbed, disturbedBySame } = measured;
  const evidence = `the trainer's log-probs of a row, moved ${formatNumber(change)} nats by an update, changed by ${formatNumber(disturbedBySame)} when the sampler before the update was used, and by ${formatNumber(disturbed)} when a newer one had been made`;
  const ok = isTrainingUndisturbed(measured);
  return {
    verdict: ok ? "ok" : "deviates",
    evidence,
    measured: { change, disturbed, disturbedBySame },
    consequence: ok
      ? "none"
      : "only the newest sampler is used, and nothing is drawn between an update and the next sampler: `algo.staleness` must be 0",
  };
}

function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
