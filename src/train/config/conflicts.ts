/** What no single field of a setting can tell, as a sentence that names both sides; undefined when all is well. */

import { didYouMean, isModulePath } from "../../core/index.ts";
import { loraConflict } from "../open/lora.ts";
import { shapeConflict } from "../open/model-shape.ts";
import { remoteConflict, unservedField } from "../open/remote-engine.ts";
import { isPriced } from "../run/budget/usage.ts";
import type { Config } from "./config.ts";
import { groupSizeOf } from "./config.ts";
import { SCAFFOLDS } from "./scaffolds.ts";

export function conflictIn(config: Config): string | undefined {
  return (
    moduleConflict(config) ??
    modelConflict(config) ??
    stragglersConflict(config) ??
    budgetConflict(config) ??
    loraConflict(config) ??
    remoteConflict(config)
  );
}

function modelConflict({ model, scaffold, warm }: Config): string | undefined {
  const shape = shapeConflict(model);
  if (shape !== undefined) return shape;
  if (scaffold.maxTokens > model.contextLength) {
    return `scaffold.maxTokens: expected at most model.contextLength (${model.contextLength}), came ${scaffold.maxTokens}`;
  }
  if (warm.demonstrations > 0 && warm.demonstrations < warm.rows) {
    return `warm.demonstrations: expected 0 or at least warm.rows (${warm.rows}), came ${warm.demonstrations}`;
  }
  return undefined;
}

function stragglersConflict(config: Config): string | undefined {
  const { algo } = config as { algo: { stragglers?: { groupShare: number } | null } };
  if (!algo.stragglers) return undefined;
  const { groupShare } = algo.stragglers;
  const size = groupSizeOf(config);
  if (Math.round(size * groupShare) >= 2) return undefined;
  return `algo.stragglers.groupShare: expected a share that keeps two rollouts of algo.groupSize (${size}), came ${groupShare}`;
}

/** Where a module may stand: what the package has itself, and a name for one's own. */
const OPEN = {
  "engine.name": [["onnx", "tinker"], "engine"],
  "scaffold.name": [SCAFFOLDS, "scaffold"],
  "algo.taskSampling": [["uniform", "mixed-outcomes", "near-half", "variance"], "sampler"],
} as const;

/** One of ours, or a module; a misspelt name of ours is no path. */
function moduleConflict({ engine, scaffold, algo }: Config): string | undefined {
  const asked = {
    "engine.name": engine.name,
    "scaffold.name": scaffold.name,
    "algo.taskSampling": algo.taskSampling,
  };
  for (const [path, [names, kind]] of Object.entries(OPEN)) {
    const name = asked[path as keyof typeof OPEN];
    if (names.some((one) => one === name) || isModulePath(name)) continue;
    return `${path}: expected ${names.join(", ")} or the path of a module, such as ./my-${kind}.ts, came ${JSON.stringify(name)}${didYouMean(name, names)}`;
  }
  return undefined;
}

/** A ceiling on what costs nothing is never reached. */
function budgetConflict({ budget, scaffold }: Config): string | undefined {
  const episodeCost = "episodeCost" in scaffold ? scaffold.episodeCost : null;
  if (episodeCost !== null && (budget === null || !isPriced(budget))) {
    return `scaffold.episodeCost: expected prices beside it (budget.prefillPrice, samplePrice), for ${episodeCost} is never reached when all tokens are free`;
  }
  if (budget === null || budget.ceiling === null || isPriced(budget)) return undefined;
  return `budget.ceiling: expected a price beside it (budget.prefillPrice, samplePrice, trainPrice), for ${budget.ceiling} is never reached when all tokens are free`;
}

/** Fields that were asked for by name and that the rest of the configuration makes somebody else's. */
export function refusedField(config: Config, paths: readonly string[]): string | undefined {
  const shape = paths.find((path) => /^(model|tokenizer)\./.test(path));
  if (config.engine.model !== null && shape !== undefined && shape !== "model.contextLength") {
    return `${shape} cannot be set beside engine.model: shape and tokenizer are those of ${config.engine.model}`;
  }
  return unservedField(config, paths);
}
