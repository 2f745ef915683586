/** The contract that every engine must keep, on WebGPU. */

import { createOnnxEngine } from "../../src/engine/index.ts";
import { describeEngine } from "../contract/describe-engine.ts";

const model = {
  vocabularySize: 40,
  layers: 2,
  heads: 4,
  headSize: 16,
  contextLength: 96,
  ropeTheta: 10_000,
  rmsNormEpsilon: 1e-6,
  hiddenSize: 96,
  intermediateSize: 192,
  kvHeads: 2,
  tieEmbeddings: true,
  qkNorm: false,
  qkvBias: true,
};

describeEngine(
  "onnx on webgpu",
  (seed) => createOnnxEngine({ model, seed, threads: 2, provider: "webgpu" }),
  { batchRounding: 1e-5 },
);
