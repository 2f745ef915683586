/**
 * Compares a whole iteration of Bowline with one of TRL's GRPOTrainer on single-turn work with equal tokens: sampling,
 * advantages, old log-probs, two epochs of minibatches, and the optimizer.
 *
 * Both programs start from the same weights and sample completions of exactly `COMPLETION` tokens behind the same
 * prompts. Rewards depend only on a row's place in its group, so that no row is dropped. Bowline runs the method
 * `loop`, and TRL runs its own trainer with its own defaults.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBenchModel, SIZES, type Size } from "../../src/bench/shapes.ts";
import { Rng } from "../../src/core/index.ts";
import { createOnnxEngine } from "../../src/engine/index.ts";
import { loop } from "../../src/methods/index.ts";
import type { Engine, Rollout } from "../../src/spec/index.ts";
import { fakeIteration } from "../../src/testing/fake-iteration.ts";
import { fakeRollout } from "../../src/testing/fake-rollout.ts";
import { compareMedians, fastestMicrobatch, type SideBySide } from "./alternate.ts";
import { drawTokenRows } from "./peer-context.ts";
import type { Peer } from "./peer-process.ts";

const VOCABULARY = 512;
const PROMPT = 40;
const COMPLETION = 76;
export const ITERATION_SIZES = { rollouts: 96, group: 6, minibatch: 32, epochs: 2 } as const;
const LEARNING_RATE = 1e-6;
const STEP = {
  learningRate: LEARNING_RATE,
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-8,
  weightDecay: 0,
  maxGradientNorm: 1,
};

/** A peer that runs TRL, and how many threads both programs use. */
export interface TrlContext {
  readonly peer: Peer;
  readonly threads: number;
  readonly quick: boolean;
  /** How often each program runs an iteration that counts. */
  readonly rounds: number;
  readonly onPhase: (what: string) => void;
}

export interface GrpoComparison {
  readonly hiddenSize: number;
  readonly layers: number;
  readonly params: number;
  /** Prompt and completion tokens of one iteration, of Bowline and of TRL. */
  readonly tokens: readonly [number, number];
  /** Seconds of an iteration. */
  readonly iteration: SideBySide;
  /** Seconds of processor time of an iteration, which other work on the machine changes less. */
  readonly processor: SideBySide;
  /** Medians of Bowline's seconds for rollouts and for learning. */
  readonly rollouts: number;
  readonly learning: number;
  /** The rows that TRL takes in one pass, the fastest of those tried. */
  readonly peerMicrobatch: number;
}

/** What an iteration took, with the tokens of all rows and those of them that were sampled. */
export interface Turn {
  readonly ms: number;
  readonly processorMs: number;
  readonly tokens: number;
  readonly sampled: number;
}

export async function compareGrpo(
  context: TrlContext,
  sizes: readonly Size[] = SIZES.slice(0, context.quick ? 1 : 2),
): Promise<GrpoComparison[]> {
  const found: GrpoComparison[] = [];
  for (const size of sizes) {
    context.onPhase(`grpo: d ${size[0]}, ${size[1]} layers`);
    found.push(await compareSize(size, context));
  }
  return found;
}

