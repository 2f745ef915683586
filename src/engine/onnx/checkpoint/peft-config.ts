/** Reads and writes `adapter_config.json` as PEFT writes it for plain LoRA. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { BowlineError, errorMessage, formatSchema } from "../../../core/index.ts";
import type { LoraConfig } from "../model/index.ts";
import { readJsonFile } from "./json-file.ts";
import { peftFormat } from "./peft-format.ts";
import { findTargetModules } from "./peft-targets.ts";
import { SafetensorsFile } from "./safetensors.ts";

export const PEFT_CONFIG = "adapter_config.json";
export const ADAPTER_FILE = "adapter_model.safetensors";

const configSchema = formatSchema(peftFormat);
/** Two alphas that differ by less than this share are the same. An alpha with a root in it has many digits. */
const ALPHA_TOLERANCE = 1e-6;

/** Throws a `checkpoint` error that names the field in which a folder's LoRA options differ from the engine's. */
export function requireSameLora(ours: LoraConfig, directory: string): void {
  const theirs = readAdapterConfig(directory);
  const hasSameAlpha = Math.abs(theirs.alpha / ours.alpha - 1) < ALPHA_TOLERANCE;
  const fields: readonly (keyof LoraConfig)[] = [
    "rank",
    ...(hasSameAlpha ? [] : (["alpha"] as const)),
    "targetModules",
  ];
  for (const field of fields) {
    const [a, b] = [String(ours[field]), String(theirs[field])];
    if (a === b) continue;
    throw new BowlineError(
      "checkpoint",
      `${join(directory, PEFT_CONFIG)} belongs to another adapter: ${field} is ${b}, but the engine's is ${a}`,
    );
  }
}

/** What `adapter_config.json` says about an adapter. */
export interface AdapterConfig extends LoraConfig {
  /** The name or path of the base model, as the file gives it; "" when it gives none. */
  readonly baseName: string;
}

/**
 * Reads the rank, alpha, modules and base of a PEFT folder. With `use_rslora` the updates are scaled by
 * alpha / sqrt(rank), so the returned alpha, which is divided by the rank, is larger by sqrt(rank). Throws a
 * `checkpoint` error when the file is missing or asks for more than plain LoRA.
 */
export function readAdapterConfig(directory: string): AdapterConfig {
  const path = join(directory, PEFT_CONFIG);
  const result = configSchema.safeParse(readJsonFile(path));
  if (!result.success) {
    const what = errorMessage(result.error);
    throw new BowlineError("checkpoint", `${path} is not an adapter we can run: ${what}`);
  }
  const { r: rank, lora_alpha, use_rslora, base_model_name_or_path, ...choice } = result.data;
  return {
    rank,
    alpha: use_rslora ? lora_alpha * Math.sqrt(rank) : lora_alpha,
    targetModules: findTargetModules(choice, countAdaptedLayers(directory), path),
    baseName: base_model_name_or_path ?? "",
  };
}

/** Returns the number of layers up to the last one with tensors; at least 1, also while the tensors are missing. */
function countAdaptedLayers(directory: string): number {
  const path = join(directory, ADAPTER_FILE);
  if (!existsSync(path)) return 1;
  const file = new SafetensorsFile(path);
  file.close();
  const layers = [...file.tensors.keys()].map((name) => /\.layers\.(\d+)\./.exec(name)?.[1]);
  return 1 + Math.max(0, ...layers.map(Number).filter(Number.isFinite));
}

/** Returns the content of `adapter_config.json`. `baseName` is the folder or repository of the base. */
export function buildPeftConfig(lora: LoraConfig, baseName: string): Record<string, unknown> {
  return {
    peft_type: "LORA",
    task_type: "CAUSAL_LM",
    base_model_name_or_path: baseName,
    r: lora.rank,
    lora_alpha: lora.alpha,
    target_modules: lora.targetModules,
    lora_dropout: 0,
    bias: "none",
    fan_in_fan_out: false,
    inference_mode: true,
    init_lora_weights: true,
    use_rslora: false,
    use_dora: false,
    modules_to_save: null,
    layers_to_transform: null,
    layers_pattern: null,
    rank_pattern: {},
    alpha_pattern: {},
    revision: null,
  };
}
