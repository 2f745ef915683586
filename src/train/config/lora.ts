/** The configuration's LoRA fields, in which modules are one text, to what an engine takes. */
import { didYouMean } from "../../core/index.ts";
import { type LoraOptions, TARGET_MODULES, type TargetModule } from "../../spec/index.ts";
import type { Config } from "./config.ts";

type Engine = Config["engine"];
type Lora = Extract<Engine, { name: "onnx" | "tinker" }>["lora"];

/** Undefined: all weights are trained. A server has an alpha and modules of its own. */
export function loraOptions(lora: Lora): LoraOptions | undefined {
  if (lora === null) return undefined;
  if (!("alpha" in lora)) return { rank: lora.rank, alpha: 16, targetModules: "all-linear" };
  const { rank, alpha, targetModules } = lora;
  if (targetModules.trim() === "all-linear") return { rank, alpha, targetModules: "all-linear" };
  const names = modulesIn(targetModules);
  return { rank, alpha, targetModules: TARGET_MODULES.filter((name) => names.includes(name)) };
}

/** What is wrong with the fields, as a sentence; undefined when all is well. */
export function findLoraConflict({ engine, model }: Config): string | undefined {
  const lora = "lora" in engine ? engine.lora : null;
  if (lora === null) return undefined;
  const { rank } = lora;
  if (engine.model === null && rank > model.hiddenSize) {
    return `engine.lora.rank: expected at most model.hiddenSize (${model.hiddenSize}), got ${rank}`;
  }
  const targetModules = "targetModules" in lora ? String(lora.targetModules) : "all-linear";
  if (targetModules.trim() === "all-linear") return undefined;
  const wrong = modulesIn(targetModules).find((name) => !isTarget(name));
  if (wrong === undefined) return undefined;
  return `engine.lora.targetModules: expected all-linear or some of ${TARGET_MODULES.join(", ")}, got ${JSON.stringify(wrong)}${didYouMean(wrong, TARGET_MODULES)}`;
}

function modulesIn(text: string): string[] {
  return text.split(",").map((name) => name.trim());
}

function isTarget(name: string): name is TargetModule {
  return (TARGET_MODULES as readonly string[]).includes(name);
}
