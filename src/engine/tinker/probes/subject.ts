/** What is examined: a model that is thrown away afterwards, a row that it is trained on, a prompt that it is asked. */

import { measureNoise } from "./noise.ts";
import { requireSuccess, type ScaleMethod, Trainer } from "./probe-trainer.ts";
import type {
  Example,
  ProbedModel,
  SampleResult,
  Sampler,
  SampleSettings,
} from "./probed-model.ts";
import { createExample, randomTokens } from "./rows.ts";

/** Its weights move from probe to probe; a probe compares only what it measured itself. */
export interface Subject {
  readonly model: ProbedModel;
  readonly trainer: Trainer;
  readonly example: Example;
  readonly prompt: readonly number[];
}

export interface SubjectOptions {
  readonly scaleMethod?: ScaleMethod;
  /** Undefined: as large as most. */
  readonly vocabularySize?: number;
  readonly contextLength?: number;
}

const PROMPT_TOKENS = 12;
const SAMPLED_TOKENS = 8;
const ROW_TOKENS = 17;
const ROW_ACTIONS = 8;

/** Throws a `ProbeError` where the model cannot be trained, or does not move where only its movement can be measured. */
export async function createSubject<M extends ProbedModel>(
  model: M,
  { scaleMethod: scaleMethod, vocabularySize, contextLength = Infinity }: SubjectOptions = {},
): Promise<Subject & { readonly model: M }> {
  const rowTokens = Math.min(ROW_TOKENS, contextLength);
  const promptTokens = Math.max(1, Math.min(PROMPT_TOKENS, contextLength - SAMPLED_TOKENS));
  const example = createExample(randomTokens(2, rowTokens, vocabularySize), ROW_ACTIONS);
  const trainer = await Trainer.create(model, example, scaleMethod);
  if (trainer.scaleMethod === "steps") {
    await measureNoise({ trainer, example });
    await trainer.calibrate(example);
  }
  return { model, trainer, example, prompt: randomTokens(1, promptTokens, vocabularySize) };
}

/** Eight tokens of one sample at temperature 1, unless told otherwise. */
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
