/**
 * Reads the tensors of a model: a folder with one `model.safetensors`, or else with shards that
 * `model.safetensors.index.json` names, or a GGUF file.
 *
 * First every header is read and compared with what the model needs. Then tensors are read one by one straight into
 * their place in the flat buffer. So nothing is held twice (16-bit floats are widened through one buffer of 4 MiB),
 * and a folder with a missing or unknown tensor is rejected before a single weight has changed.
 */
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { BowlineError, errorMessage, formatSchema, isFile } from "../../../core/index.ts";
import {
  type ModelConfig,
  type Parameter,
  type ParameterStore,
  parameterLayout,
  type QuantizedMatrices,
  quantizeRows,
  sliceRows,
} from "../model/index.ts";
import { GgufWeights } from "./gguf/index.ts";
import { indexFormat } from "./huggingface-format.ts";
import { readJsonFile } from "./json-file.ts";
import { SafetensorsFile } from "./safetensors.ts";
import type { WeightFile } from "./weight-file.ts";

export const WEIGHTS_FILE = "model.safetensors";
const indexSchema = formatSchema(indexFormat);
const INDEX_FILE = "model.safetensors.index.json";
const EMBEDDING = "model.embed_tokens.weight";
const HEAD = "lm_head.weight";
/** Files of other programs, in formats that run code or that we do not read. */
const OTHER_FORMATS = ["pytorch_model.bin", "pytorch_model.bin.index.json", "tf_model.h5"];

/** Throws a `checkpoint` error that names a tensor when a folder's tensors do not fit a model. */
export function checkWeightFiles(directory: string, config: ModelConfig): void {
  const parameters = parameterLayout(config).inputs.flatMap(({ parts }) => parts);
  withWeightFiles(directory, (files) => {
    planTensorReads(files, parameters, "");
    rejectUnknownTensors(files, parameters, config, directory);
  });
}

/**
 * Fills a model's weights from a folder, widened to 32 bits. Throws a `checkpoint` error. Headers that do not fit
 * leave the weights unchanged; a number that is not finite is found only when it has been read.
 */
export function loadWeights(directory: string, store: ParameterStore): void {
  withWeightFiles(directory, (files) => {
    const reads = planTensorReads(files, store.parameters, "");
    rejectUnknownTensors(files, store.parameters, store.config, directory);
    requireTiedHead(files, store.config);
    if (store.quantized) loadQuantizedWeights(files, store, store.quantized, reads);
    else for (const read of reads) read(store.data);
  });
}

/** The numbers that are read at a time before they are quantised. */
const CHUNK_NUMBERS = 2 ** 20;

/** Fills a quantised store: norms and biases as floats, and matrices some rows at a time. */
function loadQuantizedWeights(
  files: readonly WeightFile[],
  store: ParameterStore,
  quantized: QuantizedMatrices,
  reads: readonly ReadTensor[],
): void {
  const names = findStoredNames(files, store.parameters);
  const multiple = 8 * store.config.headSize;
  quantized.resetError();
  store.parameters.forEach(({ name }, i) => {
    if (store.isFloat(name)) {
      reads[i]!(store.data);
      return;
    }
    const stored = names.get(name) ?? name;
    const file = files.find(({ tensors }) => tensors.has(stored))!;
    const matrix = quantized.get(name);
    const step = Math.max(1, Math.floor(CHUNK_NUMBERS / matrix.columns / multiple)) * multiple;
    for (let start = 0; start < matrix.rows; start += step) {
      const rows = sliceRows(matrix, start, Math.min(matrix.rows, start + step));
      if (file.readBlocks(stored, start, rows)) continue;
      const values = new Float32Array(rows.rows * rows.columns);
      file.readRows(stored, start, values);
      requireFiniteWeights(values, stored, file.path);
      quantizeRows(values, rows, quantized.error);
    }
  });
}

/** Calls `use` with the open files of a folder, or with a GGUF file. */
export function withWeightFiles(path: string, use: (files: readonly WeightFile[]) => void): void {
  if (isFile(path)) withOpenFiles([path], (file) => new GgufWeights(file), use);
  else withSafetensorsFiles(findWeightPaths(path), use);
}

/** Opens safetensors files, calls `use`, and closes the files whatever happens. */
export function withSafetensorsFiles(
  paths: readonly string[],
  use: (files: readonly WeightFile[]) => void,
): void {
  withOpenFiles(paths, (path) => new SafetensorsFile(path), use);
}

function withOpenFiles(
  paths: readonly string[],
  open: (path: string) => WeightFile,
  use: (files: readonly WeightFile[]) => void,
): void {
  const files: WeightFile[] = [];
  try {
    for (const path of paths) files.push(open(path));
    use(files);
  } finally {
    for (const file of files) file.close();
  }
}

