/**
 * A small decoder through everything that training and sampling do: log-probs, entropies, gradients, one optimizer
 * step, the layered path with LoRA, and sampled rows. What operators do right alone may still be wrong together.
 */
import { Rng } from "../../../core/index.ts";
import type { OptimizerStep, Row, SampleRequest } from "../../../spec/index.ts";
import { buildBlockGraph, buildStepGraph, Sampler } from "../decode/index.ts";
import {
  AdapterStore,
  initializeAdapter,
  initializeParameters,
  ParameterStore,
  parseLoraOptions,
  parseModelConfig,
} from "../model/index.ts";
import { buildTrainingGraph, Trainer } from "../train/index.ts";
import type { Outputs } from "./operator-cases.ts";

const MODEL = parseModelConfig({
  vocabularySize: 48,
  hiddenSize: 64,
  layers: 2,
  heads: 4,
  kvHeads: 2,
  headSize: 16,
  intermediateSize: 96,
  contextLength: 64,
  qkNorm: true,
  qkvBias: true,
});
const LORA = parseLoraOptions({ rank: 4, alpha: 8, targetModules: "all-linear" }, MODEL);
const STEP: OptimizerStep = {
  learningRate: 1e-2,
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-8,
  weightDecay: 0.01,
  maxGradientNorm: 1,
};

/** Returns the bytes of the decoder's graphs as they are built for this thread's provider. */
export function encodeDecoderGraphs(): Uint8Array[] {
  const training = buildTrainingGraph(MODEL, { entropies: true, backward: true, lora: LORA });
  return [training.encode(), buildStepGraph(MODEL, 1).encode(), buildBlockGraph(MODEL, 1).encode()];
}

/** What a provider made of the decoder. */
export interface DecoderRun {
  /** Outputs by the part of the engine that made them. */
  readonly parts: Readonly<Record<string, Outputs>>;
  /** Whether training and sampling gave the same bits a second time. */
  readonly repeatsItsBits: boolean;
  /** Whether a row that was sampled alone has the bits that it has in a batch. */
  readonly keepsBitsInBatch: boolean;
}

/** Runs the decoder on this thread's provider. */
export async function runDecoder(): Promise<DecoderRun> {
  const [whole, again] = [await trainOnce("whole"), await trainOnce("whole")];
  const layered = await trainOnce("layered");
  const sampled = await sampleRows();
  return {
    parts: {
      "whole training graph": whole,
      "layered training": layered,
      sampling: sampled.together,
    },
    repeatsItsBits: hasSameBits(whole, again) && hasSameBits(sampled.together, sampled.again),
    keepsBitsInBatch: hasSameBits(sampled.together, sampled.apart),
  };
}

async function trainOnce(training: "whole" | "layered"): Promise<Outputs> {
  const parameters = new ParameterStore(MODEL);
  initializeParameters(parameters, 3);
  const adapter = training === "layered" ? createAdapter() : undefined;
  const trainer = new Trainer(parameters, { threads: 1, training, adapter });
  try {
    const rows = randomRows();
    const rng = new Rng(9);
    const cotangents = rows.map(({ at }) => ({
      logprobs: Float32Array.from(at, () => rng.normal()),
      entropies: Float32Array.from(at, () => rng.normal()),
    }));
    const outputs = await trainer.accumulate(rows, cotangents);
    const gradient = (await trainer.state.readGradient()).slice();
    await trainer.update(STEP);
    const after = await trainer.evaluate(rows);
    return {
      "log-probs": joinFloats(outputs.map(({ logprobs }) => logprobs)),
      entropies: joinFloats(outputs.map(({ entropies }) => entropies!)),
      gradient,
      "log-probs after one step": joinFloats(after.map(({ logprobs }) => logprobs)),
    };
  } finally {
    await trainer.close();
  }
}

function createAdapter(): AdapterStore {
  const adapter = new AdapterStore(MODEL, LORA);
  initializeAdapter(adapter, 4);
  const rng = new Rng(5);
  for (let i = 0; i < adapter.data.length; i++) adapter.data[i]! += 0.05 * rng.normal();
  return adapter;
}

async function sampleRows(): Promise<Record<"together" | "again" | "apart", Outputs>> {
  const parameters = new ParameterStore(MODEL);
  initializeParameters(parameters, 3);
  const sampler = new Sampler(parameters, { seed: 1, threads: 1, maxLiveRows: 32 });
  const run = async (requests: readonly SampleRequest[]) => {
    const samples = requests.map((request) => sampler.submit(request).sample);
    while (sampler.isBusy) await sampler.runPass();
    const done = await Promise.all(samples);
    return {
      tokens: Int32Array.from(done.flatMap(({ tokens }) => [...tokens])),
      "log-probs": joinFloats(done.map(({ logprobs }) => logprobs)),
    };
  };
  try {
    const requests = randomRequests();
    const apart: Outputs[] = [];
    for (const request of requests) apart.push(await run([request]));
    return {
      together: await run(requests),
      again: await run(requests),
      apart: {
        tokens: Int32Array.from(apart.flatMap(({ tokens }) => [...(tokens as Int32Array)])),
        "log-probs": joinFloats(apart.map((each) => each["log-probs"] as Float32Array)),
      },
    };
  } finally {
    await sampler.close();
  }
}

function randomRows(): Row[] {
  const rng = new Rng(7);
  return [19, 12, 19].map((length) => {
    const tokens = Array.from({ length }, () => rng.integer(0, MODEL.vocabularySize - 1));
    return { tokens, at: Array.from({ length: length - 1 }, (_, i) => i + 1) };
  });
}

/** Returns greedy requests, because a draw next to a border may fall to the other side on other hardware. */
function randomRequests(): SampleRequest[] {
  const rng = new Rng(8);
  // More rows than a tile of a kernel has, so that a row which sees its batch is noticed.
  const lengths = [5, 20, 33, ...Array.from({ length: 17 }, () => rng.integer(4, 30))];
  return lengths.map((length, stream) => ({
    tokens: Array.from({ length }, () => rng.integer(0, MODEL.vocabularySize - 1)),
    stream,
    maxTokens: 4,
    temperature: 0,
    stopIds: [],
  }));
}

function joinFloats(lists: readonly ArrayLike<number>[]): Float32Array {
  return Float32Array.from(lists.flatMap((list) => Array.from(list)));
}

function hasSameBits(a: Outputs, b: Outputs): boolean {
  return Object.keys(a).every((name) => {
    const [left, right] = [a[name]!, b[name]!].map((data) =>
      Buffer.from(data.buffer, data.byteOffset, data.byteLength),
    );
    return left!.equals(right!);
  });
}
