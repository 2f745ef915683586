/**
 * A model as one GGUF file, or an adapter as a LoRA file, for llama.cpp. Matrices are written in the type that is asked for,
 * vectors always as float32; a matrix whose rows do not fill blocks of Q8_0 is written as halves, as llama.cpp's converter does.
 */
import { type GgufEntry, type GgufTensorToWrite, writeGguf } from "../../../../core/index.ts";
import {
  type AdapterStore,
  adapterTensorName,
  type ModelConfig,
  modulePath,
  type ParameterStore,
} from "../../model/index.ts";
import { mergerOf } from "../export.ts";
import { architectureFor, entriesOf, ROPE_FACTORS } from "./config.ts";
import { ggufName, hasPairs, joinPairs } from "./names.ts";
import { bytesOf, type GgufDtype } from "./quantize.ts";
import { ropeFactors } from "./rope-factors.ts";

/** `general.file_type` of llama.cpp. */
const FILE_TYPES: Readonly<Record<GgufDtype, number>> = { F32: 0, F16: 1, Q8_0: 7 };
const BLOCK = 32;

/** What is written of an engine's weights: the whole model, with its adapter merged in, or the adapter alone. */
export interface GgufExport {
  readonly form: "merged" | "adapter";
  readonly dtype: GgufDtype;
  /** What the file says beside the model's shape, such as its name and its tokenizer. */
  readonly texts: readonly GgufEntry[];
}

/** Replaces `path` as a whole. */
export function writeModelGguf(
  path: string,
  parameters: ParameterStore,
  adapter: AdapterStore | undefined,
  { dtype, texts }: Omit<GgufExport, "form">,
): void {
  const { config } = parameters;
  const merge = adapter ? mergerOf(adapter) : undefined;
  const tensors = parameters.parameters.map(({ name, shape }) =>
    tensorOf(ggufName(name), shape, dtype, () =>
      ordered(config, name, merge?.(name, parameters.view(name)) ?? parameters.view(name), shape),
    ),
  );
  const entries = [...entriesOf(config), ...general("model", dtype), ...texts];
  writeGguf(path, entries, [...scalingOf(config), ...tensors]);
}

/** The adapter alone: A and B of each module beside the name of the weight that they go on. */
export function writeAdapterGguf(
  path: string,
  adapter: AdapterStore,
  { dtype, texts }: Omit<GgufExport, "form">,
): void {
  const { lora, model } = adapter;
  const layers = Array.from({ length: model.layers }, (_, layer) => layer);
  const tensors = layers.flatMap((layer) =>
    lora.targetModules.flatMap((module) => {
      const weight = `model.layers.${layer}.${modulePath(module)}.weight`;
      const [a, b] = [adapterTensorName(layer, module, "A"), adapterTensorName(layer, module, "B")];
      const [viewA, viewB] = [adapter.view(a), adapter.view(b)];
      const shapeA = [lora.rank, viewA.length / lora.rank];
      const shapeB = [viewB.length / lora.rank, lora.rank];
      return [
        tensorOf(`${ggufName(weight)}.lora_a`, shapeA, dtype, () => viewA),
        // The rows of B are those of the weight.
        tensorOf(`${ggufName(weight)}.lora_b`, shapeB, dtype, () =>
          ordered(model, weight, viewB, shapeB),
        ),
      ];
    }),
  );
  const entries: GgufEntry[] = [
    { key: "general.architecture", kind: "string", value: architectureFor(model) },
    ...general("adapter", dtype),
    { key: "adapter.type", kind: "string", value: "lora" },
    { key: "adapter.lora.alpha", kind: "float32", value: lora.alpha },
    ...texts,
  ];
  writeGguf(path, entries, tensors);
}

function general(type: "model" | "adapter", dtype: GgufDtype): GgufEntry[] {
  return [
    { key: "general.type", kind: "string", value: type },
    { key: "general.file_type", kind: "uint32", value: FILE_TYPES[dtype] },
    { key: "general.quantization_version", kind: "uint32", value: 2 },
  ];
}

function tensorOf(
  name: string,
  shape: readonly number[],
  wanted: GgufDtype,
  values: () => Float32Array,
): GgufTensorToWrite {
  const dims = [...shape].reverse();
  const fits = wanted !== "Q8_0" || dims[0]! % BLOCK === 0;
  const type = dims.length === 1 ? "F32" : fits ? wanted : "F16";
  return { name, type, dims, bytes: () => bytesOf(type, values(), name) };
}

/** As the file wants its rows; the store is left as it is. */
function ordered(
  config: ModelConfig,
  name: string,
  values: Float32Array,
  shape: readonly number[],
): Float32Array {
  if (architectureFor(config) !== "llama" || !hasPairs(name)) return values;
  const copy = values.slice();
  joinPairs(copy, config.headSize, shape[1] ?? 1);
  return copy;
}

function scalingOf({ headSize, ropeTheta, ropeScaling }: ModelConfig): GgufTensorToWrite[] {
  if (ropeScaling === undefined) return [];
  const factors = () => ropeFactors(headSize, ropeTheta, ropeScaling);
  return [tensorOf(ROPE_FACTORS, [headSize / 2], "F32", factors)];
}
