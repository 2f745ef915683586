/**
 * Observes losses: what they are summed or averaged over, which ones the server has, and whether it obeys their
 * settings.
 */

import {
  acceptsWeights,
  describeOutcome,
  doubleAdvantages,
  type Example,
  isNear,
  measureScales,
  sameRowTwice,
  withActionWeights,
} from "../../probes/index.ts";
import type { Observation } from "../finding.ts";
import { type DoctorSubject, defineProbe, formatNumber } from "../probe.ts";

export const gradientsProbe = defineProbe(
  ["gradient-norm", "reduction", "accumulation", "losses", "ppo-bounds"],
  (subject) => ({
    "gradient-norm": () => observeGradientNorm(subject),
    reduction: () => observeReduction(subject),
    accumulation: () => observeAccumulation(subject),
    losses: () => observeLosses(subject),
    "ppo-bounds": () => observePpoBounds(subject),
  }),
);

async function observeGradientNorm(subject: DoctorSubject): Promise<Observation> {
  const { normMetric } = subject.trainer;
  if (normMetric === undefined) {
    return {
      verdict: "unsupported",
      evidence: "an optimizer step reports no gradient norm",
      measured: { metric: null },
      consequence: "the log-probs after each update are checked instead",
    };
  }
  const [doubled] = await measureScales(subject, [doubleAdvantages]);
  const ok = isNear(doubled!, 2);
  return {
    verdict: ok ? "ok" : "deviates",
    evidence: `\`${normMetric}\`; doubling the advantages multiplies it by ${formatNumber(doubled!)}`,
    measured: { metric: normMetric, doubledAdvantages: doubled! },
    consequence: ok ? "it is recorded with each update" : "it is recorded but not relied on",
  };
}

async function observeReduction(subject: DoctorSubject): Promise<Observation> {
  const tokens = subject.example.targets.length;
  const actions = subject.example.advantages!.filter((value) => value !== 0).length;
  const [advantages, twice] = await measureScales(subject, [doubleAdvantages, sameRowTwice]);
  // `masked` is undefined when the server refuses weights for a policy loss.
  const [masked] = (await acceptsWeights(subject))
    ? await measureScales(subject, [(own) => [[withActionWeights(own)]]])
    : [];
  const measured = {
    doubledAdvantages: advantages!,
    rowTwice: twice!,
    weightsOnActionsOnly: masked ?? null,
    actions,
    tokens,
  };
  const weights =
    masked === undefined
      ? "weights are refused"
      : `weights on ${actions} actions of ${tokens} tokens only ${formatNumber(masked)}`;
  const evidence = `gradient relative to one row's: advantages doubled ${formatNumber(advantages!)}, the row twice ${formatNumber(twice!)}, ${weights}`;
  const overRows = isNear(twice!, 2) ? "sum" : isNear(twice!, 1) ? "mean" : undefined;
  const overTokens = isNear(masked ?? 1, 1)
    ? "sum"
    : isNear(masked!, tokens / actions)
      ? "mean"
      : undefined;
  if (overRows === undefined || overTokens === undefined || !isNear(advantages!, 2)) {
    const consequence = "a run stops at the start, because its updates could not be made right";
    return { verdict: "unknown", evidence, measured, consequence };
  }
  const sums = overRows === "sum" && overTokens === "sum";
  const named = { ...measured, overRows, overTokens };
  const what = sums
    ? "sum over tokens and rows"
    : `${overTokens} over a row's weights, ${overRows} over rows`;
  return {
    verdict: sums ? "ok" : "deviates",
    evidence: `${what}; ${evidence}`,
    measured: named,
    consequence: sums
      ? "none"
      : "advantages are multiplied by the number of rows and each row's weight before they are sent, so the update is that of a sum",
  };
}

async function observeAccumulation(subject: DoctorSubject): Promise<Observation> {
  const [together, apart] = await measureScales(subject, [sameRowTwice, (own) => [[own], [own]]]);
  const ok = isNear(apart!, together!);
  return {
    verdict: ok ? "ok" : "deviates",
    evidence: `sending a row twice gives ${formatNumber(together!)} times its gradient in one call and ${formatNumber(apart!)} times in two calls`,
    measured: { oneCall: together!, twoCalls: apart! },
    consequence: ok
      ? "a minibatch may be split over several calls"
      : "a minibatch is sent in one call; a run whose minibatches do not fit stops at the start",
  };
}

const LOSSES = ["cross_entropy", "importance_sampling", "ppo", "cispo", "dro"];

async function observeLosses({ trainer, model, example }: DoctorSubject): Promise<Observation> {
  const own = await trainer.withCurrentLogprobs(example);
  const { targets, inputs } = own;
  const weights = targets.map(() => 1);
  const refused: string[] = [];
  const measured: Record<string, boolean> = {};
  for (const loss of LOSSES) {
    const row = loss === "cross_entropy" ? { inputs, targets, weights } : own;
    const config = loss === "dro" ? { config: { beta: 0.05 } } : {};
    const outcome = await model.forwardBackward([row], loss, config);
    measured[loss] = outcome.ok;
    if (!outcome.ok) refused.push(`${loss} (${outcome.status})`);
  }
  await model.step(trainer.restingStep);
  const acceptedLosses = LOSSES.filter((loss) => measured[loss]);
  return {
    verdict: !measured["importance_sampling"]
      ? "deviates"
      : refused.length === 0
        ? "ok"
        : "unsupported",
    evidence: `${acceptedLosses.join(", ")} accepted${refused.length > 0 ? `; ${refused.join(", ")} refused` : ""}`,
    measured,
    consequence: measured["importance_sampling"]
      ? "every objective uses importance_sampling with derivatives as advantages"
      : "a run stops at the start, because no loss accepts derivatives",
  };
}

/** Observes the ppo bounds with advantage 1 and ratio e: only an upper bound below e stops the gradient. */
async function observePpoBounds({ trainer, example, model }: DoctorSubject): Promise<Observation> {
  const own = await trainer.withCurrentLogprobs(example);
  const shiftLogprobs = (row: Example) => ({
    ...row,
    logprobs: row.logprobs!.map((value) => value - 1),
  });
  const measureScale = (high: number) =>
    trainer.measureGradientScale(own, (present) =>
      trainer.accumulate([shiftLogprobs(present)], "ppo", {
        config: { clip_low_threshold: 0.8, clip_high_threshold: high },
      }),
    );
  const first = await model.forwardBackward([shiftLogprobs(own)], "ppo", {
    config: { clip_low_threshold: 0.8, clip_high_threshold: 3.5 },
  });
  await trainer.clearGradient();
  const consequence = "Bowline's own objectives do not need the server's bounds";
  if (!first.ok)
    return { verdict: "unsupported", evidence: describeOutcome(first), measured: {}, consequence };
  const unit = await trainer.measureGradientScale(own, (present) => trainer.accumulate([present]));
  const wide = (await measureScale(3.5)) / unit;
  const narrow = (await measureScale(2)) / unit;
  const ok = isNear(wide, Math.E) && Math.abs(narrow) < 0.1;
  return {
    verdict: ok ? "ok" : "deviates",
    evidence: `at ratio e and advantage 1 the gradient is ${formatNumber(wide)} with the upper bound 3.5 (expected 2.72) and ${formatNumber(narrow)} with the upper bound 2 (expected 0)`,
    measured: { wideBound: wide, narrowBound: narrow },
    consequence: ok
      ? "the server's ppo may be used when it equals the objective"
      : "the server's ppo is not used",
  };
}
