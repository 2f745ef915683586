/**
 * Measures a server's traits on a throw-away model, in about fifteen small calls.
 *
 * It looks at what training would get wrong in silence. With epsilon far above the gradient, Adam's step is proportional
 * to the gradient, so the change of a log-prob tells a doubled gradient from a mean, and a clipped one from one that was
 * not; no metric of the server has to be believed. `bowline doctor` measures far more, and shows its numbers.
 */
import { BowlineError } from "../../../core/index.ts";
import type { Row } from "../../../spec/index.ts";
import { TinkerError, type TinkerModel, type TinkerSession } from "../client/index.ts";
import type { AdamParams } from "../wire/index.ts";
import { forwardLogprobs } from "./forward.ts";
import { surrogateDatum } from "./rows.ts";
import { gradientNormOf, type ServerTraits } from "./traits.ts";

export interface ExamineOptions {
  readonly baseModel: string;
  readonly rank: number;
  readonly seed: number;
  readonly vocabularySize: number;
  readonly contextLength: number;
}

/** Adam as plain gradient descent: no memory, and an epsilon that no gradient reaches. */
const DESCENT: AdamParams = {
  learning_rate: 1,
  // As good as zero: JSON knows one kind of number, and open-rl refuses 0 as an integer.
  beta1: 1e-6,
  beta2: 1e-6,
  eps: 1e4,
  weight_decay: 0,
  grad_clip_norm: 0,
};
const NEARLY_NO_CLIP = 1e-9;

/** Throws an `engine` error when the server's reduction is none that is known. */
export async function examine(
  session: TinkerSession,
  options: ExamineOptions,
): Promise<ServerTraits> {
  const { baseModel, rank, seed, vocabularySize, contextLength } = options;
  const bounds = { vocabularySize, contextLength };
  const model = await session.createModel({ baseModel, lora: { rank, seed }, ...bounds });
  try {
    return await measure(session, model, options);
  } finally {
    await model.unload().catch(() => undefined); // Not every server can; it ends with the session.
  }
}

async function measure(
  session: TinkerSession,
  model: TinkerModel,
  options: ExamineOptions,
): Promise<ServerTraits> {
  const row = probeRow(options);
  const forward = await forwardKind(model, row);
  const rlWeights = await takesWeights(model, row, forward);
  const lab = new Lab(model, row, { forward, rlWeights });
  // An adapter starts with one factor at zero, where the first gradient reaches only half of it.
  await lab.step(1, { ...DESCENT, learning_rate: DESCENT.eps * 1e-3, eps: DESCENT.eps });
  const learningRate = await lab.findRate();
  const plain = { ...DESCENT, learning_rate: learningRate };
  const once = await lab.change(1, plain);
  const twice = await lab.change(2, plain);
  const clipped = await lab.change(1, { ...plain, grad_clip_norm: NEARLY_NO_CLIP });
  const reduction = reductionOf(twice.logprob / once.logprob);
  const sampling = await examineSamplers(session, lab, options);
  return {
    reduction,
    rlWeights,
    forward,
    gradientClip: Math.abs(clipped.logprob) < 0.1 * Math.abs(once.logprob),
    gradientNorm: once.norm !== undefined,
    ...sampling,
    // Only servers without a forward pass are known to run repeated requests twice.
    deduplicates: forward === "forward",
  };
}

function reductionOf(ratio: number): ServerTraits["reduction"] {
  if (ratio > 1.6 && ratio < 2.4) return "sum";
  if (ratio > 0.7 && ratio < 1.4) return "mean";
  throw new BowlineError(
    "engine",
    `the server reduces losses in a way that is neither a sum nor a mean: the same gradient sent twice moved a log-prob ${ratio.toPrecision(3)} times as far as once (a sum: 2, a mean: 1); \`bowline doctor\` shows more`,
  );
}

/** Different low ids: every vocabulary has them. */
function probeRow({ vocabularySize, contextLength }: ExamineOptions): Row {
  const length = Math.min(9, contextLength);
  const tokens = Array.from({ length }, (_, i) => (5 + 7 * i) % Math.min(vocabularySize, 256));
  return { tokens, at: Array.from({ length: length - 1 }, (_, i) => i + 1) };
}

async function forwardKind(model: TinkerModel, row: Row): Promise<ServerTraits["forward"]> {
  try {
    await forwardLogprobs(model, [row], "forward");
    return "forward";
  } catch (error) {
    if (!TinkerError.is(error, "unsupported", "missing")) throw error;
    return "zero-gradient";
  }
}

/** Servers that take no weights refuse them; those that ignore them are sums, where weights of 1 change nothing. */
async function takesWeights(
  model: TinkerModel,
  row: Row,
  forward: ServerTraits["forward"],
): Promise<boolean> {
  const [logprobs] = await forwardLogprobs(model, [row], forward);
  const cotangents = Array.from(row.at, () => 0);
  const datum = surrogateDatum({ row, logprobs: logprobs!, cotangents }, 1, {
    reduction: "sum",
    rlWeights: true,
  });
  try {
    await model.forwardBackward({ data: [datum], lossFn: "importance_sampling" });
    return true;
  } catch (error) {
    if (TinkerError.is(error, "rejected")) return false;
    throw error;
  }
}

