/**
 * Resolves a configuration for a published model, and chooses a scaffold if the user named none.
 *
 * It reads the model's folder, whereas `resolveConfig` depends only on its arguments. The resulting configuration names
 * the chosen scaffold. A run that exists keeps its scaffold.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { openTextDirectory } from "../../text/index.ts";
import type { Config } from "../config/config.ts";
import type { Overrides } from "../config/overrides.ts";
import { readRunConfig } from "../run/run-store.ts";
import { settings } from "../settings/recipes.ts";
import {
  parseResolveInput,
  type ResolveInput,
  requireResolveInput,
  resolveConfig,
  resolveConfigAndMethod,
} from "../settings/resolve.ts";
import { chooseScaffold, describeScaffoldChoice } from "./choose-scaffold.ts";
import { openModelDirectory } from "./open-model-directory.ts";

/** A configuration, and a line that says which scaffold was chosen, unless the user named it. */
export interface ConfigForModel {
  readonly config: Config;
  readonly note?: string;
}

/**
 * Works like `resolveConfig`. It also chooses a scaffold that suits `engine.model`, if neither the setting nor an
 * override names one, and limits conversations to the model's context. `runDirectoryOf` returns the run directory of a
 * configuration. If a run exists there, its scaffold is kept. Rejects with a `checkpoint` error when the folder holds
 * no model.
 */
export async function resolveConfigForModel(
  input: ResolveInput = {},
  runDirectoryOf?: (config: Config) => string,
): Promise<ConfigForModel> {
  requireResolveInput("resolveConfigForModel", input);
  const { setting, given } = parseResolveInput(input);
  const model = given.get("engine.model");
  const named = (settings[setting]?.config.scaffold as { name?: unknown })?.name !== undefined;
  const isNamed = named || FIELDS_OF_A_SCAFFOLD.some((path) => given.has(path));
  if (typeof model !== "string" || isNamed) return { config: resolveConfig(input) };
  const begun = readExistingRunConfig(input, runDirectoryOf);
  if (begun !== undefined) {
    const { name, maxTokens } = begun.scaffold;
    return { config: resolveWithScaffold(input, given, name, maxTokens) };
  }
  const isHere = (given.get("engine.name") ?? "onnx") === "onnx";
  const directory = isHere ? await openModelDirectory(model) : undefined;
  const text = directory ?? openTextDirectory(model);
  const fit = chooseScaffold(text, directory?.config);
  const contextLength = directory?.config.contextLength ?? openTextDirectory(model).contextLength;
  const config = resolveWithScaffold(input, given, fit.name, contextLength);
  return { config, note: describeScaffoldChoice(fit) };
}

/** Fields that reveal which scaffold the user means. */
const FIELDS_OF_A_SCAFFOLD = [
  "scaffold.name",
  "scaffold.maxObservationCharacters",
  "scaffold.maxObservationLines",
  "scaffold.thinking",
];

/**
 * Resolves the configuration with this scaffold. Conversations have at most `maxRowTokens` tokens, unless an override
 * says otherwise.
 */
function resolveWithScaffold(
  input: ResolveInput,
  given: ReadonlyMap<string, unknown>,
  name: string,
  maxRowTokens: number,
): Config {
  const named = { "scaffold.name": name } as Overrides;
  const { recipe = "starter" } = input;
  const own = resolveConfig({ recipe, overrides: named }).scaffold.maxTokens;
  const maxTokens = Math.min(maxRowTokens, Number(given.get("model.contextLength") ?? Infinity));
  const isShorter = !given.has("scaffold.maxTokens") && maxTokens < own;
  const shorter = isShorter ? { "scaffold.maxTokens": maxTokens } : {};
  const overrides = { ...input.overrides, ...named, ...shorter };
  return resolveConfig({ ...input, overrides } as ResolveInput);
}

function readExistingRunConfig(
  input: ResolveInput,
  runDirectoryOf: ((config: Config) => string) | undefined,
): Config | undefined {
  if (runDirectoryOf === undefined) return undefined;
  try {
    const { config, method } = resolveConfigAndMethod(input);
    const run = runDirectoryOf(config);
    if (!existsSync(join(run, "run.json"))) return undefined;
    return readRunConfig(run, { name: config.method, method });
  } catch {
    // If the configuration or the run is wrong, whatever uses it later reports that.
    return undefined;
  }
}
