/** A backend without weights: it notes what it is asked to do, in order, and can be told to wait or to fail. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AdamParams, Backend, LossBatch, SampleOrder } from "../../src/server/index.ts";

export interface FakeBackend extends Backend {
  /** `forward_backward 3`: what was done, and how many datums or tokens it was about. */
  readonly done: string[];
  /** Work waits until it is let go; undefined: nothing waits. */
  gate: Promise<void> | undefined;
  /** The next work throws this. */
  failure: Error | undefined;
}

export function fakeBackend(): FakeBackend {
  const done: string[] = [];
  const work = async (what: string) => {
    await fake.gate;
    const { failure } = fake;
    fake.failure = undefined;
    if (failure) throw failure;
    done.push(what);
  };
  const result = ({ data }: LossBatch) => {
    const logprobs = data.map(({ targets }) => new Float32Array(targets.length).fill(-1));
    return { logprobs, losses: logprobs, loss: 1, skipped: 0 };
  };
  const fake: FakeBackend = {
    done,
    gate: undefined,
    failure: undefined,
    base: { name: "tiny", vocabularySize: 48, contextLength: 64, stopIds: [] },
    createModel: (id) => work(`create ${id}`),
    async forward(_, batch) {
      await work(`forward ${batch.data.length}`);
      return result(batch);
    },
    async forwardBackward(_, batch) {
      await work(`forward_backward ${batch.data.length}`);
      return result(batch);
    },
    async optimStep(_, { learning_rate }: AdamParams) {
      await work(`optim_step ${learning_rate}`);
      return { "grad_norm:mean": 1 };
    },
    async saveTraining(_, directory) {
      await work("save");
      write(directory);
    },
    loadTraining: (_, directory, { optimizer }) =>
      work(`load ${directory.includes("weights")} ${optimizer}`),
    async saveSampler(_, directory) {
      await work("save sampler");
      write(directory);
    },
    unloadModel: (id) => work(`unload ${id}`),
    async sample(weights, { streams, maxTokens }: SampleOrder) {
      await work(`sample ${weights ? "saved" : "base"} ${streams.join(",")}`);
      const tokens = new Array<number>(Math.min(maxTokens, 4)).fill(5);
      const sequence = { stop: "length" as const, tokens, logprobs: tokens.map(() => -1) };
      return { sequences: streams.map(() => sequence) };
    },
    close: () => Promise.resolve(),
  };
  return fake;
}

function write(directory: string): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "weights"), "of a fake");
}
