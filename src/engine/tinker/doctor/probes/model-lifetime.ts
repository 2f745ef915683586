/** Observes a second model: whether it loads a checkpoint, what a step without a gradient does, and unloading. */

import { describeOutcome, maxDifference, requireSuccess, Trainer } from "../../probes/index.ts";
import type { Observation } from "../finding.ts";
import { type DoctorSubject, defineProbe, doOnce, formatNumber } from "../probe.ts";
import { observeEmptyStep } from "./optimizer.ts";

export const lifetimeProbe = defineProbe(["resume", "empty-step", "unload"], (subject) => {
  const { trainer, server, example } = subject;
  const openSecond = doOnce(async () => {
    await trainer.moveWeights(example);
    return requireSuccess(await server.createModel(), "create_model");
  });
  return {
    resume: async () => observeResume(subject, await openSecond()),
    "empty-step": async () =>
      observeEmptyStep(Trainer.forSecondModel(await openSecond(), trainer), subject),
    unload: async () => observeUnload(subject, await openSecond()),
  };
});

async function observeUnload(
  { example }: DoctorSubject,
  second: DoctorSubject["model"],
): Promise<Observation> {
  const unloaded = await second.unload();
  const after = unloaded.ok ? await second.forward([example]) : undefined;
  return {
    verdict: unloaded.ok ? "ok" : "unsupported",
    evidence: unloaded.ok
      ? `accepted; a forward pass afterwards: ${describeOutcome(after!)}`
      : describeOutcome(unloaded),
    measured: {
      unloaded: unloaded.ok,
      refusedAfterwards: after === undefined ? null : !after.ok,
    },
    consequence: unloaded.ok
      ? "a run unloads its model at the end"
      : "models stay in memory until the server stops",
  };
}

async function observeResume(
  { trainer, example, model }: DoctorSubject,
  second: DoctorSubject["model"],
): Promise<Observation> {
  const before = await trainer.averageLogprobs(example);
  await trainer.clearGradient();
  const saved = await model.save("doctor");
  const loaded = saved.ok ? await second.load(saved.value) : undefined;
  if (saved.ok) await model.deleteSaved(saved.value);
  if (!saved.ok || !loaded?.ok) {
    const evidence = saved.ok
      ? `load_weights: ${describeOutcome(loaded!)}`
      : `save_weights: ${describeOutcome(saved)}`;
    return {
      verdict: "unsupported",
      evidence,
      measured: { saved: saved.ok, loaded: false },
      consequence: "a run whose model was lost cannot be continued on this server",
    };
  }
  const fresh = Trainer.forSecondModel(second, trainer);
  const gap = maxDifference(await fresh.averageLogprobs(example), before);
  const bound = Math.max(0.02, trainer.repeats > 1 ? 0.1 : 0);
  return {
    verdict: gap <= bound ? "ok" : "deviates",
    evidence: `after saving and loading into a second model, the log-probs of a row differ by up to ${formatNumber(gap)} nats`,
    measured: { saved: true, loaded: true, maxGap: gap },
    consequence:
      gap <= bound
        ? "a run continues from its last checkpoint after the server has restarted"
        : "a run whose model was lost cannot be continued on this server",
  };
}