async function compareSize(size: Size, context: TrlContext): Promise<GrpoComparison> {
  const { threads, quick, rounds } = context;
  const folder = mkdtempSync(join(tmpdir(), "bowline-peers-"));
  const contextLength = PROMPT + COMPLETION;
  const model = createBenchModel(size, { vocabularySize: VOCABULARY, contextLength });
  const engine = await createOnnxEngine({ model, seed: 1, threads, maxLiveRows: 256 });
  try {
    await engine.save(join(folder, "model"));
    const groups = ITERATION_SIZES.rollouts / ITERATION_SIZES.group;
    const prompts = drawTokenRows(groups, PROMPT, VOCABULARY);
    const train = createPeerTraining(context, join(folder, "model"), prompts);
    const choices = quick ? [32] : [32, 16, 8];
    const peerMicrobatch = await fastestMicrobatch(choices, (microbatch) =>
      timeSecondIteration(train, microbatch),
    );
    const turns = await alternateIterations(engine, prompts, rounds, (all, onAsk) =>
      train(peerMicrobatch, all, onAsk),
    );
    return { ...describeTurns(size, engine, turns), peerMicrobatch };
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What both programs took in each round, without the first round, which warms both up. */
interface Turns {
  readonly ours: readonly (Turn & { readonly rolloutMs: number })[];
  readonly theirs: readonly Turn[];
}

function describeTurns([hiddenSize, layers]: Size, engine: Engine, { ours, theirs }: Turns) {
  const seconds = (turns: readonly Turn[], field: "ms" | "processorMs") =>
    turns.map((turn) => turn[field] / 1000);
  const rollouts = ours.map(({ rolloutMs }) => rolloutMs / 1000);
  const learning = ours.map(({ ms, rolloutMs }) => (ms - rolloutMs) / 1000);
  return {
    hiddenSize,
    layers,
    params: engine.info.parameters,
    tokens: [ours[0]!.tokens, theirs[0]!.tokens] as const,
    iteration: compareMedians(seconds(ours, "ms"), seconds(theirs, "ms")),
    processor: compareMedians(seconds(ours, "processorMs"), seconds(theirs, "processorMs")),
    rollouts: compareMedians(rollouts, rollouts).ours,
    learning: compareMedians(learning, learning).ours,
  };
}

/** Trains `iterations` iterations of TRL, and calls `onAsk` before each with what the last one took. */
type TrainPeer = (
  microbatch: number,
  iterations: number,
  onAsk: (last: Turn | null) => Promise<void>,
) => Promise<Turn>;

function createPeerTraining(
  { peer }: TrlContext,
  directory: string,
  prompts: readonly (readonly number[])[],
): TrainPeer {
  return (microbatch, iterations, onAsk) =>
    peer.call<Turn>(
      "grpo",
      {
        directory,
        vocabulary: VOCABULARY,
        prompts,
        iterations,
        sizes: ITERATION_SIZES,
        learningRate: LEARNING_RATE,
        microbatch,
        maxTokens: COMPLETION,
      },
      async (last) => {
        await onAsk(last as Turn | null);
        return {};
      },
    );
}

async function timeSecondIteration(train: TrainPeer, microbatch: number): Promise<number> {
  return (await train(microbatch, 2, async () => {})).ms;
}

/** Runs iterations of both programs by turns. Bowline's come first in each round. */
async function alternateIterations(
  engine: Engine,
  prompts: readonly (readonly number[])[],
  rounds: number,
  train: (rounds: number, onAsk: (last: Turn | null) => Promise<void>) => Promise<Turn>,
): Promise<Turns> {
  const ours: (Turn & { readonly rolloutMs: number })[] = [];
  const theirs: Turn[] = [];
  const last = await train(rounds + 1, async (turn) => {
    if (turn) theirs.push(turn);
    ours.push(await runIteration(engine, prompts, ours.length));
  });
  return { ours: ours.slice(1), theirs: [...theirs, last].slice(1) };
}

/** Runs one iteration of the method `loop`: rollouts of one turn, grading, learning and publishing. */
async function runIteration(
  engine: Engine,
  prompts: readonly (readonly number[])[],
  number: number,
): Promise<Turn & { readonly rolloutMs: number }> {
  const start = performance.now();
  const processor = process.cpuUsage();
  const rollouts = await sampleRollouts(engine, prompts, number);
  const rolloutMs = performance.now() - start;
  const { minibatch, epochs, group } = ITERATION_SIZES;
  const config = { algo: { minibatch, epochs, groupSize: group } };
  const iteration = fakeIteration(loop, { engine, config, step: STEP, rng: new Rng(number) });
  const collected = { rollouts, solutions: [] };
  const grading = await loop.grade(collected, iteration);
  const learned = await loop.learn({ ...collected, ...grading }, iteration);
  if (learned.kept !== ITERATION_SIZES.rollouts || learned.stopped) {
    throw new Error(`the iteration kept ${learned.kept} rollouts: ${learned.stopped}`);
  }
  await engine.publish();
  const { user, system } = process.cpuUsage(processor);
  const tokens = rollouts.reduce((sum, rollout) => sum + rollout.tokens!.ids.length, 0);
  const sampled = ITERATION_SIZES.rollouts * COMPLETION;
  const ms = performance.now() - start;
  return { ms, rolloutMs, processorMs: (user + system) / 1000, tokens, sampled };
}

export async function sampleRollouts(
  engine: Engine,
  prompts: readonly (readonly number[])[],
  number: number,
): Promise<Rollout[]> {
  const { group, rollouts } = ITERATION_SIZES;
  const requests = prompts.flatMap((tokens, task) =>
    Array.from({ length: group }, (_, index) => ({
      tokens,
      stream: number * rollouts + task * group + index,
      maxTokens: COMPLETION,
      temperature: 1,
      stopIds: [],
      cacheKey: `${number}/${task}/${index}`,
    })),
  );
  const samples = await engine.sample(requests);
  for (const { cacheKey } of requests) engine.release(cacheKey);
  return samples.map(({ tokens, logprobs }, i) => {
    const index = i % group;
    const task = Math.floor(i / group);
    const prompt = prompts[task]!;
    return fakeRollout({
      index,
      taskId: `train/${task}/0`,
      id: `${number}/${task}/${index}`,
      // No return equals the mean of the others, so that every rollout is kept.
      checks: Array.from({ length: 6 }, (_, check) => check < [0, 1, 2, 4, 5, 6][index]!),
      tokens: {
        ids: [...prompt, ...tokens],
        mask: [...prompt.map(() => 0 as const), ...tokens.map(() => 1 as const)],
        logprobs: [...prompt.map(() => 0), ...logprobs],
      },
      turns: [
        {
          message: "",
          code: "",
          observation: "",
          status: "ok",
          calls: [],
          span: [prompt.length, prompt.length + tokens.length],
        },
      ],
    });
  });
}
