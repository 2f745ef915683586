/** What is examined: a model that is thrown away afterwards, a row that it is trained on, a prompt that it is asked. */
import type { Drawing, Drawn, Example, ProbedModel, Sampler } from "./lab.ts";
import { measureNoise } from "./noise.ts";
import { exampleOf, tokensOf } from "./rows.ts";
import { must, type Ruler, Trainer } from "./trainer.ts";

/** Its weights move from probe to probe; a probe compares only what it measured itself. */
export interface Subject {
  readonly model: ProbedModel;
  readonly trainer: Trainer;
  readonly example: Example;
  readonly prompt: readonly number[];
}

export interface SubjectOptions {
  readonly ruler?: Ruler;
  /** Undefined: as large as most. */
  readonly vocabularySize?: number;
  readonly contextLength?: number;
}

const PROMPT_TOKENS = 12;
const DRAWN_TOKENS = 8;
const ROW_TOKENS = 17;
const ROW_ACTIONS = 8;

/** Throws a `ProbeError` where the model cannot be trained, or does not move where only its movement can be measured. */
export async function makeSubject<M extends ProbedModel>(
  model: M,
  { ruler, vocabularySize, contextLength = Infinity }: SubjectOptions = {},
): Promise<Subject & { readonly model: M }> {
  const rowTokens = Math.min(ROW_TOKENS, contextLength);
  const promptTokens = Math.max(1, Math.min(PROMPT_TOKENS, contextLength - DRAWN_TOKENS));
  const example = exampleOf(tokensOf(2, rowTokens, vocabularySize), ROW_ACTIONS);
  const trainer = await Trainer.of(model, example, ruler);
  if (trainer.ruler === "steps") {
    await measureNoise({ trainer, example });
    await trainer.calibrate(example);
  }
  return { model, trainer, example, prompt: tokensOf(1, promptTokens, vocabularySize) };
}

/** Eight tokens of one sample at temperature 1, unless told otherwise. */
export async function draw(
  sampler: Sampler,
  drawing: Partial<Drawing> & Pick<Drawing, "prompt">,
): Promise<Drawn> {
  const full = { maxTokens: DRAWN_TOKENS, samples: 1, temperature: 1, seed: 7, ...drawing };
  return must(await sampler.sample(full), "asample");
}

export async function presentSampler(model: ProbedModel): Promise<Sampler> {
  return must(await model.sampler(), "save_weights_for_sampler");
}
