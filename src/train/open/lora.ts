/** The configuration's LoRA fields, in which modules are one text, to what an engine takes. */
import { nearest } from "../core/index.ts";
import { type LoraOptions, TARGET_MODULES, type TargetModule } from "../spec/index.ts";
import type { Config } from "./config.ts";

/** Undefined: all weights are trained. */
export function loraOf({
  rank,
  alpha,
  targetModules,
}: Config["engine"]["lora"]): LoraOptions | undefined {
  if (rank === 0) return undefined;
  if (targetModules.trim() === "all-linear") return { rank, alpha, targetModules: "all-linear" };
  const names = modulesIn(targetModules);
  return { rank, alpha, targetModules: TARGET_MODULES.filter((name) => names.includes(name)) };
}

/** What is wrong with the fields, as a sentence; undefined when all is well. */
export function loraConflict({ engine, model }: Config): string | undefined {
  const { rank, targetModules } = engine.lora;
  if (engine.model === null && rank > model.hiddenSize) {
    return `engine.lora.rank: expected at most model.hiddenSize (${model.hiddenSize}), came ${rank}`;
  }
  if (targetModules.trim() === "all-linear") return undefined;
  const wrong = modulesIn(targetModules).find((name) => !isTarget(name));
  if (wrong === undefined) return undefined;
  const near = nearest(wrong, TARGET_MODULES);
  return `engine.lora.targetModules: expected all-linear or some of ${TARGET_MODULES.join(", ")}, came ${JSON.stringify(wrong)}${near ? ` (did you mean ${near}?)` : ""}`;
}

function modulesIn(text: string): string[] {
  return text.split(",").map((name) => name.trim());
}

function isTarget(name: string): name is TargetModule {
  return (TARGET_MODULES as readonly string[]).includes(name);
}
