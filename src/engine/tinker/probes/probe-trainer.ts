/**
 * Measures gradients through a protocol that returns none, by one of two methods.
 *
 * Most servers report a gradient norm with an optimizer step, and a step at learning rate 0 reads it without moving a
 * weight. When no norm is reported, or it should not be trusted, Adam is made linear: with both betas near 0 and an
 * epsilon far above every gradient its update is rate/epsilon times the gradient, so the change in a row's log-probs is
 * proportional to the scale of the gradient. (With its usual epsilon Adam's first step is the sign of the gradient,
 * which hides the scale.)
 */
import { findGradientNormName } from "../wire/index.ts";
import type { AdamParameters, Example, Outcome, PassOptions, ProbedModel } from "./probed-model.ts";
import { sum, withLogprobs } from "./rows.ts";

/** An epsilon far above the gradient of any single weight, also in large models. */
const LINEAR_EPSILON = 1e4;

/** A beta that is practically zero. It is not 0, because a server may read that as an integer and refuse it. */
const NEAR_ZERO_BETA = 1e-6;

export const ZERO_RATE_STEP: AdamParameters = {
  learning_rate: 0,
  beta1: NEAR_ZERO_BETA,
  beta2: NEAR_ZERO_BETA,
  eps: LINEAR_EPSILON,
  weight_decay: 0,
  grad_clip_norm: 0,
};

/** A learning rate for servers that refuse 0. No weight changes by it, whatever the epsilon is. */
const LEAST_RATE = 1e-30;

/**
 * The steps that rest, in the order in which they are tried: as the hosted service takes them, then for servers that
 * refuse the rate 0, and for those that also bound epsilon by 1. Most gradients of single weights are still far below 1.
 */
const RESTING_STEPS: readonly AdamParameters[] = [
  ZERO_RATE_STEP,
  { ...ZERO_RATE_STEP, learning_rate: LEAST_RATE },
  { ...ZERO_RATE_STEP, learning_rate: LEAST_RATE, eps: 1 },
];

/** The server refused a call that a probe needs, or did not answer. `cause` is the error that was thrown, if any. */
export class ProbeError extends Error {}

/** No learning rate changed the model's log-probs. */
export class NoMovementError extends ProbeError {}

export function requireSuccess<T>(outcome: Outcome<T>, callName: string): T {
  if (outcome.ok) return outcome.value;
  throw new ProbeError(`${callName} failed: ${describeOutcome(outcome)}`, { cause: outcome.cause });
}

export function describeOutcome(outcome: Outcome<unknown>): string {
  if (outcome.ok) return "accepted";
  const { status } = outcome;
  const message = outcome.message.replace(/^request \S+ failed: /, "");
  const short = message.length > 100 ? `${message.slice(0, 99)}…` : message;
  return status === 0 ? short : `${status} ${short}`.trim();
}

/** An advantage far below every gradient. It is not zero, because a server may skip tokens without an advantage. */
const TINY_ADVANTAGE = 1e-30;

/** The least change, in nats, that one linear step must cause in a row's log-probs: far above rounding. */
const MIN_CHANGE_NATS = 0.05;
/** The least change by one linear step, as a multiple of the noise of one pass. */
const MIN_NOISE_MULTIPLE = 10;
const MAX_CALIBRATIONS = 12;
/** The largest factor by which the learning rate changes from one attempt to the next. */
const MAX_RATE_FACTOR = 1000;

/**
 * How the scale of a gradient is measured: by the norm that the server reports, or by how far a step moves log-probs.
 */
export type ScaleMethod = "norm" | "steps";

export class Trainer {
  readonly model: ProbedModel;
  /** How log-probs are read: by a forward pass, or (`emulated`) by a gradient pass with tiny advantages. */
  readonly route: "forward" | "emulated";
  #normMetric: string | undefined;
  #scaleMethod: ScaleMethod = "steps";
  #linearRate = 1;
  /** How many passes are averaged: more than one when passes are noisy. */
  repeats = 1;
  /** The largest difference, in nats, that was seen between two passes over one row. */
  noise = 0;
  #restingStep = ZERO_RATE_STEP;
  #zeroRate: Outcome<unknown> | undefined;

  private constructor(model: ProbedModel, route: "forward" | "emulated") {
    this.model = model;
    this.route = route;
  }

