/** The subject of all probes: a throw-away model, a row to train it on, and a prompt to sample from. */

import { measureNoise } from "./noise.ts";
import { ProbeError, requireSuccess, type ScaleMethod, Trainer } from "./probe-trainer.ts";
import type {
  Example,
  ProbedModel,
  SampleResult,
  Sampler,
  SampleSettings,
} from "./probed-model.ts";
import { createExample, randomTokens } from "./rows.ts";

/** The model's weights change from probe to probe, so a probe compares only what it measured itself. */
export interface Subject {
  readonly model: ProbedModel;
  readonly trainer: Trainer;
  readonly example: Example;
  readonly prompt: readonly number[];
}

export interface SubjectOptions {
  readonly scaleMethod?: ScaleMethod;
  /** When undefined, the vocabulary is assumed to be large enough for the probes' token ids. */
  readonly vocabularySize?: number;
  readonly contextLength?: number;
  /** True to make the subject also of a model that cannot be trained. What needs training then throws. */
  readonly isTolerant?: boolean;
}

const PROMPT_TOKENS = 12;
const SAMPLED_TOKENS = 8;
const ROW_TOKENS = 17;
const ROW_ACTIONS = 8;

/** Throws a `ProbeError` when the model cannot be trained, or does not change although changes must be measured. */
export async function createSubject<M extends ProbedModel>(
  model: M,
  {
    scaleMethod,
    vocabularySize,
    contextLength = Infinity,
    isTolerant = false,
  }: SubjectOptions = {},
): Promise<Subject & { readonly model: M }> {
  const rowTokens = Math.min(ROW_TOKENS, contextLength);
  const promptTokens = Math.max(1, Math.min(PROMPT_TOKENS, contextLength - SAMPLED_TOKENS));
  const example = createExample(randomTokens(2, rowTokens, vocabularySize), ROW_ACTIONS);
  const trainer = await Trainer.create(model, example, scaleMethod, isTolerant);
  if (trainer.scaleMethod === "steps") {
    try {
      await measureNoise({ trainer, example });
      await trainer.calibrate(example);
    } catch (error) {
      if (!isTolerant || !(error instanceof ProbeError)) throw error;
    }
  }
  return { model, trainer, example, prompt: randomTokens(1, promptTokens, vocabularySize) };
}

/** Samples eight tokens, once, at temperature 1; `settings` may override this. */
export async function sampleTokens(
  sampler: Sampler,
  settings: Partial<SampleSettings> & Pick<SampleSettings, "prompt">,
): Promise<SampleResult> {
  const full = { maxTokens: SAMPLED_TOKENS, samples: 1, temperature: 1, seed: 7, ...settings };
  return requireSuccess(await sampler.sample(full), "asample");
}

export async function createCurrentSampler(model: ProbedModel): Promise<Sampler> {
  return requireSuccess(await model.createSampler(), "save_weights_for_sampler");
}
