/**
 * Writes a model as one GGUF file, or an adapter as a LoRA file, for llama.cpp. Matrices are written in the requested
 * type and vectors always as float32. A matrix whose rows do not fill blocks of Q8_0 is written in 16-bit floats, as
 * llama.cpp's converter does.
 */
import { type GgufEntry, type GgufTensorToWrite, writeGguf } from "../../../../core/gguf/index.ts";
import {
  type AdapterStore,
  adapterTensorName,
  type ModelConfig,
  modulePath,
  type ParameterStore,
} from "../../model/index.ts";
import { createWeightMerger } from "../merged-model.ts";
import { chooseArchitecture, modelEntries, ROPE_FACTORS_TENSOR } from "./gguf-config.ts";
import { encodeTensorData, type GgufDtype } from "./quantize.ts";
import { computeRopeFactors } from "./rope-factors.ts";
import { hasRotaryPairs, interleaveRotaryPairs, toGgufName } from "./tensor-names.ts";

/** The values of llama.cpp's `general.file_type`. */
const FILE_TYPES: Readonly<Record<GgufDtype, number>> = { F32: 0, F16: 1, Q8_0: 7 };
const BLOCK_ELEMENTS = 32;

/** What an export writes: the whole model with its adapter merged in, or the adapter alone. */
export interface GgufExport {
  readonly form: "merged" | "adapter";
  readonly dtype: GgufDtype;
  /** Further entries of the file, such as its name and its tokenizer. */
  readonly texts: readonly GgufEntry[];
}

/** Writes the whole model, and replaces `path` as a whole. */
export function writeModelGguf(
  path: string,
  parameters: ParameterStore,
  adapter: AdapterStore | undefined,
  { dtype, texts }: Omit<GgufExport, "form">,
): void {
  const { config } = parameters;
  const merge = adapter ? createWeightMerger(adapter) : undefined;
  const tensors = parameters.parameters.map(({ name, shape }) =>
    createTensor(toGgufName(name), shape, dtype, () =>
      orderRowsForFile(
        config,
        name,
        merge?.(name, parameters.view(name)) ?? parameters.view(name),
        shape,
      ),
    ),
  );
  const entries = [...modelEntries(config), ...generalEntries("model", dtype), ...texts];
  writeGguf(path, entries, [...ropeFactorTensors(config), ...tensors]);
}

/** Writes the adapter alone: A and B of each module, named after the weight that they change. */
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
        createTensor(`${toGgufName(weight)}.lora_a`, shapeA, dtype, () => viewA),
        // The rows of B have the order of the weight's rows.
        createTensor(`${toGgufName(weight)}.lora_b`, shapeB, dtype, () =>
          orderRowsForFile(model, weight, viewB, shapeB),
        ),
      ];
    }),
  );
  const entries: GgufEntry[] = [
    { key: "general.architecture", kind: "string", value: chooseArchitecture(model) },
    ...generalEntries("adapter", dtype),
    { key: "adapter.type", kind: "string", value: "lora" },
    { key: "adapter.lora.alpha", kind: "float32", value: lora.alpha },
    ...texts,
  ];
  writeGguf(path, entries, tensors);
}

function generalEntries(type: "model" | "adapter", dtype: GgufDtype): GgufEntry[] {
  return [
    { key: "general.type", kind: "string", value: type },
    { key: "general.file_type", kind: "uint32", value: FILE_TYPES[dtype] },
    { key: "general.quantization_version", kind: "uint32", value: 2 },
  ];
}

function createTensor(
  name: string,
  shape: readonly number[],
  dtype: GgufDtype,
  values: () => Float32Array,
): GgufTensorToWrite {
  const dims = [...shape].reverse();
  const fillsBlocks = dtype !== "Q8_0" || dims[0]! % BLOCK_ELEMENTS === 0;
  const type = dims.length === 1 ? "F32" : fillsBlocks ? dtype : "F16";
  return { name, type, dims, bytes: () => encodeTensorData(type, values(), name) };
}

/** Returns the rows in the order of the file. The store is not changed. */
function orderRowsForFile(
  config: ModelConfig,
  name: string,
  values: Float32Array,
  shape: readonly number[],
): Float32Array {
  if (chooseArchitecture(config) !== "llama" || !hasRotaryPairs(name)) return values;
  const copy = values.slice();
  interleaveRotaryPairs(copy, config.headSize, shape[1] ?? 1);
  return copy;
}

function ropeFactorTensors({ headSize, ropeTheta, ropeScaling }: ModelConfig): GgufTensorToWrite[] {
  if (ropeScaling === undefined) return [];
  const computeFactors = () => computeRopeFactors(headSize, ropeTheta, ropeScaling);
  return [createTensor(ROPE_FACTORS_TENSOR, [headSize / 2], "F32", computeFactors)];
}
