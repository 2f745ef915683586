/**
 * Opens an adapter: a PEFT folder, which holds small updates of a base model. PEFT names the base by a path or by a
 * name on the Hugging Face hub. Nothing is downloaded, so the base is searched on this machine.
 */
import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { BowlineError, formatValue, isFile } from "../../core/index.ts";
import type { LoraOptions } from "../../spec/index.ts";
import { type ModelDirectory, openModelDirectory } from "./open-model-directory.ts";

/** An adapter and where its base is. */
export interface Adapter {
  readonly path: string;
  /** The folder or GGUF file of the base model. */
  readonly base: string;
  readonly lora: LoraOptions;
}

const ADAPTER_FILE = "adapter_model.safetensors";

/**
 * Reads an adapter's configuration and finds its base. `base` is the base that the user named. Throws a `checkpoint`
 * error when the folder holds no adapter that can be run, and a `config` error when its base is not found.
 */
export async function openAdapter(path: string, base?: string): Promise<Adapter> {
  if (!existsSync(join(path, ADAPTER_FILE))) {
    const other = existsSync(join(path, "adapter_model.bin"));
    throw new BowlineError(
      "checkpoint",
      other
        ? `${join(path, "adapter_model.bin")} is not read, because such files can run code; save the adapter with safetensors`
        : `${join(path, ADAPTER_FILE)} is missing, but ${path} has an adapter_config.json; if the model in that folder is merged with its adapter, remove adapter_config.json`,
    );
  }
  const { readAdapterConfig } = await import("../../engine/index.ts");
  const { baseName, ...lora } = readAdapterConfig(path);
  return { path, base: base ?? findAdapterBase(path, baseName), lora };
}

/** Opens the base of an adapter, with the tokenizer and chat template of the adapter's folder if it has its own. */
export function openAdapterBase({ path, base }: Adapter): Promise<ModelDirectory> {
  return openModelDirectory(base, path);
}

/**
 * Finds the base on this machine: by the path in `adapter_config.json`, from the adapter's folder or from the current
 * one, or else as a folder or GGUF file of that name next to the adapter.
 */
function findAdapterBase(path: string, name: string): string {
  const nextToAdapter = dirname(resolve(path));
  const last = basename(name);
  const places = [
    resolve(path, name),
    resolve(name),
    join(nextToAdapter, last),
    join(nextToAdapter, `${last}.gguf`),
  ];
  const found = name === "" ? undefined : places.find(isModel);
  if (found !== undefined) return found;
  const holdsModel = existsSync(join(path, "config.json"));
  const advice = holdsModel
    ? `; ${path} also holds a model: if that is the base, give --engine.model ${path}, and if the adapter is already merged into it, remove adapter_config.json`
    : "; models are not downloaded, so give the base's folder or GGUF file: --engine.model PATH (in the library: base)";
  throw new BowlineError(
    "config",
    name === ""
      ? `${path} is an adapter whose adapter_config.json names no base model${advice}`
      : `${path} is an adapter whose base ${formatValue(name)} is neither a path from there nor next to it${advice}`,
  );
}

/** Returns true for the folder of a model, and for a GGUF file. */
function isModel(path: string): boolean {
  if (isFile(path)) return path.endsWith(".gguf");
  return existsSync(join(path, "config.json"));
}
