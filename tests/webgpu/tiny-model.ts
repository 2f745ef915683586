/** The tiny model of the tests on the device, with everything that the decoder of a published model may have. */
import { parseLoraOptions, parseModelConfig } from "../../src/engine/onnx/model/index.ts";

/** Returns the model's shape with a context of so many tokens. */
export function createTinyModel(contextLength: number) {
  return parseModelConfig({
    vocabularySize: 48,
    hiddenSize: 64,
    layers: 2,
    heads: 4,
    kvHeads: 2,
    headSize: 16,
    intermediateSize: 96,
    contextLength,
    qkNorm: true,
    qkvBias: true,
  });
}

/** Returns adapters on all products of a model. */
export const createTinyLora = (model: ReturnType<typeof createTinyModel>) =>
  parseLoraOptions({ rank: 4, alpha: 8, targetModules: "all-linear" }, model);
