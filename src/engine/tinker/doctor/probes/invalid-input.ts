/**
 * Observes what a server does with invalid input. Bowline never sends any, but a server that accepts it hides the
 * errors of other clients. Ids outside the vocabulary and NaN can crash a server, so they are sent only when that is
 * allowed.
 */

import {
  describeOutcome,
  type Example,
  type Outcome,
  type PassResult,
  requireSuccess,
  Trainer,
} from "../../probes/index.ts";
import type { Observation } from "../finding.ts";
import { type DoctorSubject, defineProbe, doOnce, formatNumber } from "../probe.ts";

export const lengthsProbe = defineProbe(["lengths"], (subject) => ({
  lengths: () => observeWrongLengths(subject),
}));

const CHECKED_BEFORE_SENDING = "every request is checked before it is sent";

async function observeWrongLengths({ trainer, example }: DoctorSubject): Promise<Observation> {
  const own = await trainer.withCurrentLogprobs(example);
  const dropLastTwo = <T>(values: readonly T[]) => values.slice(0, -2);
  const cases: Record<string, Example> = {
    advantages: { ...own, advantages: dropLastTwo(own.advantages!) },
    logprobs: { ...own, logprobs: dropLastTwo(own.logprobs!) },
    targets: { ...own, targets: dropLastTwo(own.targets) },
  };
  const measured: Record<string, boolean | number> = {};
  const descriptions: string[] = [];
  for (const [name, wrong] of Object.entries(cases)) {
    const outcome = await trainer.model.forwardBackward([wrong], "importance_sampling");
    measured[name] = outcome.ok;
    descriptions.push(
      `${name} ${outcome.ok ? describeAccepted(outcome.value) : `refused (${outcome.status})`}`,
    );
  }
  await trainer.clearGradient();
  const taken = Object.values(measured).some(Boolean);
  return {
    verdict: taken ? "deviates" : "ok",
    evidence: `with two of ${own.targets.length} values missing: ${descriptions.join(", ")}`,
    measured,
    consequence: CHECKED_BEFORE_SENDING,
  };
}

function describeAccepted({ logprobs }: PassResult): string {
  return `accepted (${logprobs[0]?.length ?? 0} log-probs came back)`;
}

/** A token id that is in no vocabulary and still fits into 32 bits. */
const UNKNOWN_TOKEN = 100_000_000;

/** Sends dangerous inputs to a model of its own, because its gradient and weights may be lost. */
export const dangerousInputProbe = defineProbe(["token-range", "not-a-number"], (subject) => {
  const observeBoth = doOnce(() => observeDangerousInputs(subject));
  return {
    "token-range": () => observeBoth().then((observed) => observed["token-range"]),
    "not-a-number": () => observeBoth().then((observed) => observed["not-a-number"]),
  };
});

async function observeDangerousInputs(subject: DoctorSubject): Promise<DangerousObservations> {
  if (!subject.risky) {
    const notSent = createNotSentObservation();
    return { "token-range": notSent, "not-a-number": notSent };
  }
  const model = requireSuccess(await subject.server.createModel(), "create_model");
  const trainer = await Trainer.create(model, subject.example);
  const found = await sendDangerousInputs(trainer, subject.example);
  await model.unload();
  return found;
}

type DangerousObservations = { readonly [topic in "token-range" | "not-a-number"]: Observation };

function createNotSentObservation(): Observation {
  return {
    verdict: "unknown",
    evidence:
      "not sent, because it can crash a server that does not check its input; allow it with --risky",
    measured: {},
    consequence: CHECKED_BEFORE_SENDING,
  };
}

async function sendDangerousInputs(
  trainer: Trainer,
  example: Example,
): Promise<DangerousObservations> {
  const { model } = trainer;
  const own = await trainer.withCurrentLogprobs(example);
  const outside = {
    ...own,
    inputs: own.inputs.with(1, UNKNOWN_TOKEN),
    targets: own.targets.with(0, UNKNOWN_TOKEN),
  };
  const token = await model.forwardBackward([outside], "importance_sampling");
  await model.step(trainer.restingStep);
  const notANumber = { ...own, advantages: own.advantages!.map((value) => value * Number.NaN) };
  const nan = await model.forwardBackward([notANumber], "importance_sampling");
  const step = await model.step({ ...trainer.restingStep, learning_rate: 1e-6 });
  const after = await trainer.averageLogprobs(example).catch(() => undefined);
  return {
    "token-range": observeTokenRange(token),
    "not-a-number": observeNan(trainer, nan, step, after),
  };
}

function observeTokenRange(outcome: Outcome<PassResult>): Observation {
  const values = outcome.ok ? outcome.value.logprobs.flat() : [];
  const nans = values.filter(Number.isNaN).length;
  return {
    verdict: outcome.ok ? "deviates" : "ok",
    evidence: outcome.ok
      ? `token ${UNKNOWN_TOKEN} was accepted: ${nans} of ${values.length} log-probs came back as NaN or null`
      : `token ${UNKNOWN_TOKEN} was refused: ${describeOutcome(outcome)}`,
    measured: { accepted: outcome.ok, nanLogprobs: nans, logprobs: values.length },
    consequence: CHECKED_BEFORE_SENDING,
  };
}

function observeNan(
  { normMetric }: Trainer,
  nan: Outcome<PassResult>,
  step: Outcome<Readonly<Record<string, number>>>,
  after: readonly number[] | undefined,
): Observation {
  const norm = step.ok && normMetric !== undefined ? step.value[normMetric] : undefined;
  const lost = after?.some(Number.isNaN) ?? false;
  const measured = {
    accepted: nan.ok,
    stepped: step.ok,
    norm: finiteOrNull(norm),
    weightsLost: lost,
  };
  const description = nan.ok
    ? "NaN advantages were accepted"
    : `NaN advantages were refused: ${describeOutcome(nan)}`;
  const stepDescription = step.ok
    ? `the next step was taken${norm === undefined ? "" : ` with norm ${formatNumber(norm)}`}`
    : `the next step was refused: ${describeOutcome(step)}`;
  const state =
    after === undefined
      ? "the weights could not be read"
      : lost
        ? "the weights were lost"
        : "the weights were finite";
  return {
    verdict: nan.ok || lost ? "deviates" : "ok",
    evidence: `${description}; ${stepDescription}; ${state} afterwards`,
    measured,
    consequence: `${CHECKED_BEFORE_SENDING}; a log-prob or norm that is not finite stops the run before the next step`,
  };
}

function finiteOrNull(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) ? value : null;
}
