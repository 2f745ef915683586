/**
 * Turns the LoRA fields of a configuration into the options of an engine. The configuration has the modules as one
 * text.
 */
import { didYouMean, nearestWord, type Refusal } from "../../core/index.ts";
import { type LoraOptions, TARGET_MODULES, type TargetModule } from "../../spec/index.ts";
import type { Config } from "./config.ts";

type EngineConfig = Config["engine"];
type LoraConfig = Extract<EngineConfig, { name: "onnx" | "tinker" }>["lora"];

/**
 * Returns the engine's LoRA options; undefined when all weights are trained. A server uses its own alpha and modules.
 */
export function toLoraOptions(lora: LoraConfig): LoraOptions | undefined {
  if (lora === null) return undefined;
  if (!("alpha" in lora)) return { rank: lora.rank, alpha: 16, targetModules: "all-linear" };
  const { rank, alpha, targetModules } = lora;
  if (targetModules.trim() === "all-linear") return { rank, alpha, targetModules: "all-linear" };
  const names = splitModuleNames(targetModules);
  return { rank, alpha, targetModules: TARGET_MODULES.filter((name) => names.includes(name)) };
}

/** The fields of `engine.lora` with which the onnx engine has these options. */
export interface LoraFields {
  readonly rank: number;
  readonly alpha: number;
  readonly targetModules: string;
}

/** Returns the fields of `engine.lora` with which an engine has these options. */
export function toLoraFields({ rank, alpha, targetModules }: LoraOptions): LoraFields {
  const isAll = targetModules === "all-linear" || targetModules.length === TARGET_MODULES.length;
  return { rank, alpha, targetModules: isAll ? "all-linear" : targetModules.join(",") };
}

/** Returns a refusal when a LoRA field is wrong; undefined otherwise. */
export function findLoraConflict({ engine, model }: Config): Refusal | undefined {
  const lora = "lora" in engine ? engine.lora : null;
  if (lora === null) {
    if (!("base" in engine) || engine.base === "f32") return undefined;
    return {
      sentence: `engine.base: ${engine.base} freezes the weights, so that only LoRA can train; set engine.lora, or engine.base to f32`,
      cure: { "engine.base": "f32" },
    };
  }
  const { rank } = lora;
  if (engine.model === null && rank > model.hiddenSize) {
    return {
      sentence: `engine.lora.rank: expected at most model.hiddenSize (${model.hiddenSize}), got ${rank}`,
      cure: { "engine.lora.rank": model.hiddenSize },
    };
  }
  const targetModules = "targetModules" in lora ? String(lora.targetModules) : "all-linear";
  if (targetModules.trim() === "all-linear") return undefined;
  const names = splitModuleNames(targetModules);
  const wrong = names.find((name) => !isTargetModule(name));
  if (wrong === undefined) return undefined;
  const near = nearestWord(wrong, TARGET_MODULES);
  const mended = names.map((name) => (name === wrong ? near : name)).join(",");
  const sentence = `engine.lora.targetModules: expected all-linear, or a list of modules from ${TARGET_MODULES.join(", ")}; got ${JSON.stringify(wrong)}${didYouMean(wrong, TARGET_MODULES)}`;
  return { sentence, ...(near !== undefined && { cure: { "engine.lora.targetModules": mended } }) };
}

function splitModuleNames(text: string): string[] {
  return text.split(",").map((name) => name.trim());
}

function isTargetModule(name: string): name is TargetModule {
  return (TARGET_MODULES as readonly string[]).includes(name);
}
