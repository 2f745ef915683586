/**
 * Low-rank adaptation (Hu et al. 2021, arXiv 2106.09685): projections y = x W' become x W' + alpha/rank * (x A') B'.
 *
 * A is (rank, in), B is (out, rank), as in PEFT, and W is frozen. Options name projections as PEFT's `target_modules`
 * does. Embeddings, the head and norms are never adapted.
 */
import { z } from "zod";
import { BowlineError, errorMessage } from "../../../core/index.ts";
import { type LoraOptions, TARGET_MODULES, type TargetModule } from "../../../spec/index.ts";
import type { ModelConfig } from "./config.ts";

/** Checked LoRA options. Each module appears once, in the order of `TARGET_MODULES`. */
export interface LoraConfig extends LoraOptions {
  readonly targetModules: readonly TargetModule[];
}

const optionsSchema = z.strictObject({
  rank: z.number().int().positive(),
  alpha: z.number().positive(),
  targetModules: z.union([z.literal("all-linear"), z.array(z.enum(TARGET_MODULES)).min(1)]),
});

/** Checks untrusted LoRA options. Throws a `config` error that names the field. */
export function parseLoraOptions(options: unknown, model: ModelConfig): LoraConfig {
  const result = optionsSchema.safeParse(options);
  if (!result.success) {
    throw new BowlineError("config", `not LoRA options: ${errorMessage(result.error)}`);
  }
  const { rank, alpha, targetModules } = result.data;
  if (rank > model.hiddenSize) {
    throw new BowlineError(
      "config",
      `engine.lora.rank must be at most the model's hiddenSize, ${model.hiddenSize}, but it is ${rank}`,
    );
  }
  const wanted = targetModules === "all-linear" ? TARGET_MODULES : targetModules;
  return Object.freeze({
    rank,
    alpha,
    targetModules: TARGET_MODULES.filter((name) => wanted.includes(name)),
  });
}

/** Returns the factor of (x A') B'. */
export function loraScale({ alpha, rank }: LoraConfig): number {
  return alpha / rank;
}

/** The groups of projections that read the same input, named as in `LayerWeights`. */
export const PROJECTION_GROUPS = {
  qkv: ["q_proj", "k_proj", "v_proj"],
  output: ["o_proj"],
  gateUp: ["gate_proj", "up_proj"],
  down: ["down_proj"],
} as const satisfies Record<string, readonly TargetModule[]>;
export type ProjectionGroup = keyof typeof PROJECTION_GROUPS;

/** Returns the path of a module inside its block, such as `self_attn.q_proj`. */
export function modulePath(module: TargetModule): string {
  const inAttention = ["q_proj", "k_proj", "v_proj", "o_proj"].includes(module);
  return `${inAttention ? "self_attn" : "mlp"}.${module}`;
}

/** Returns [out, in], the shape of a projection's weight. */
export function moduleShape(config: ModelConfig, module: TargetModule): readonly [number, number] {
  const { hiddenSize, intermediateSize, headSize } = config;
  const [query, key] = [config.heads * headSize, config.kvHeads * headSize];
  switch (module) {
    case "q_proj":
      return [query, hiddenSize];
    case "k_proj":
    case "v_proj":
      return [key, hiddenSize];
    case "o_proj":
      return [hiddenSize, query];
    case "gate_proj":
    case "up_proj":
      return [intermediateSize, hiddenSize];
    case "down_proj":
      return [hiddenSize, intermediateSize];
    default:
      return module satisfies never;
  }
}