  /**
   * With the method "norm", scales are still measured by steps when the server reports no norm. Throws a `ProbeError`
   * when the server refuses the gradient or the step, unless `isTolerant`; then the measurements that need them throw.
   */
  static async create(
    model: ProbedModel,
    example: Example,
    scaleMethod: ScaleMethod = "norm",
    isTolerant = false,
  ): Promise<Trainer> {
    const forward = await model.forward([example]);
    const trainer = new Trainer(model, forward.ok ? "forward" : "emulated");
    const gradient = await model.forwardBackward([example], "importance_sampling");
    if (!isTolerant) requireSuccess(gradient, "importance_sampling");
    const step = await trainer.#findRestingStep();
    if (!isTolerant) requireSuccess(step, "optim_step");
    trainer.#normMetric = step.ok ? findGradientNormName(step.value) : undefined;
    trainer.#scaleMethod = trainer.#normMetric === undefined ? "steps" : scaleMethod;
    return trainer;
  }

  /** Finds a step that the server takes and that moves no weight. Returns its result, or the refusal of the first. */
  async #findRestingStep(): Promise<Outcome<Readonly<Record<string, number>>>> {
    let first: Outcome<Readonly<Record<string, number>>> | undefined;
    for (const step of RESTING_STEPS) {
      const outcome = await this.model.step(step);
      first ??= outcome;
      this.#zeroRate = first;
      if (!outcome.ok) continue;
      this.#restingStep = step;
      return outcome;
    }
    return first!;
  }

  /** Makes the trainer of a second model on the same server without taking an optimizer step. */
  static forSecondModel(model: ProbedModel, firstTrainer: Trainer): Trainer {
    const trainer = new Trainer(model, firstTrainer.route);
    trainer.#normMetric = firstTrainer.#normMetric;
    trainer.#scaleMethod = firstTrainer.#scaleMethod;
    trainer.#linearRate = firstTrainer.#linearRate;
    trainer.repeats = firstTrainer.repeats;
    trainer.noise = firstTrainer.noise;
    trainer.#restingStep = firstTrainer.#restingStep;
    trainer.#zeroRate = firstTrainer.#zeroRate;
    return trainer;
  }

  /** An optimizer step that moves no weight: at learning rate 0, or at the least rate if the server refuses 0. */
  get restingStep(): AdamParameters {
    return this.#restingStep;
  }

  /** What the server answered to a step at learning rate 0; undefined if none was taken. */
  get zeroRate(): Outcome<unknown> | undefined {
    return this.#zeroRate;
  }

  /** The name of the metric that holds the gradient norm, or undefined when there is none. */
  get normMetric(): string | undefined {
    return this.#normMetric;
  }

  get scaleMethod(): ScaleMethod {
    return this.#scaleMethod;
  }

  /** The learning rate at which a linear step is visible. */
  get linearRate(): number {
    return this.#linearRate;
  }

  /** Reads the log-probs of the examples from one pass. */
  async readLogprobs(examples: readonly Example[]): Promise<readonly (readonly number[])[]> {
    if (this.route === "forward")
      return requireSuccess(await this.model.forward(examples), "forward").logprobs;
    const tinyAdvantageExamples = examples.map((example) => ({
      ...example,
      advantages: example.targets.map(() => TINY_ADVANTAGE),
    }));
    return (await this.accumulate(tinyAdvantageExamples)).logprobs;
  }

  /** Returns the log-probs of one example, averaged over `repeats` passes. */
  async averageLogprobs(example: Example): Promise<readonly number[]> {
    const passes: (readonly number[])[] = [];
    for (let i = 0; i < this.repeats; i++) passes.push((await this.readLogprobs([example]))[0]!);
    return passes[0]!.map((_, t) => sum(passes.map((pass) => pass[t]!)) / passes.length);
  }

  async accumulate(
    examples: readonly Example[],
    loss = "importance_sampling",
    options?: PassOptions,
  ) {
    return requireSuccess(await this.model.forwardBackward(examples, loss, options), loss);
  }

  async step(parameters: AdamParameters): Promise<Readonly<Record<string, number>>> {
    return requireSuccess(await this.model.step(parameters), "optim_step");
  }

  /** Drops the accumulated gradient. A server without one may refuse the step, which does not matter. */
  async clearGradient(): Promise<void> {
    await this.model.step(this.#restingStep);
  }

  /** Sets the example's old log-probs to the current ones, so that its ratios are 1. */
  async withCurrentLogprobs(example: Example): Promise<Example> {
    return withLogprobs(example, await this.averageLogprobs(example));
  }

  /**
   * Returns a number proportional to the norm of the gradient that `accumulate` makes. Numbers of one trainer can be
   * compared if all gradients have the direction of `own`'s. `accumulate` gets `own` at ratio 1: with its given
   * log-probs when the scale is read from the norm, and with the present log-probs when it is measured by steps.
   */
  async measureGradientScale(
    own: Example,
    accumulate: (own: Example) => Promise<unknown>,
  ): Promise<number> {
    if (this.#scaleMethod === "steps" || this.#normMetric === undefined) {
      const before = await this.#readStart(own);
      await accumulate(withLogprobs(own, before));
      return this.#measureStep(own, before);
    }
    if (this.route === "emulated") await this.clearGradient();
    await accumulate(own);
    return (await this.step(this.#restingStep))[this.#normMetric] ?? Number.NaN;
  }

  /**
   * Measures how far, in nats, one linear step moves the example's log-probs. `settings` override those of the step.
   */
  async measureChange(example: Example, settings: Partial<AdamParameters> = {}): Promise<number> {
    const before = await this.#readStart(example);
    await this.accumulate([withLogprobs(example, before)]);
    return this.#measureStep(example, before, settings);
  }

  /** Finds a learning rate at which a step is well above rounding and noise but still nearly linear. Weights change. */
  async calibrate(example: Example): Promise<void> {
    const minChange = Math.max(MIN_CHANGE_NATS, MIN_NOISE_MULTIPLE * this.noise);
    for (let attempt = 0; attempt < MAX_CALIBRATIONS; attempt++) {
      const change = Math.abs(await this.measureChange(example));
      if (change > minChange && change < 8 * minChange) return;
      if (Number.isNaN(change)) break;
      const factor = (2 * minChange) / change;
      this.#linearRate *= Math.min(Math.max(factor, 1 / MAX_RATE_FACTOR), MAX_RATE_FACTOR);
    }
    throw new NoMovementError(`no learning rate up to ${this.#linearRate} changed a log-prob`);
  }

  /** Trains until the example's weighted log-prob sum has changed by `nats`. Returns the change. */
  async moveWeights(example: Example, nats = 0.3): Promise<number> {
    const start = await this.#readStart(example);
    let present = start;
    let moved = 0;
    let factor = 1;
    let largest = 1e3;
    for (let i = 0; i < 40 && moved < nats; i++) {
      await this.accumulate([withLogprobs(example, present)]);
      const step = { ...this.#restingStep, learning_rate: this.#linearRate * factor };
      const outcome = await this.model.step(step);
      if (factor === 1) requireSuccess(outcome, "optim_step");
      // A server may bound the learning rate: then the largest rate that it took is used again.
      if (!outcome.ok) largest = factor / 4;
      factor = Math.min(factor * 4, largest);
      present = await this.averageLogprobs(example);
      moved = Math.abs(weightedLogprobSum(example, present) - weightedLogprobSum(example, start));
    }
    return moved;
  }

  /** Reads the log-probs without leaving a gradient behind. */
  async #readStart(example: Example): Promise<readonly number[]> {
    const logprobs = await this.averageLogprobs(example);
    if (this.route === "emulated") await this.clearGradient();
    return logprobs;
  }

  async #measureStep(
    example: Example,
    before: readonly number[],
    settings: Partial<AdamParameters> = {},
  ): Promise<number> {
    await this.step({ ...this.#restingStep, learning_rate: this.#linearRate, ...settings });
    return (
      weightedLogprobSum(example, await this.averageLogprobs(example)) -
      weightedLogprobSum(example, before)
    );
  }
}

/** Returns the sum of the log-probs, weighted by the advantages. */
export function weightedLogprobSum(
  { advantages, targets }: Example,
  logprobs: readonly number[],
): number {
  const weights = advantages ?? targets.map(() => 1);
  return sum(logprobs.map((value, i) => value * weights[i]!));
}
