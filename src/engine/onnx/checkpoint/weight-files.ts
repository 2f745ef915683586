/**
 * The tensors of a model: a folder with one `model.safetensors`, or shards named by `model.safetensors.index.json`; or one
 * GGUF file.
 *
 * First every header is read and compared with what the model needs, then tensors are read one by one straight into
 * their place in the flat buffer. So nothing is held twice (16-bit floats are widened through one buffer of 4 MiB), and
 * a folder that lacks something, or has something foreign, is refused before a single weight has changed.
 */
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import { BowlineError, isFile } from "../../../core/index.ts";
import {
  type ModelConfig,
  type Parameter,
  type ParameterStore,
  parameterLayout,
} from "../model/index.ts";
import { GgufWeights } from "./gguf/index.ts";
import { readJsonFile } from "./json-file.ts";
import { SafetensorsFile } from "./safetensors.ts";
import type { WeightFile } from "./weight-file.ts";

export const WEIGHTS = "model.safetensors";
const INDEX = "model.safetensors.index.json";
const EMBEDDING = "model.embed_tokens.weight";
const HEAD = "lm_head.weight";
/** What other programs write, in formats that run code or that we do not read. */
const FOREIGN = ["pytorch_model.bin", "pytorch_model.bin.index.json", "tf_model.h5"];

/** Checks names and shapes of a folder's tensors against a model. Throws a `checkpoint` error that names the tensor. */
export function checkWeights(directory: string, config: ModelConfig): void {
  const parameters = parameterLayout(config).inputs.flatMap(({ parts }) => parts);
  withWeights(directory, (files) => {
    planReads(files, parameters, "");
    refuseUnknown(files, parameters, config, directory);
  });
}

/**
 * Fills a model's weights from a folder, widened to 32 bits. Throws a `checkpoint` error; headers that do not fit leave
 * the weights as they were, a number that is not finite is found only when it has been read.
 */
export function loadWeights(directory: string, store: ParameterStore): void {
  withWeights(directory, (files) => {
    const reads = planReads(files, store.parameters, "");
    refuseUnknown(files, store.parameters, store.config, directory);
    for (const read of reads) read(store.data);
  });
}

/** Runs `use` with the open files of a folder, or with a GGUF file. */
export function withWeights(path: string, use: (files: readonly WeightFile[]) => void): void {
  if (isFile(path)) withOpened([path], (file) => new GgufWeights(file), use);
  else withFiles(weightPaths(path), use);
}

/** Opens safetensors files, and closes them whatever happens. */
export function withFiles(
  paths: readonly string[],
  use: (files: readonly WeightFile[]) => void,
): void {
  withOpened(paths, (path) => new SafetensorsFile(path), use);
}

function withOpened(
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

function weightPaths(directory: string): string[] {
  const index = join(directory, INDEX);
  if (!existsSync(index)) {
    refuseForeignFormat(directory);
    return [join(directory, WEIGHTS)];
  }
  const schema = z.looseObject({ weight_map: z.record(z.string(), z.string()) });
  const parsed = schema.safeParse(readJsonFile(index));
  if (!parsed.success) throw new BowlineError("checkpoint", `${index} has no weight_map`);
  const names = [...new Set(Object.values(parsed.data.weight_map))].sort();
  return names.map((name) => {
    if (name === basename(name) && existsSync(join(directory, name))) return join(directory, name);
    throw new BowlineError(
      "checkpoint",
      `${join(directory, name)} is missing, but ${index} names it`,
    );
  });
}

function refuseForeignFormat(directory: string): void {
  if (existsSync(join(directory, WEIGHTS))) return;
  const found = FOREIGN.find((name) => existsSync(join(directory, name)));
  if (found === undefined) return;
  throw new BowlineError(
    "checkpoint",
    `${join(directory, WEIGHTS)} is missing, and ${found} is not read; save the model with safetensors`,
  );
}

type Read = (target: Float32Array) => void;

/** Checks that every parameter is there in its shape; returns what reads each into the flat buffer that it belongs to. */
export function planReads(
  files: readonly WeightFile[],
  parameters: readonly Parameter[],
  prefix: string,
): Read[] {
  const names = storedNames(files, parameters);
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
      requireFinite(place, full, file.path);
    };
  });
}

/** A table that is both embedding and head may stand under the head's name alone; then that is where it is read. */
export function storedNames(
  files: readonly WeightFile[],
  parameters: readonly Pick<Parameter, "name">[],
): ReadonlyMap<string, string> {
  const has = (name: string) => files.some(({ tensors }) => tensors.has(name));
  const isTied = !parameters.some(({ name }) => name === HEAD);
  return new Map(isTied && !has(EMBEDDING) && has(HEAD) ? [[EMBEDDING, HEAD]] : []);
}

/** Compares bits: an exponent of all ones is an infinity or no number. */
function requireFinite(values: Float32Array, name: string, path: string): void {
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
  for (let i = 0; i < bits.length; i++) {
    if ((bits[i]! & 0x7f800000) !== 0x7f800000) continue;
    throw new BowlineError(
      "checkpoint",
      `${path}: ${name}[${i}] is ${values[i]}; weights must be finite`,
    );
  }
}

/** A tensor that the model has no place for means that it is another model. Tied heads and rotary tables may repeat. */
export function refuseUnknown(
  files: readonly WeightFile[],
  parameters: readonly Parameter[],
  config: ModelConfig,
  directory: string,
): void {
  const known = new Set(parameters.map(({ name }) => name));
  if (config.tieEmbeddings) known.add(HEAD);
  for (const name of files.flatMap(({ tensors }) => [...tensors.keys()])) {
    if (known.has(name) || name.endsWith("rotary_emb.inv_freq")) continue;
    throw new BowlineError("checkpoint", `${directory} has a tensor ${name} unknown to its config`);
  }
}
