/**
 * What becomes of input that makes no sense. Bowline never sends any; a server that takes it hides the errors of other
 * clients. Ids outside the vocabulary and NaN can end a server's process, so they are sent only where that is allowed.
 */

import {
  describeOutcome,
  type Example,
  type Outcome,
  type PassResult,
  requireSuccess,
  Trainer,
  ZERO_RATE_STEP,
} from "../../probes/index.ts";
import type { Observation, Topic } from "../finding.ts";
import { type Probe, type Subject, show } from "../probe.ts";

export const lengths: Probe = {
  topics: ["lengths"],
  async run(subject) {
    return { lengths: await wrongLengths(subject) };
  },
};

const CONSEQUENCE = "every request is checked before it is sent";

async function wrongLengths({ trainer, example }: Subject): Promise<Observation> {
  const own = await trainer.withCurrentLogprobs(example);
  const short = <T>(values: readonly T[]) => values.slice(0, -2);
  const cases: Record<string, Example> = {
    advantages: { ...own, advantages: short(own.advantages!) },
    logprobs: { ...own, logprobs: short(own.logprobs!) },
    targets: { ...own, targets: short(own.targets) },
  };
  const measured: Record<string, boolean | number> = {};
  const said: string[] = [];
  for (const [name, wrong] of Object.entries(cases)) {
    const outcome = await trainer.model.forwardBackward([wrong], "importance_sampling");
    measured[name] = outcome.ok;
    said.push(`${name} ${outcome.ok ? accepted(outcome.value) : `refused (${outcome.status})`}`);
  }
  await trainer.clearGradient();
  const taken = Object.values(measured).some(Boolean);
  return {
    verdict: taken ? "deviates" : "ok",
    evidence: `two values short of ${own.targets.length}: ${said.join(", ")}`,
    measured,
    consequence: CONSEQUENCE,
  };
}

function accepted({ logprobs }: PassResult): string {
  return `accepted (${logprobs[0]?.length ?? 0} log-probs came back)`;
}

/** In no vocabulary, and still a 32-bit integer. */
const NO_TOKEN = 100_000_000;

/** On a model of its own: its gradient and its weights may be lost. */
export const poison: Probe = {
  topics: ["token-range", "not-a-number"],
  async run(subject) {
    if (!subject.risky) return { "token-range": unsent(), "not-a-number": unsent() };
    const model = requireSuccess(await subject.lab.createModel(), "create_model");
    const trainer = await Trainer.create(model, subject.example);
    const found = await sendPoison(trainer, subject.example);
    await model.unload();
    return found;
  },
};

function unsent(): Observation {
  return {
    verdict: "unknown",
    evidence: "not sent: it can end a server that does not check its input; allow it with --risky",
    measured: {},
    consequence: CONSEQUENCE,
  };
}

async function sendPoison(
  trainer: Trainer,
  example: Example,
): Promise<Partial<Record<Topic, Observation>>> {
  const { model } = trainer;
  const own = await trainer.withCurrentLogprobs(example);
  const outside = {
    ...own,
    inputs: [own.inputs[0]!, NO_TOKEN, ...own.inputs.slice(2)],
    targets: [NO_TOKEN, ...own.targets.slice(1)],
  };
  const token = await model.forwardBackward([outside], "importance_sampling");
  await model.step(ZERO_RATE_STEP);
  const notANumber = { ...own, advantages: own.advantages!.map((value) => value * Number.NaN) };
  const nan = await model.forwardBackward([notANumber], "importance_sampling");
  const step = await model.step({ ...ZERO_RATE_STEP, learning_rate: 1e-6 });
  const after = await trainer.averageLogprobs(example).catch(() => undefined);
  return { "token-range": tokenRange(token), "not-a-number": afterNan(trainer, nan, step, after) };
}

function tokenRange(outcome: Outcome<PassResult>): Observation {
  const values = outcome.ok ? outcome.value.logprobs.flat() : [];
  const nans = values.filter(Number.isNaN).length;
  return {
    verdict: outcome.ok ? "deviates" : "ok",
    evidence: outcome.ok
      ? `token ${NO_TOKEN} accepted: ${nans} of ${values.length} log-probs came back as NaN or null`
      : `token ${NO_TOKEN} refused: ${describeOutcome(outcome)}`,
    measured: { accepted: outcome.ok, nanLogprobs: nans, logprobs: values.length },
    consequence: CONSEQUENCE,
  };
}

function afterNan(
  { normMetric }: Trainer,
  nan: Outcome<PassResult>,
  step: Outcome<Readonly<Record<string, number>>>,
  after: readonly number[] | undefined,
): Observation {
  const norm = step.ok && normMetric !== undefined ? step.value[normMetric] : undefined;
  const lost = after?.some(Number.isNaN) ?? false;
  const measured = { accepted: nan.ok, stepped: step.ok, norm: finite(norm), weightsLost: lost };
  const said = nan.ok
    ? "NaN advantages accepted"
    : `NaN advantages refused: ${describeOutcome(nan)}`;
  const stepSaid = step.ok
    ? `the step after them taken${norm === undefined ? "" : ` with norm ${show(norm)}`}`
    : `the step after them refused: ${describeOutcome(step)}`;
  const state =
    after === undefined ? "weights not readable" : lost ? "weights lost" : "weights finite";
  return {
    verdict: nan.ok || lost ? "deviates" : "ok",
    evidence: `${said}; ${stepSaid}; ${state} afterwards`,
    measured,
    consequence: `${CONSEQUENCE}; a log-prob or norm that is not finite stops the run before the next step`,
  };
}

function finite(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) ? value : null;
}
