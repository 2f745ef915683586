/** Finds contradictions between fields of a setting. Each is returned as a sentence that names both fields. */
import { didYouMean, isModulePath } from "../../core/index.ts";
import { type Config, readGroupSize } from "./config.ts";
import { findLoraConflict } from "./lora.ts";
import { findShapeConflict } from "./model-shape.ts";
import { findServerField, findUrlConflict } from "./remote-fields.ts";
import { SCAFFOLDS } from "./scaffolds.ts";
import { isPriced } from "./token-prices.ts";

/** Returns the first contradiction between fields of a configuration; undefined when there is none. */
export function findConflict(config: Config): string | undefined {
  return (
    findUnknownName(config) ??
    findModelConflict(config) ??
    findStragglersConflict(config) ??
    findBudgetConflict(config) ??
    findLoraConflict(config) ??
    findUrlConflict(config)
  );
}

function findModelConflict({ model, scaffold, warm }: Config): string | undefined {
  const shape = findShapeConflict(model);
  if (shape !== undefined) return shape;
  if (scaffold.maxTokens > model.contextLength) {
    return `scaffold.maxTokens: expected at most model.contextLength (${model.contextLength}), got ${scaffold.maxTokens}`;
  }
  if (warm.demonstrations > 0 && warm.demonstrations < warm.rows) {
    return `warm.demonstrations: expected 0 or at least warm.rows (${warm.rows}), got ${warm.demonstrations}`;
  }
  if (warm.auto !== null && warm.demonstrations === 0) {
    return "warm.auto: expected warm.demonstrations above 0, because there is nothing to imitate for longer";
  }
  return undefined;
}

function findStragglersConflict(config: Config): string | undefined {
  const { algo } = config as { algo: { stragglers?: { groupShare: number } | null } };
  if (!algo.stragglers) return undefined;
  const { groupShare } = algo.stragglers;
  const size = readGroupSize(config);
  if (Math.round(size * groupShare) >= 2) return undefined;
  return `algo.stragglers.groupShare: expected a share that keeps two rollouts of algo.groupSize (${size}), got ${groupShare}`;
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

/**
 * Returns an error message when a name is neither a part of the package nor the path of a module; undefined otherwise.
 */
function findUnknownName({ engine, scaffold, algo }: Config): string | undefined {
  const given = {
    "engine.name": engine.name,
    "scaffold.name": scaffold.name,
    "algo.taskSampling": algo.taskSampling,
  };
  for (const [path, [names, kind]] of Object.entries(NAMES_OR_MODULES)) {
    const name = given[path as keyof typeof NAMES_OR_MODULES];
    if (names.some((known) => known === name) || isModulePath(name)) continue;
    return `${path}: expected ${names.join(", ")} or the path of a module, such as ./my-${kind}.ts, got ${JSON.stringify(name)}${didYouMean(name, names)}`;
  }
  return undefined;
}

/**
 * Returns an error message when costs have a ceiling but tokens have no prices, since such a ceiling is never reached.
 */
function findBudgetConflict({ budget, scaffold }: Config): string | undefined {
  const episodeCost = "episodeCost" in scaffold ? scaffold.episodeCost : null;
  if (episodeCost !== null && (budget === null || !isPriced(budget))) {
    return `scaffold.episodeCost: expected prices as well (budget.prefillPrice, samplePrice), since ${episodeCost} is never reached when all tokens are free`;
  }
  if (budget === null || budget.ceiling === null || isPriced(budget)) return undefined;
  return `budget.ceiling: expected a price as well (budget.prefillPrice, samplePrice, trainPrice), since ${budget.ceiling} is never reached when all tokens are free`;
}

/** Returns an error message when the user set a field that other fields decide; undefined otherwise. */
export function findDecidedField(config: Config, paths: readonly string[]): string | undefined {
  const shape = paths.find((path) => /^(model|tokenizer)\./.test(path));
  if (config.engine.model !== null && shape !== undefined && shape !== "model.contextLength") {
    return `${shape} cannot be set together with engine.model: ${config.engine.model} decides the shape and the tokenizer`;
  }
  return findServerField(config, paths);
}
