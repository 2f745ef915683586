/** What a probe is handed and what it gives: observations on the topics that it declares. */
import type { Observation, Topic } from "./finding.ts";
import type { Drawing, Drawn, Example, Lab, ProbeModel, Sampler } from "./lab.ts";
import { exampleOf, tokensOf } from "./rows.ts";
import { must, Trainer } from "./trainer.ts";

/** What is examined. Its weights move from probe to probe; a probe compares only what it measured itself. */
export interface Subject {
  readonly lab: Lab;
  readonly model: ProbeModel;
  readonly trainer: Trainer;
  /** Send what can bring a server down that does not check it. */
  readonly risky: boolean;
  /** The id that ends a text, where it is known. */
  readonly endToken?: number;
  /** The row that is trained on. */
  readonly example: Example;
  readonly prompt: readonly number[];
}

export interface Probe {
  readonly topics: readonly Topic[];
  run(subject: Subject): Promise<Partial<Record<Topic, Observation>>>;
}

export const PROMPT_TOKENS = 12;
const ROW_TOKENS = 17;
const ROW_ACTIONS = 8;

export async function makeSubject(
  lab: Lab,
  options: { readonly risky: boolean; readonly endToken?: number },
): Promise<Subject> {
  const model = must(await lab.createModel(), "create_model");
  const example = exampleOf(tokensOf(2, ROW_TOKENS), ROW_ACTIONS);
  try {
    const trainer = await Trainer.of(model, example);
    if (trainer.normMetric === undefined) await trainer.calibrate(example);
    return { lab, model, trainer, example, prompt: tokensOf(1, PROMPT_TOKENS), ...options };
  } catch (error) {
    await model.unload();
    throw error;
  }
}

export async function draw(
  sampler: Sampler,
  drawing: Partial<Drawing> & Pick<Drawing, "prompt">,
): Promise<Drawn> {
  const full = { maxTokens: 8, samples: 1, temperature: 1, seed: 7, ...drawing };
  return must(await sampler.sample(full), "asample");
}

export async function presentSampler(model: ProbeModel): Promise<Sampler> {
  return must(await model.sampler(), "save_weights_for_sampler");
}

/** Up to five significant digits, for evidence. */
export function show(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  return value === 0 ? "0" : String(Number(value.toPrecision(3)));
}