/** Returns the files that transformers would load. A single file comes first, whatever else there is. */
function findWeightPaths(directory: string): string[] {
  const single = join(directory, WEIGHTS_FILE);
  const index = join(directory, INDEX_FILE);
  if (existsSync(single) || !existsSync(index)) {
    rejectOtherFormats(directory);
    return [single];
  }
  const parsed = indexSchema.safeParse(readJsonFile(index));
  if (!parsed.success) {
    throw new BowlineError("checkpoint", `${index}: ${errorMessage(parsed.error)}`);
  }
  const names = [...new Set(Object.values(parsed.data.weight_map))].sort();
  return names.map((name) => {
    if (name === basename(name) && existsSync(join(directory, name))) return join(directory, name);
    throw new BowlineError(
      "checkpoint",
      `${join(directory, name)} is missing, but ${index} names it`,
    );
  });
}

function rejectOtherFormats(directory: string): void {
  if (existsSync(join(directory, WEIGHTS_FILE))) return;
  const found = OTHER_FORMATS.find((name) => existsSync(join(directory, name)));
  if (found === undefined) return;
  throw new BowlineError(
    "checkpoint",
    `${join(directory, WEIGHTS_FILE)} is missing, and ${found} is not read; save the model with safetensors`,
  );
}

type ReadTensor = (target: Float32Array) => void;

/**
 * Checks that every parameter exists in its shape. Returns functions that read each into its place in a flat buffer.
 */
export function planTensorReads(
  files: readonly WeightFile[],
  parameters: readonly Parameter[],
  prefix: string,
): ReadTensor[] {
  const names = findStoredNames(files, parameters);
  return parameters.map(({ name, shape, offset, size }) => {
    const full = prefix + (names.get(name) ?? name);
    const file = files.find(({ tensors }) => tensors.has(full));
    const paths = files.map(({ path }) => path).join(", ");
    if (!file) throw new BowlineError("checkpoint", `${paths} lacks ${full} [${shape}]`);
    const found = file.tensors.get(full)!.shape;
    if (found.join() !== shape.join()) {
      throw new BowlineError(
        "checkpoint",
        `${file.path}: ${full} should have shape [${shape}], but has [${found}]`,
      );
    }
    return (target) => {
      const place = target.subarray(offset, offset + size);
      file.read(full, place);
      requireFiniteWeights(place, full, file.path);
    };
  });
}

/** Returns the names of parameters that are stored under another one: a tied embedding may have the head's name. */
export function findStoredNames(
  files: readonly WeightFile[],
  parameters: readonly Pick<Parameter, "name">[],
): ReadonlyMap<string, string> {
  const hasTensor = (name: string) => files.some(({ tensors }) => tensors.has(name));
  const isTied = !parameters.some(({ name }) => name === HEAD);
  return new Map(isTied && !hasTensor(EMBEDDING) && hasTensor(HEAD) ? [[EMBEDDING, HEAD]] : []);
}

/** Throws when a weight is not finite. It compares bits: an exponent of all ones means infinity or NaN. */
function requireFiniteWeights(values: Float32Array, name: string, path: string): void {
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
  for (let i = 0; i < bits.length; i++) {
    if ((bits[i]! & 0x7f800000) !== 0x7f800000) continue;
    throw new BowlineError(
      "checkpoint",
      `${path}: ${name}[${i}] is ${values[i]}; weights must be finite`,
    );
  }
}

/**
 * Throws when the files have a tensor that the model lacks, except for a tied head and rotary tables, or have a tensor
 * twice.
 */
export function rejectUnknownTensors(
  files: readonly WeightFile[],
  parameters: readonly Parameter[],
  config: ModelConfig,
  directory: string,
): void {
  const known = new Set(parameters.map(({ name }) => name));
  if (config.tieEmbeddings) known.add(HEAD);
  const names = files.flatMap(({ tensors }) => [...tensors.keys()]);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) {
    throw new BowlineError("checkpoint", `${directory} has the tensor ${twice} in two files`);
  }
  for (const name of names) {
    if (known.has(name) || name.endsWith("rotary_emb.inv_freq")) continue;
    throw new BowlineError("checkpoint", `${directory} has a tensor ${name} unknown to its config`);
  }
}

/**
 * Throws when a tied head is stored beside the embedding with other bytes. transformers then does not tie the two, and
 * which of them the model should use is not known here.
 */
export function requireTiedHead(
  files: readonly WeightFile[],
  { tieEmbeddings }: ModelConfig,
): void {
  const [embedding, head] = [EMBEDDING, HEAD].map((name) =>
    files.find(({ tensors }) => tensors.has(name)),
  );
  if (!tieEmbeddings || !embedding || !head) return;
  const isSame =
    embedding.tensors.get(EMBEDDING)!.dtype === head.tensors.get(HEAD)!.dtype &&
    haveSameBytes(embedding.readBytes(EMBEDDING), head.readBytes(HEAD));
  if (isSame) return;
  throw new BowlineError(
    "checkpoint",
    `${head.path}: ${HEAD} differs from ${EMBEDDING}, but the config ties them; set tie_word_embeddings to false`,
  );
}

function haveSameBytes(left: Iterable<Uint8Array>, right: Iterable<Uint8Array>): boolean {
  const others = right[Symbol.iterator]();
  for (const chunk of left) {
    const other = others.next();
    if (other.done === true || Buffer.compare(chunk, other.value) !== 0) return false;
  }
  return others.next().done === true;
}
