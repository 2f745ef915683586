import { createOnnxEngine } from "../../src/engine/index.ts";
import { describeEngine } from "./engine.ts";

const shape = {
  vocabularySize: 40,
  layers: 2,
  heads: 4,
  headSize: 16,
  contextLength: 96,
  ropeTheta: 10_000,
  rmsNormEpsilon: 1e-6,
};

// hiddenSize 96 with intermediateSize 192 on two threads is a product whose rounding would depend on the batch.
describeEngine("onnx, Qwen2 shape, grouped queries", (seed) =>
  createOnnxEngine({
    model: {
      ...shape,
      hiddenSize: 96,
      intermediateSize: 192,
      kvHeads: 2,
      tieEmbeddings: true,
      qkNorm: false,
      qkvBias: true,
    },
    seed,
    threads: 2,
  }),
);

// Few live rows: prefixes are evicted all the time, and nothing may change.
describeEngine("onnx, Qwen3 shape, one key head a query head, room for five rows", (seed) =>
  createOnnxEngine({
    model: {
      ...shape,
      hiddenSize: 32,
      intermediateSize: 64,
      kvHeads: 4,
      tieEmbeddings: false,
      qkNorm: true,
      qkvBias: false,
    },
    seed,
    threads: 1,
    maxLiveRows: 5,
  }),
);
