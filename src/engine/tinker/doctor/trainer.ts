/**
 * Measuring gradients through an interface that returns none.
 *
 * Two rulers. Most servers report a gradient norm with an optimizer step, and a step at learning rate 0 reads it without
 * moving a weight. Where none is reported, Adam is made linear: with both betas next to 0 and an epsilon far above every
 * gradient its update is rate/epsilon times the gradient, so the change in a row's log-probs is proportional to the
 * scale of the gradient. (With its usual epsilon Adam's first step is the sign of the gradient, and scale is invisible.)
 */
import type { AdamParameters, Example, Outcome, PassOptions, ProbeModel } from "./lab.ts";
import { sum, withLogprobs } from "./rows.ts";

/** Far above the gradient of any one weight in these probes. */
const LINEAR_EPSILON = 10;

/** As good as zero. JSON knows one kind of number, and a server may take 0 for an integer and refuse it. */
const NO_MEMORY = 1e-6;

export const STILL: AdamParameters = {
  learning_rate: 0,
  beta1: NO_MEMORY,
  beta2: NO_MEMORY,
  eps: LINEAR_EPSILON,
  weight_decay: 0,
  grad_clip_norm: 0,
};

/** The server refused, or did not answer, what a probe needs. */
export class ProbeError extends Error {}

export function must<T>(outcome: Outcome<T>, what: string): T {
  if (outcome.ok) return outcome.value;
  throw new ProbeError(`${what} failed: ${describe(outcome)}`);
}

export function describe(outcome: Outcome<unknown>): string {
  if (outcome.ok) return "accepted";
  const { status } = outcome;
  const message = outcome.message.replace(/^request \S+ failed: /, "");
  const short = message.length > 100 ? `${message.slice(0, 99)}…` : message;
  return status === 0 ? short : `${status} ${short}`.trim();
}

/** Not zero, because a server may leave out what has no advantage; far below every gradient. */
const SILENT = 1e-30;

/** A change in log-probs that rounding and noise do not make. */
const VISIBLE_NATS = 0.01;
const MAX_RATE = 1e4;

export class Trainer {
  readonly model: ProbeModel;
  /** How log-probs are read: `emulated` is a pass with advantages of next to nothing. */
  readonly route: "forward" | "emulated";
  #norm: string | undefined;
  #rate = 1e-3;
  /** Passes that are averaged, more than one where a pass is noisy. */
  repeats = 1;
  /** By how much two single passes over one row were seen to differ, nats. */
  noise = 0;

  private constructor(model: ProbeModel, route: "forward" | "emulated") {
    this.model = model;
    this.route = route;
  }