interface Change {
  /** Sum over the row's log-probs, nats. */
  readonly logprob: number;
  readonly norm: number | undefined;
}

class Lab {
  readonly model: TinkerModel;
  readonly row: Row;
  readonly kind: Pick<ServerTraits, "forward" | "rlWeights">;

  constructor(model: TinkerModel, row: Row, kind: Pick<ServerTraits, "forward" | "rlWeights">) {
    this.model = model;
    this.row = row;
    this.kind = kind;
  }

  async logprobs(): Promise<Float32Array> {
    const [logprobs] = await forwardLogprobs(this.model, [this.row], this.kind.forward);
    return logprobs!;
  }

  /** Raises the row's log-probs by `copies` gradients of the same datum in one step. */
  async step(copies: number, adam: AdamParams, known?: Float32Array): Promise<number | undefined> {
    const cotangents = Array.from(this.row.at, () => -1);
    const logprobs = known ?? (await this.logprobs());
    const trained = { row: this.row, logprobs, cotangents };
    const { rlWeights } = this.kind;
    const datum = surrogateDatum(trained, 1, { reduction: "sum", rlWeights });
    const data = Array.from({ length: copies }, () => datum);
    await this.model.forwardBackward({ data, lossFn: "importance_sampling" });
    return gradientNormOf(await this.model.optimStep(adam));
  }

  async change(copies: number, adam: AdamParams): Promise<Change> {
    const before = await this.logprobs();
    const norm = await this.step(copies, adam, before);
    return { logprob: sumOf(await this.logprobs()) - sumOf(before), norm };
  }

  /** A learning rate that moves the row's log-probs by about 0.1 nats: far above rounding, yet nearly linear. */
  async findRate(): Promise<number> {
    let rate = 1;
    for (let attempt = 0; attempt < 12; attempt++) {
      const { logprob } = await this.change(1, { ...DESCENT, learning_rate: rate });
      if (Math.abs(logprob) > 0.02 && Math.abs(logprob) < 0.4) return rate;
      const factor = Math.abs(logprob) < 1e-5 ? 1000 : 0.1 / Math.abs(logprob);
      rate *= Math.min(Math.max(factor, 1e-3), 1000);
    }
    throw new BowlineError(
      "engine",
      "the server's model does not move: no learning rate changed a log-prob by more than rounding",
    );
  }
}

function sumOf(values: ArrayLike<number>): number {
  return Array.from(values).reduce((a, b) => a + b, 0);
}

type SamplerTraits = Pick<ServerTraits, "frozenSamplers" | "promptLogprobs" | "sampleLogprobs">;

/** Two samplers with a step between them: is the older one still what it was, and is the model unharmed by it? */
async function examineSamplers(
  session: TinkerSession,
  lab: Lab,
  { vocabularySize, contextLength }: ExamineOptions,
): Promise<SamplerTraits> {
  const bounds = { vocabularySize, contextLength };
  const prompt = Array.from(lab.row.tokens).slice(0, 4);
  const ask = { prompt, maxTokens: 4, seed: 7, temperature: 0.5 };
  const old = await session.samplerOf(lab.model, bounds);
  const first = await old.sample(ask);
  const sampleLogprobs = await temperedOrRaw(lab, prompt, first.sequences[0]!);
  const promptLogprobs = await givesPromptLogprobs(old, prompt);
  await lab.step(1, { ...DESCENT, learning_rate: DESCENT.eps * 0.05 });
  await session.samplerOf(lab.model, bounds);
  const before = await lab.logprobs();
  const again = await old.sample(ask);
  const after = await lab.logprobs();
  const kept = JSON.stringify(again.sequences[0]) === JSON.stringify(first.sequences[0]);
  const harmless = before.every((value, i) => Math.abs(value - after[i]!) < 1e-3);
  return { frozenSamplers: kept && harmless, promptLogprobs, sampleLogprobs };
}

/** Raw log-probs of a sample are those of the forward pass, whatever the temperature was. */
async function temperedOrRaw(
  lab: Lab,
  prompt: readonly number[],
  { tokens, logprobs }: { tokens: number[]; logprobs?: number[] | null | undefined },
): Promise<ServerTraits["sampleLogprobs"]> {
  const row = { tokens: [...prompt, ...tokens], at: tokens.map((_, i) => prompt.length + i) };
  const raw = await new Lab(lab.model, row, lab.kind).logprobs();
  const gap = raw.reduce((sum, value, i) => sum + Math.abs(value - logprobs![i]!), 0);
  return gap / tokens.length < 0.02 ? "raw" : "tempered";
}

async function givesPromptLogprobs(
  sampler: Awaited<ReturnType<TinkerSession["samplerOf"]>>,
  prompt: readonly number[],
): Promise<boolean> {
  try {
    await sampler.logprobs(prompt);
    return true;
  } catch (error) {
    if (TinkerError.is(error, "malformed", "rejected", "unsupported", "failed")) return false;
    throw error;
  }
}
