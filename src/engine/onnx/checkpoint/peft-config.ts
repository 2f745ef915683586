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
  use_rslora: z.literal(false).nullish(),
  use_dora: z.literal(false).nullish(),
  fan_in_fan_out: z.literal(false).nullish(),
  modules_to_save: z.null().optional(),
  layers_to_transform: z.null().optional(),
  rank_pattern: z.record(z.string(), z.never()).nullish(),
  alpha_pattern: z.record(z.string(), z.never()).nullish(),
});

/** Throws a `checkpoint` error that names the field in which a folder's LoRA options differ from the engine's. */
export function requireSameLora(ours: LoraConfig, directory: string): void {
  const theirs = readPeftConfig(directory);
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

/** Reads the rank, alpha and modules of a PEFT folder. */
function readPeftConfig(directory: string): LoraConfig {
  const path = join(directory, PEFT_CONFIG);
  const result = configSchema.safeParse(readJsonFile(path));
  if (!result.success) {
    const what = z.prettifyError(result.error);
    throw new BowlineError("checkpoint", `${path} is not an adapter we can run: ${what}`);
  }
  const { r, lora_alpha, target_modules } = result.data;
  const targetModules = TARGET_MODULES.filter((name) => target_modules.includes(name));
  return { rank: r, alpha: lora_alpha, targetModules };
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