  static async of(model: ProbeModel, example: Example): Promise<Trainer> {
    const forward = await model.forward([example]);
    const trainer = new Trainer(model, forward.ok ? "forward" : "emulated");
    await trainer.accumulate([example]);
    trainer.#norm = Object.keys(await trainer.step(STILL)).find((name) =>
      /grad(ient)?_?norm/i.test(name),
    );
    return trainer;
  }

  /** Of a second model of the same server, before its optimizer has taken a step. */
  static untouched(model: ProbeModel, like: Trainer): Trainer {
    const trainer = new Trainer(model, like.route);
    trainer.#norm = like.#norm;
    trainer.#rate = like.#rate;
    trainer.repeats = like.repeats;
    trainer.noise = like.noise;
    return trainer;
  }

  /** The metric that holds the gradient norm, where there is one. */
  get normMetric(): string | undefined {
    return this.#norm;
  }

  /** The learning rate at which a linear step is visible. */
  get rate(): number {
    return this.#rate;
  }

  /** Of one pass. */
  async read(examples: readonly Example[]): Promise<readonly (readonly number[])[]> {
    if (this.route === "forward")
      return must(await this.model.forward(examples), "forward").logprobs;
    const silent = examples.map((example) => ({
      ...example,
      advantages: example.targets.map(() => SILENT),
    }));
    return (await this.accumulate(silent)).logprobs;
  }

  /** Of one example, averaged over `repeats` passes. */
  async logprobs(example: Example): Promise<readonly number[]> {
    const passes: (readonly number[])[] = [];
    for (let i = 0; i < this.repeats; i++) passes.push((await this.read([example]))[0]!);
    return passes[0]!.map((_, t) => sum(passes.map((pass) => pass[t]!)) / passes.length);
  }

  async accumulate(
    examples: readonly Example[],
    loss = "importance_sampling",
    options?: PassOptions,
  ) {
    return must(await this.model.pass(examples, loss, options), loss);
  }

  async step(parameters: AdamParameters): Promise<Readonly<Record<string, number>>> {
    return must(await this.model.step(parameters), "optim_step");
  }

  /** Drops what was accumulated. Refused where nothing was, which is as well. */
  async clear(): Promise<void> {
    await this.model.step(STILL);
  }

  /** At ratio 1: the gradient of minus the sum of advantages times log-probs. */
  async onPolicy(example: Example): Promise<Example> {
    return withLogprobs(example, await this.logprobs(example));
  }

  /**
   * A number proportional to the norm of the gradient that `accumulate` leaves behind. Numbers of one trainer compare
   * with one another, provided that all gradients point the way of `reference`'s.
   */
  async scaleOf(reference: Example, accumulate: () => Promise<unknown>): Promise<number> {
    if (this.#norm === undefined) {
      const before = await this.#startOf(reference);
      await accumulate();
      return this.#stepFrom(reference, before);
    }
    if (this.route === "emulated") await this.clear();
    await accumulate();
    return (await this.step(STILL))[this.#norm] ?? Number.NaN;
  }

  /** How far one linear step moves the example's log-probs, nats; settings other than the rate may be named. */
  async changeOf(example: Example, settings: Partial<AdamParameters> = {}): Promise<number> {
    const before = await this.#startOf(example);
    await this.accumulate([withLogprobs(example, before)]);
    return this.#stepFrom(example, before, settings);
  }

  /** Finds the rate at which one step is visible. The weights move. */
  async calibrate(example: Example): Promise<void> {
    for (; this.#rate <= MAX_RATE; this.#rate *= 10) {
      if ((await this.changeOf(example)) >= VISIBLE_NATS) return;
    }
    throw new ProbeError(`no learning rate up to ${MAX_RATE} moved a log-prob`);
  }

  /** Moves the weights until the example's log-probs have changed by some tenths of a nat. */
  async train(example: Example, nats = 0.3): Promise<number> {
    const start = await this.#startOf(example);
    let present = start;
    let moved = 0;
    for (let i = 0; i < 40 && moved < nats; i++) {
      await this.accumulate([withLogprobs(example, present)]);
      await this.step({ ...STILL, learning_rate: this.#rate * Math.min(4 ** i, 1e3) });
      present = await this.logprobs(example);
      moved = Math.abs(weigh(example, present) - weigh(example, start));
    }
    return moved;
  }

  /** Log-probs, with no gradient left behind. */
  async #startOf(example: Example): Promise<readonly number[]> {
    const logprobs = await this.logprobs(example);
    if (this.route === "emulated") await this.clear();
    return logprobs;
  }

  async #stepFrom(
    example: Example,
    before: readonly number[],
    settings: Partial<AdamParameters> = {},
  ): Promise<number> {
    await this.step({ ...STILL, learning_rate: this.#rate, ...settings });
    return weigh(example, await this.logprobs(example)) - weigh(example, before);
  }
}

/** The log-probs' sum, weighted by the advantages. */
export function weigh({ advantages, targets }: Example, logprobs: readonly number[]): number {
  const weights = advantages ?? targets.map(() => 1);
  return sum(logprobs.map((value, i) => value * weights[i]!));
}
