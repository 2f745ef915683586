/** Reads and writes `adapter_config.json` as PEFT writes it for plain LoRA. */
import { join } from "node:path";
import { z } from "zod";
import { BowlineError } from "../../../core/index.ts";
import { TARGET_MODULES } from "../../../spec/index.ts";
import type { LoraConfig } from "../model/index.ts";
import { readJsonFile } from "./json-file.ts";

export const PEFT_CONFIG = "adapter_config.json";

/** Options of PEFT beyond plain LoRA are rejected by name and never ignored. */
const configSchema = z.looseObject({
  peft_type: z.literal("LORA"),
  base_model_name_or_path: z.string().nullish(),
  r: z.number().int().positive(),
  lora_alpha: z.number().positive(),
  // PEFT writes names, or whole paths for "all-linear". The tensors show that no layer is left out.
  target_modules: z
    .array(
      z
        .string()
        .transform((path) => path.split(".").at(-1))
        .pipe(z.enum(TARGET_MODULES)),
    )
    .min(1),
  bias: z.literal("none").default("none"),
  use_rslora: z.boolean().nullish(),
  use_dora: z.literal(false).nullish(),
  fan_in_fan_out: z.literal(false).nullish(),
  modules_to_save: z.null().optional(),
  layers_to_transform: z.null().optional(),
  rank_pattern: z.record(z.string(), z.never()).nullish(),
  alpha_pattern: z.record(z.string(), z.never()).nullish(),
});

/** Throws a `checkpoint` error that names the field in which a folder's LoRA options differ from the engine's. */
export function requireSameLora(ours: LoraConfig, directory: string): void {
  const theirs = readAdapterConfig(directory);
  const fields = ["rank", "alpha", "targetModules"] as const;
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
    const what = z.prettifyError(result.error);
    throw new BowlineError("checkpoint", `${path} is not an adapter we can run: ${what}`);
  }
  const { r, lora_alpha, use_rslora, target_modules, base_model_name_or_path } = result.data;
  return {
    rank: r,
    alpha: use_rslora ? lora_alpha * Math.sqrt(r) : lora_alpha,
    targetModules: TARGET_MODULES.filter((name) => target_modules.includes(name)),
    baseName: base_model_name_or_path ?? "",
  };
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
