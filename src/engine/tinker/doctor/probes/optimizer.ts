/** What an optimizer step honours: clipping, settings that change from step to step, and a gradient that is not there. */

import {
  describeOutcome,
  isStepClipped,
  measureClippedChange,
  TINY_CLIP,
  type Trainer,
  weightedLogprobSum,
  ZERO_RATE_STEP,
} from "../../probes/index.ts";
import type { Observation } from "../finding.ts";
import { type DoctorSubject, formatNumber, type Probe } from "../probe.ts";

export const optimizerProbe: Probe = {
  topics: ["gradient-clip", "adam-parameters"],
  async run(subject) {
    await subject.trainer.calibrate(subject.example);
    return {
      "gradient-clip": await observeClipping(subject),
      "adam-parameters": await observeOptimizerSettings(subject),
    };
  },
};

async function observeClipping(subject: DoctorSubject): Promise<Observation> {
  const change = await measureClippedChange(subject);
  const { clipped, free } = change;
  const ok = isStepClipped(change);
  return {
    verdict: ok ? "ok" : Math.abs(clipped / free - 1) < 0.4 ? "deviates" : "unknown",
    evidence: `a linear step moves a row by ${formatNumber(free)} nats; with the norm clipped at ${TINY_CLIP} by ${formatNumber(clipped)}`,
    measured: { unclippedChange: free, clippedChange: clipped },
    consequence: ok
      ? "the recipe's clipping is the server's"
      : "a run whose `optimizer.maxGradientNorm` is below 1e9 is refused at start; guards read log-probs before an update is sent",
  };
}

/** Ten times the epsilon is a tenth of a linear step. */
async function observeOptimizerSettings({ trainer, example }: DoctorSubject): Promise<Observation> {
  const usual = await trainer.measureChange(example);
  const small = await trainer.measureChange(example, { eps: ZERO_RATE_STEP.eps * 10 });
  const ratio = small / usual;
  const ok = Math.abs(ratio) < 0.4;
  return {
    verdict: ok ? "ok" : Math.abs(ratio - 1) < 0.5 ? "deviates" : "unknown",
    evidence: `a linear step moves a row by ${formatNumber(usual)} nats; after the first step, with ten times its epsilon, by ${formatNumber(small)} (expected ${formatNumber(usual / 10)})`,
    measured: { usualChange: usual, tenthChange: small },
    consequence: ok
      ? "none"
      : "betas, epsilon and weight decay of the first step hold for the whole run; only the learning rate may change",
  };
}

/** Times the linear rate: a third of the gradient is left in the momentum by then. */
const EMPTY_STEP_RATE_FACTOR = 30;
/** Far below what momentum does at that rate. */
const MIN_MOVEMENT_NATS = 0.01;

/**
 * Momentum without movement, then a step with no gradient: what moves now is that step's doing. Needs a model whose
 * optimizer has taken no step yet, because some servers keep the betas of the first one.
 */
export async function observeEmptyStep(
  trainer: Trainer,
  { example }: DoctorSubject,
): Promise<Observation> {
  const momentum = { ...ZERO_RATE_STEP, beta1: 0.9, beta2: 0.95 };
  await trainer.accumulate([await trainer.withCurrentLogprobs(example)]);
  await trainer.step(momentum);
  const before = weightedLogprobSum(example, await trainer.averageLogprobs(example));
  // Reading may have left a gradient; on every server that takes it this is the second step.
  await trainer.model.step(momentum);
  const outcome = await trainer.model.step({
    ...momentum,
    learning_rate: trainer.linearRate * EMPTY_STEP_RATE_FACTOR,
  });
  const consequence = "an update whose rollouts are all filtered sends no step";
  if (!outcome.ok) {
    const evidence = `refused: ${describeOutcome(outcome)}`;
    return { verdict: "ok", evidence, measured: { refused: true }, consequence };
  }
  const change = weightedLogprobSum(example, await trainer.averageLogprobs(example)) - before;
  const bound = Math.max(MIN_MOVEMENT_NATS, 3 * trainer.noise);
  const applied = Math.abs(change) > bound;
  return {
    verdict: applied ? "deviates" : "ok",
    evidence: `with momentum from an earlier step, one without a gradient moved a row by ${formatNumber(change)} nats (noise is below ${formatNumber(bound)})`,
    measured: { refused: false, change, bound },
    consequence: applied ? `momentum would move the weights: ${consequence}` : consequence,
  };
}
