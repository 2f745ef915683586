/**
 * Measuring gradients through an interface that returns none.
 *
 * Two rulers. Most servers report a gradient norm with an optimizer step, and a step at learning rate 0 reads it without
 * moving a weight. Where none is reported, or none is to be believed, Adam is made linear: with both betas next to 0 and an
 * epsilon far above every gradient its update is rate/epsilon times the gradient, so the change in a row's log-probs is
 * proportional to the scale of the gradient. (With its usual epsilon Adam's first step is the sign of the gradient, and
 * scale is invisible.)
 */
import { findGradientNormName } from "../wire/index.ts";
import type { AdamParameters, Example, Outcome, PassOptions, ProbedModel } from "./probed-model.ts";
import { sum, withLogprobs } from "./rows.ts";

/** Far above the gradient of any one weight, of large models too. */
const LINEAR_EPSILON = 1e4;

/** As good as zero. JSON knows one kind of number, and a server may take 0 for an integer and refuse it. */
const NEAR_ZERO_BETA = 1e-6;

export const ZERO_RATE_STEP: AdamParameters = {
  learning_rate: 0,
  beta1: NEAR_ZERO_BETA,
  beta2: NEAR_ZERO_BETA,
  eps: LINEAR_EPSILON,
  weight_decay: 0,
  grad_clip_norm: 0,
};

/** The server refused, or did not answer, what a probe needs; `cause` is what was thrown, where something was. */
export class ProbeError extends Error {}

/** The weights cannot be moved. */
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

/** Not zero, because a server may leave out what has no advantage; far below every gradient. */
const TINY_ADVANTAGE = 1e-30;

/** What one linear step moves a row's log-probs by, at least: far above rounding. */
const MIN_CHANGE_NATS = 0.05;
/** As often the noise of one pass. */
const MIN_NOISE_MULTIPLE = 10;
const MAX_CALIBRATIONS = 12;
/** A learning rate changes by this factor at most from one attempt to the next. */
const MAX_RATE_FACTOR = 1000;

/** How gradients are measured: by the norm that the server reports, or by how far a step goes. */
export type ScaleMethod = "norm" | "steps";

export class Trainer {
  readonly model: ProbedModel;
  /** How log-probs are read: `emulated` is a pass with advantages of next to nothing. */
  readonly route: "forward" | "emulated";
  #normMetric: string | undefined;
  #scaleMethod: ScaleMethod = "steps";
  #linearRate = 1;
  /** Passes that are averaged, more than one where a pass is noisy. */
  repeats = 1;
  /** By how much two single passes over one row were seen to differ, nats. */
  noise = 0;

  private constructor(model: ProbedModel, route: "forward" | "emulated") {
    this.model = model;
    this.route = route;
  }

  /** `ruler`: "norm" measures by steps all the same where the server reports no norm. */
  static async create(
    model: ProbedModel,
    example: Example,
    scaleMethod: ScaleMethod = "norm",
  ): Promise<Trainer> {
    const forward = await model.forward([example]);
    const trainer = new Trainer(model, forward.ok ? "forward" : "emulated");
    await trainer.accumulate([example]);
    trainer.#normMetric = findGradientNormName(await trainer.step(ZERO_RATE_STEP));
    trainer.#scaleMethod = trainer.#normMetric === undefined ? "steps" : scaleMethod;
    return trainer;
  }

  /** Of a second model of the same server, before its optimizer has taken a step. */
  static forSecondModel(model: ProbedModel, firstTrainer: Trainer): Trainer {
    const trainer = new Trainer(model, firstTrainer.route);
    trainer.#normMetric = firstTrainer.#normMetric;
    trainer.#scaleMethod = firstTrainer.#scaleMethod;
    trainer.#linearRate = firstTrainer.#linearRate;
    trainer.repeats = firstTrainer.repeats;
    trainer.noise = firstTrainer.noise;
    return trainer;
  }

  /** The metric that holds the gradient norm, where there is one. */
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

  /** Of one pass. */
  async readLogprobs(examples: readonly Example[]): Promise<readonly (readonly number[])[]> {
    if (this.route === "forward")
      return requireSuccess(await this.model.forward(examples), "forward").logprobs;
    const tinyAdvantageExamples = examples.map((example) => ({
      ...example,
      advantages: example.targets.map(() => TINY_ADVANTAGE),
    }));
    return (await this.accumulate(tinyAdvantageExamples)).logprobs;
  }

  /** Of one example, averaged over `repeats` passes. */
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

  /** Drops what was accumulated. Refused where nothing was, which is as well. */
  async clearGradient(): Promise<void> {
    await this.model.step(ZERO_RATE_STEP);
  }

  /** At ratio 1: the gradient of minus the sum of advantages times log-probs. */
  async withCurrentLogprobs(example: Example): Promise<Example> {
    return withLogprobs(example, await this.averageLogprobs(example));
  }

  /**
   * A number proportional to the norm of the gradient that `accumulate` leaves behind. Numbers of one trainer compare
   * with one another, provided that all gradients point the way of `own`'s. `accumulate` gets `own` at ratio 1: as it was
   * given where nothing moves, and otherwise under the present weights.
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
    return (await this.step(ZERO_RATE_STEP))[this.#normMetric] ?? Number.NaN;
  }

  /** How far one linear step moves the example's log-probs, nats; settings other than the rate may be named. */
  async measureChange(example: Example, settings: Partial<AdamParameters> = {}): Promise<number> {
    const before = await this.#readStart(example);
    await this.accumulate([withLogprobs(example, before)]);
    return this.#measureStep(example, before, settings);
  }

  /** Finds the rate at which one step is well above rounding and noise, yet nearly linear. The weights move. */
  async calibrate(example: Example): Promise<void> {
    const minChange = Math.max(MIN_CHANGE_NATS, MIN_NOISE_MULTIPLE * this.noise);
    for (let attempt = 0; attempt < MAX_CALIBRATIONS; attempt++) {
      const change = Math.abs(await this.measureChange(example));
      if (change > minChange && change < 8 * minChange) return;
      if (Number.isNaN(change)) break;
      const factor = (2 * minChange) / change;
      this.#linearRate *= Math.min(Math.max(factor, 1 / MAX_RATE_FACTOR), MAX_RATE_FACTOR);
    }
    throw new NoMovementError(`no learning rate up to ${this.#linearRate} moved a log-prob`);
  }

  /** Moves the weights until the example's log-probs have changed by some tenths of a nat. */
  async moveWeights(example: Example, nats = 0.3): Promise<number> {
    const start = await this.#readStart(example);
    let present = start;
    let moved = 0;
    for (let i = 0; i < 40 && moved < nats; i++) {
      await this.accumulate([withLogprobs(example, present)]);
      await this.step({
        ...ZERO_RATE_STEP,
        learning_rate: this.#linearRate * Math.min(4 ** i, 1e3),
      });
      present = await this.averageLogprobs(example);
      moved = Math.abs(weightedLogprobSum(example, present) - weightedLogprobSum(example, start));
    }
    return moved;
  }

  /** Log-probs, with no gradient left behind. */
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
    await this.step({ ...ZERO_RATE_STEP, learning_rate: this.#linearRate, ...settings });
    return (
      weightedLogprobSum(example, await this.averageLogprobs(example)) -
      weightedLogprobSum(example, before)
    );
  }
}

/** The log-probs' sum, weighted by the advantages. */
export function weightedLogprobSum(
  { advantages, targets }: Example,
  logprobs: readonly number[],
): number {
  const weights = advantages ?? targets.map(() => 1);
  return sum(logprobs.map((value, i) => value * weights[i]!));
}
