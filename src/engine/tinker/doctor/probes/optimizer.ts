/**
 * Observes how a server takes optimizer steps: clipping, settings that change between steps, and an absent gradient.
 */

import {
  describeOutcome,
  isStepClipped,
  measureClippedChange,
  ProbeError,
  TINY_CLIP,
  type Trainer,
  weightedLogprobSum,
  ZERO_RATE_STEP,
} from "../../probes/index.ts";
import type { Observation } from "../finding.ts";
import { type DoctorSubject, defineProbe, doOnce, formatNumber } from "../probe.ts";

export const optimizerProbe = defineProbe(
  ["zero-rate", "gradient-clip", "adam-parameters"],
  (subject) => {
    const calibrate = doOnce(() => subject.trainer.calibrate(subject.example));
    return {
      "zero-rate": async () => observeZeroRate(subject),
      "gradient-clip": () => calibrate().then(() => observeClipping(subject)),
      "adam-parameters": () => calibrate().then(() => observeOptimizerSettings(subject)),
    };
  },
);

/** Reports what the server answered to the first step, which was at learning rate 0. */
function observeZeroRate({ trainer: { zeroRate, restingStep } }: DoctorSubject): Observation {
  const accepted = zeroRate?.ok ?? false;
  const usedRate = restingStep.learning_rate;
  const instead =
    usedRate > 0
      ? `a step at ${usedRate} with epsilon ${restingStep.eps} was accepted, and the doctor takes that one instead`
      : "so were other steps that move nothing";
  return {
    verdict: accepted ? "ok" : "unsupported",
    evidence: accepted
      ? "accepted"
      : `refused (${zeroRate ? describeOutcome(zeroRate) : "not sent"}); ${instead}`,
    measured: { accepted, usedRate, usedEpsilon: restingStep.eps },
    consequence: accepted
      ? "none"
      : "a schedule must not begin or end at 0; the checks at the start take steps at 1e-30",
  };
}

async function observeClipping(subject: DoctorSubject): Promise<Observation> {
  const change = await measureClippedChange(subject);
  const { clipped, free } = change;
  const ok = isStepClipped(change);
  return {
    verdict: ok ? "ok" : Math.abs(clipped / free - 1) < 0.4 ? "deviates" : "unknown",
    evidence: `a linear step moves a row's log-probs by ${formatNumber(free)} nats, and by ${formatNumber(clipped)} with the norm clipped at ${TINY_CLIP}`,
    measured: { unclippedChange: free, clippedChange: clipped },
    consequence: ok
      ? "the server does the recipe's clipping"
      : "a run whose `optimizer.maxGradientNorm` is below 1e9 is refused at the start; checks of log-probs run before an update is sent",
  };
}

/**
 * Observes whether a later step uses its own settings: ten times the epsilon makes a tenth of the linear step. Where the
 * server bounds epsilon, a tenth of the epsilon at a tenth of the rate is the usual step.
 */
async function observeOptimizerSettings({ trainer, example }: DoctorSubject): Promise<Observation> {
  const { eps } = trainer.restingStep;
  const isBounded = eps < ZERO_RATE_STEP.eps;
  const tenth = { learning_rate: trainer.linearRate / 10 };
  const usual = await trainer.measureChange(example, isBounded ? { ...tenth, eps: eps / 10 } : {});
  const small = await trainer.measureChange(example, isBounded ? tenth : { eps: eps * 10 });
  const ratio = small / usual;
  // With a small epsilon the step is less than linear, so the ratio is larger than a tenth.
  const isOwn = Math.abs(ratio) < (isBounded ? 0.7 : 0.4);
  const isFirst = Math.abs(ratio - 1) < (isBounded ? 0.3 : 0.5);
  return {
    verdict: isOwn ? "ok" : isFirst ? "deviates" : "unknown",
    evidence: `a linear step moves a row's log-probs by ${formatNumber(usual)} nats; a later step with ten times the epsilon moves them by ${formatNumber(small)} (expected ${formatNumber(usual / 10)})`,
    measured: { usualChange: usual, tenthChange: small },
    consequence: isOwn
      ? "none"
      : "the server keeps the first step's betas, epsilon and weight decay for the whole run; only the learning rate may change",
  };
}

/**
 * The rate of the empty step, as a multiple of the linear rate: a third of the gradient is left in the momentum by
 * then.
 */
const EMPTY_STEP_RATE_FACTOR = 30;
/** The least change, in nats, that counts as movement: far below what momentum does at that rate. */
const MIN_MOVEMENT_NATS = 0.01;

/**
 * Observes what a step without a gradient does. It first builds up momentum at learning rate 0, then takes a step
 * without a gradient. The trainer's model must not have taken a step yet, because some servers keep the betas of the
 * first step.
 */
export async function observeEmptyStep(
  trainer: Trainer,
  { example }: DoctorSubject,
): Promise<Observation> {
  const momentum = { ...trainer.restingStep, beta1: 0.9, beta2: 0.95 };
  await trainer.accumulate([await trainer.withCurrentLogprobs(example)]);
  await trainer.step(momentum);
  const before = weightedLogprobSum(example, await trainer.averageLogprobs(example));
  // Reading log-probs may have left a gradient, which this step clears.
  await trainer.model.step(momentum);
  const outcome = await trainer.model.step({
    ...momentum,
    learning_rate: trainer.linearRate * EMPTY_STEP_RATE_FACTOR,
  });
  const consequence = "an update whose rollouts were all filtered out sends no step";
  if (!outcome.ok && /learning_rate/.test(outcome.message)) {
    throw new ProbeError(`the rate that would show it was refused: ${describeOutcome(outcome)}`);
  }
  if (!outcome.ok) {
    const evidence = `refused: ${describeOutcome(outcome)}`;
    return { verdict: "ok", evidence, measured: { refused: true }, consequence };
  }
  const change = weightedLogprobSum(example, await trainer.averageLogprobs(example)) - before;
  const bound = Math.max(MIN_MOVEMENT_NATS, 3 * trainer.noise);
  const applied = Math.abs(change) > bound;
  return {
    verdict: applied ? "deviates" : "ok",
    evidence: `with momentum from an earlier step, a step without a gradient moved a row's log-probs by ${formatNumber(change)} nats (noise is below ${formatNumber(bound)})`,
    measured: { refused: false, change, bound },
    consequence: applied ? `momentum would move the weights: ${consequence}` : consequence,
  };
}
