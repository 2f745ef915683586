/** Observes requests: which dialects the server takes, what it does with repeated requests, and how long calls take. */

import {
  createCurrentSampler,
  describeOutcome,
  isNear,
  median,
  type Outcome,
  requireSuccess,
} from "../../probes/index.ts";
import type { Dialect } from "../doctor-server.ts";
import type { Observation } from "../finding.ts";
import { type DoctorSubject, defineProbe, doOnce, formatNumber } from "../probe.ts";

export const requestsProbe = defineProbe(
  ["dialect", "forward", "repeat", "repeat-changed", "latency"],
  (subject) => {
    const observeBothRepeats = doOnce(() => observeRepeats(subject));
    return {
      dialect: () => observeDialect(subject),
      forward: () => observeForward(subject),
      repeat: () => observeBothRepeats().then(({ repeat }) => repeat),
      "repeat-changed": () => observeBothRepeats().then((observed) => observed["repeat-changed"]),
      latency: () => observeLatency(subject),
    };
  },
);

async function observeDialect({ model, example, trainer }: DoctorSubject): Promise<Observation> {
  const outcomes: Record<Dialect, Outcome<unknown>> = {
    json: await model.forwardBackward([example], "importance_sampling", { dialect: "json" }),
    proto: await model.forwardBackward([example], "importance_sampling", { dialect: "proto" }),
  };
  await trainer.clearGradient();
  const { json, proto } = outcomes;
  return {
    verdict: proto.ok ? "ok" : json.ok ? "deviates" : "unknown",
    evidence: `forward_backward as JSON: ${describeOutcome(json)}; as protobuf: ${describeOutcome(proto)}`,
    measured: { json: json.ok, proto: proto.ok },
    consequence: `Bowline sends ${proto.ok ? "protobuf" : "JSON"}; the official client since 0.25 sends protobuf only`,
  };
}

async function observeForward({ trainer, model, example }: DoctorSubject): Promise<Observation> {
  const outcome = await model.forward([example]);
  return {
    verdict: outcome.ok ? "ok" : "unsupported",
    evidence: outcome.ok ? "a pass without a gradient works" : describeOutcome(outcome),
    measured: { route: trainer.route },
    consequence: outcome.ok ? "none" : "log-probs come from a training pass whose gradient is zero",
  };
}

/**
 * Observes repeated requests. The official client repeats a request whose answer was lost, and a server that runs it
 * twice doubles the gradient.
 */
async function observeRepeats({ model, trainer, example }: DoctorSubject) {
  const own = await trainer.withCurrentLogprobs(example);
  const unit = await trainer.measureGradientScale(own, (present) => trainer.accumulate([present]));
  let ids: string[] = [];
  let number = 0;
  const twice = await trainer.measureGradientScale(own, async (present) => {
    number = model.nextNumber;
    const loss = "importance_sampling";
    const first = requireSuccess(await model.forwardBackward([present], loss), loss);
    const second = await model.forwardBackward([present], loss, { number });
    ids = [first.requestId, second.ok ? second.value.requestId : describeOutcome(second)];
  });
  const ratio = twice / unit;
  const changed = await model.forwardBackward([own, own], "importance_sampling", { number });
  await model.step(trainer.restingStep);
  return { repeat: judgeRepeatedRequest(ratio, ids), "repeat-changed": judgeReusedNumber(changed) };
}

function judgeRepeatedRequest(
  ratio: number,
  [first = "", second = ""]: readonly string[],
): Observation {
  const same = first === second;
  const once = isNear(ratio, 1);
  return {
    verdict: once ? "ok" : isNear(ratio, 2) ? "deviates" : "unknown",
    evidence: `sending the same number and body twice gave ${same ? "one request id" : `two answers (${first}; ${second})`} and ${formatNumber(ratio)} times the gradient`,
    measured: { sameRequestId: same, gradient: ratio },
    consequence: once
      ? "a request that got no answer is sent again with its number"
      : "a call that may have arrived is not sent again; a new model is made from the last checkpoint instead",
  };
}

function judgeReusedNumber(outcome: Outcome<unknown>): Observation {
  return {
    verdict: outcome.ok ? "deviates" : "ok",
    evidence: `a different body with a used number: ${describeOutcome(outcome)}`,
    measured: { accepted: outcome.ok, status: outcome.ok ? 200 : outcome.status },
    consequence: outcome.ok
      ? "Bowline never reuses a number"
      : "the server would report a reused number",
  };
}

async function observeLatency(subject: DoctorSubject): Promise<Observation> {
  const { server, trainer, model, example, prompt } = subject;
  const sampler = await createCurrentSampler(model);
  const drawing = { prompt, maxTokens: 1, samples: 1, temperature: 1, seed: 1 };
  const measureMedianMs = async (call: () => Promise<Outcome<unknown>>) => {
    const times: number[] = [];
    for (let i = 0; i < 3; i++) times.push((await call()).ms);
    return Math.round(median(times) * 10) / 10;
  };
  const heartbeatMs = await measureMedianMs(() => server.heartbeat());
  const sampleMs = await measureMedianMs(() => sampler.sample(drawing));
  const passMs = await measureMedianMs(() =>
    model.forwardBackward([example], "importance_sampling"),
  );
  const stepMs = await measureMedianMs(async () => {
    await trainer.accumulate([example]);
    return model.step(trainer.restingStep);
  });
  return {
    verdict: "ok",
    evidence: `medians of three calls: heartbeat ${heartbeatMs} ms, one sampled token ${sampleMs} ms, one row forward and backward ${passMs} ms, optimizer step ${stepMs} ms`,
    measured: { heartbeatMs, sampleMs, passMs, stepMs },
    consequence: "none",
  };
}
