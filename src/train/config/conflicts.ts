/**
 * Finds contradictions between fields of a setting. Each is returned as a sentence that names both fields, with the
 * values that cure it where they are known.
 */
import { didYouMean, isModulePath, nearestWord, type Refusal } from "../../core/index.ts";
import { type Config, readGroupSize } from "./config.ts";
import { findLoraConflict } from "./lora.ts";
import { findShapeConflict } from "./model-shape.ts";
import { findServerField, findUrlConflict } from "./remote-fields.ts";
import { SCAFFOLDS } from "./scaffolds.ts";
import { isPriced } from "./token-prices.ts";

/** Returns the first contradiction between fields of a configuration; undefined when there is none. */
export function findConflict(config: Config): Refusal | undefined {
  return (
    findUnknownName(config) ??
    findModelConflict(config) ??
    findStragglersConflict(config) ??
    findBudgetConflict(config) ??
    findLoraConflict(config) ??
    findUrlConflict(config)
  );
}

function findModelConflict({ model, scaffold, warm }: Config): Refusal | undefined {
  const shape = findShapeConflict(model);
  if (shape !== undefined) return shape;
  if (scaffold.maxTokens > model.contextLength) {
    return {
      sentence: `scaffold.maxTokens: expected at most model.contextLength (${model.contextLength}), got ${scaffold.maxTokens}`,
      cure: { "model.contextLength": scaffold.maxTokens },
    };
  }
  if (warm.demonstrations > 0 && warm.demonstrations < warm.rows) {
    return {
      sentence: `warm.demonstrations: expected 0 or at least warm.rows (${warm.rows}), got ${warm.demonstrations}`,
      cure: { "warm.rows": warm.demonstrations },
    };
  }
  if (warm.auto !== null && warm.demonstrations === 0) {
    const sentence =
      "warm.auto: expected warm.demonstrations above 0, because there is nothing to imitate for longer";
    return { sentence, cure: { "warm.auto": "null" } };
  }
  return undefined;
}

function findStragglersConflict(config: Config): Refusal | undefined {
  const { algo } = config as { algo: { stragglers?: { groupShare: number } | null } };
  if (!algo.stragglers) return undefined;
  const { groupShare } = algo.stragglers;
  const size = readGroupSize(config);
  if (Math.round(size * groupShare) >= 2) return undefined;
  return {
    sentence: `algo.stragglers.groupShare: expected a share that keeps two rollouts of algo.groupSize (${size}), got ${groupShare}`,
    cure: { "algo.stragglers.groupShare": Math.ceil(200 / size) / 100 },
  };
}

/**
 * The fields whose value names a part of the package or a user's module: the package's names, and what such a module is
 * called.
 */
const NAMES_OR_MODULES = {
  "engine.name": [["onnx", "tinker"], "engine"],
  "scaffold.name": [SCAFFOLDS, "scaffold"],
  "algo.taskSampling": [["uniform", "mixed-outcomes", "near-half", "variance"], "sampler"],
} as const;

/** Returns a refusal when a name is neither a part of the package nor the path of a module; undefined otherwise. */
function findUnknownName({ engine, scaffold, algo }: Config): Refusal | undefined {
  const given = {
    "engine.name": engine.name,
    "scaffold.name": scaffold.name,
    "algo.taskSampling": algo.taskSampling,
  };
  for (const [path, [names, kind]] of Object.entries(NAMES_OR_MODULES)) {
    const name = given[path as keyof typeof NAMES_OR_MODULES];
    if (names.some((known) => known === name) || isModulePath(name)) continue;
    const near = nearestWord(name, names);
    return {
      sentence: `${path}: expected ${names.join(", ")} or the path of a module, such as ./my-${kind}.ts, got ${JSON.stringify(name)}${didYouMean(name, names)}`,
      ...(near !== undefined && { cure: { [path]: near } }),
    };
  }
  return undefined;
}

/** Returns a refusal when costs have a ceiling but tokens have no prices, since such a ceiling is never reached. */
function findBudgetConflict({ budget, scaffold }: Config): Refusal | undefined {
  const episodeCost = "episodeCost" in scaffold ? scaffold.episodeCost : null;
  if (episodeCost !== null && (budget === null || !isPriced(budget))) {
    return {
      sentence: `scaffold.episodeCost: expected prices as well (budget.prefillPrice, samplePrice), since ${episodeCost} is never reached when all tokens are free`,
      cure: { "scaffold.episodeCost": "null" },
    };
  }
  if (budget === null || budget.ceiling === null || isPriced(budget)) return undefined;
  return {
    sentence: `budget.ceiling: expected a price as well (budget.prefillPrice, samplePrice, trainPrice), since ${budget.ceiling} is never reached when all tokens are free`,
    cure: { "budget.ceiling": "null" },
  };
}

/** Returns a refusal when the user set a field that other fields decide; undefined otherwise. */
export function findDecidedField(config: Config, paths: readonly string[]): Refusal | undefined {
  const shape = paths.find((path) => /^(model|tokenizer)\./.test(path));
  if (config.engine.model !== null && shape !== undefined && shape !== "model.contextLength") {
    return {
      sentence: `${shape} cannot be set together with engine.model: ${config.engine.model} decides the shape and the tokenizer`,
      cure: { [shape]: null },
    };
  }
  return findServerField(config, paths);
}
