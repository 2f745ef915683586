/**
 * Writes a whole Hugging Face checkpoint with the adapter merged in: W + alpha/rank * B A instead of W.
 *
 * Merged tensors are made one at a time and written at once, so there is never a second copy of the model. Files of
 * the base that hold no tensors (tokenizer, chat template, generation defaults) are copied from its folder.
 */
import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { writeJson } from "../../../core/index.ts";
import {
  type AdapterStore,
  adapterTensorName,
  loraScale,
  modulePath,
  type ParameterStore,
} from "../model/index.ts";
import { toHuggingFaceConfig } from "./huggingface-config.ts";
import { replaceDirectory } from "./replace-directory.ts";
import { type WrittenType, writeSafetensors } from "./safetensors.ts";

/** The files of a Hugging Face folder that turn text into tokens or say how to sample. */
const COMPANION_FILES = [
  "tokenizer.json",
  "tokenizer_config.json",
  "special_tokens_map.json",
  "added_tokens.json",
  "vocab.json",
  "merges.txt",
  "tokenizer.model",
  "chat_template.jinja",
  "generation_config.json",
];

/**
 * Writes the merged model: replaces `directory` as a whole, or leaves it unchanged and throws a `checkpoint` error.
 * `base` is the folder that the weights came from, if any. Without an adapter the weights are written unchanged.
 */
export function writeMergedModel(
  directory: string,
  parameters: ParameterStore,
  adapter: AdapterStore | undefined,
  base?: string,
  dtype: WrittenType = "F32",
): void {
  const merge = adapter ? createWeightMerger(adapter) : undefined;
  replaceDirectory(directory, (folder) => {
    writeJson(join(folder, "config.json"), toHuggingFaceConfig(parameters.config, dtype));
    const tensors = parameters.parameters.map(({ name, shape }) => ({
      name,
      shape,
      data: () => merge?.(name, parameters.view(name)) ?? parameters.view(name),
    }));
    writeSafetensors(join(folder, "model.safetensors"), tensors, dtype);
    for (const file of base ? COMPANION_FILES : []) {
      const source = join(base!, file);
      if (existsSync(source)) copyFileSync(source, join(folder, file));
    }
  });
}

/** Returns a function that returns a merged copy of a weight, or undefined when the weight is not adapted. */
export function createWeightMerger(adapter: AdapterStore) {
  const { lora, model } = adapter;
  const targets = new Map<string, readonly [a: string, b: string]>();
  for (let layer = 0; layer < model.layers; layer++) {
    for (const module of lora.targetModules) {
      const factors = [
        adapterTensorName(layer, module, "A"),
        adapterTensorName(layer, module, "B"),
      ] as const;
      targets.set(`model.layers.${layer}.${modulePath(module)}.weight`, factors);
    }
  }
  return (name: string, weight: Float32Array): Float32Array | undefined => {
    const factors = targets.get(name);
    if (!factors) return undefined;
    const [a, b] = factors.map((factor) => adapter.view(factor)) as [Float32Array, Float32Array];
    return mergeWeight(weight, a, b, lora.rank, loraScale(lora));
  };
}

/** Returns W (out, in) + scale * B (out, rank) A (rank, in), rounded once. */
function mergeWeight(
  weight: Float32Array,
  a: Float32Array,
  b: Float32Array,
  rank: number,
  scale: number,
): Float32Array {
  const width = a.length / rank;
  const merged = new Float32Array(weight.length);
  const sums = new Float64Array(width);
  for (let row = 0; row < weight.length / width; row++) {
    sums.fill(0);
    for (let r = 0; r < rank; r++) {
      const factor = b[row * rank + r]! * scale;
      for (let i = 0, at = r * width; i < width; i++) sums[i] = sums[i]! + factor * a[at + i]!;
    }
    const start = row * width;
    for (let i = 0; i < width; i++) merged[start + i] = weight[start + i]! + sums[i]!;
  }
  return merged;
}
