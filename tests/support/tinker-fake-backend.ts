/** A backend without weights. It records its work in order, and a test can make it wait or fail. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AdamParams, Backend, LossBatch, SamplingJob } from "../../src/server/index.ts";

export interface FakeBackend extends Backend {
  /** The finished work in order, such as `forward_backward 3`, with the number of datums or tokens. */
  readonly done: string[];
  /** All work waits until this promise resolves. When it is undefined, no work waits. */
  blockedUntil: Promise<void> | undefined;
  /** The error that the next piece of work throws. */
  failure: Error | undefined;
}

export function createFakeBackend(): FakeBackend {
  const done: string[] = [];
  const recordWork = async (description: string) => {
    await fake.blockedUntil;
    const { failure } = fake;
    fake.failure = undefined;
    if (failure) throw failure;
    done.push(description);
  };
  const createResult = ({ data }: LossBatch) => {
    const logprobs = data.map(({ targets }) => new Float32Array(targets.length).fill(-1));
    return { logprobs, losses: logprobs, loss: 1, skipped: 0 };
  };
  const fake: FakeBackend = {
    done,
    blockedUntil: undefined,
    failure: undefined,
    base: { name: "tiny", vocabularySize: 48, contextLength: 64, stopIds: [] },
    createModel: (id) => recordWork(`create ${id}`),
    async forward(_, batch) {
      await recordWork(`forward ${batch.data.length}`);
      return createResult(batch);
    },
    async forwardBackward(_, batch) {
      await recordWork(`forward_backward ${batch.data.length}`);
      return createResult(batch);
    },
    async optimStep(_, { learning_rate }: AdamParams) {
      await recordWork(`optim_step ${learning_rate}`);
      return { "grad_norm:mean": 1 };
    },
    async saveTraining(_, directory) {
      await recordWork("save");
      writeFakeWeights(directory);
    },
    loadTraining: (_, directory, { optimizer }) =>
      recordWork(`load ${directory.includes("weights")} ${optimizer}`),
    async saveSampler(_, directory) {
      await recordWork("save sampler");
      writeFakeWeights(directory);
    },
    unloadModel: (id) => recordWork(`unload ${id}`),
    async sample(weights, { streams, maxTokens }: SamplingJob) {
      await recordWork(`sample ${weights ? "saved" : "base"} ${streams.join(",")}`);
      const tokens = new Array<number>(Math.min(maxTokens, 4)).fill(5);
      const sequence = { stop: "length" as const, tokens, logprobs: tokens.map(() => -1) };
      return { sequences: streams.map(() => sequence) };
    },
    close: () => Promise.resolve(),
  };
  return fake;
}

function writeFakeWeights(directory: string): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "weights"), "of a fake");
}
