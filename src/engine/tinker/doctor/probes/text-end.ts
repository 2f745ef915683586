/**
 * Observes whether a sampler ends a text without a stop token. That needs the end token to be sampled, which is rare
 * within a few tokens. So when the end token is known, the throw-away model is trained to write it.
 */

import { createCurrentSampler, type SampleResult, sampleTokens, sum } from "../../probes/index.ts";
import type { Observation } from "../finding.ts";
import { type DoctorSubject, defineProbe, formatNumber } from "../probe.ts";

export const textEndProbe = defineProbe(["eos"], (subject) => ({
  eos: async () => {
    const endProbability = await teachEndToken(subject);
    const sampler = await createCurrentSampler(subject.model);
    const { prompt } = subject;
    const drawn = await sampleTokens(sampler, { prompt, samples: SAMPLES, maxTokens: MAX_TOKENS });
    return observeTextEnd(drawn, subject.endToken, endProbability);
  },
}));

const SAMPLES = 16;
const MAX_TOKENS = 24;
const MIN_END_PROBABILITY = 0.2;

/** Trains the model to write the end token after the prompt. Returns its probability there, or undefined if unknown. */
async function teachEndToken({
  endToken,
  prompt,
  trainer,
}: DoctorSubject): Promise<number | undefined> {
  if (endToken === undefined) return undefined;
  const targets = [...prompt.slice(1), endToken];
  const last = targets.map((_, i) => (i === targets.length - 1 ? 1 : 0));
  const row = {
    inputs: prompt,
    targets,
    advantages: last,
    logprobs: targets.map(() => 0),
  };
  const readEndLogprob = async () => (await trainer.averageLogprobs(row)).at(-1)!;
  const missingNats = Math.log(MIN_END_PROBABILITY) - (await readEndLogprob());
  if (missingNats > 0) await trainer.moveWeights(row, missingNats);
  return Math.exp(await readEndLogprob());
}

function observeTextEnd(
  result: SampleResult,
  endToken: number | undefined,
  endProbability?: number,
): Observation {
  const short = result.sequences.filter(({ tokens }) => tokens.length < MAX_TOKENS);
  const ranOver =
    endToken === undefined
      ? 0
      : sum(result.sequences.map(({ tokens }) => (tokens.slice(0, -1).includes(endToken) ? 1 : 0)));
  const measured = {
    samples: SAMPLES,
    short: short.length,
    ranOver,
    endToken: endToken ?? null,
    probability: endProbability ?? null,
    lastToken: short[0]?.tokens.at(-1) ?? null,
  };
  const taught =
    endProbability === undefined
      ? ""
      : ` (token ${endToken}, probability ${formatNumber(endProbability)})`;
  const evidence = `without a stop token ${short.length} of ${SAMPLES} samples ended before ${MAX_TOKENS} tokens; ${endToken === undefined ? "the end token is unknown" : `${ranOver} continued after the end token${taught}`}`;
  const consequence = "every request names the end token in `stop`";
  if (ranOver > 0) return { verdict: "deviates", evidence, measured, consequence };
  if (short.length > 0) return { verdict: "ok", evidence, measured, consequence };
  const hint = endToken === undefined ? "; state it with --eos" : "";
  return { verdict: "unknown", evidence: evidence + hint, measured, consequence };
}
