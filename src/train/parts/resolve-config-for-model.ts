/**
 * `resolveConfig` for a published model that nobody named a scaffold for: the model's files say which one fits.
 *
 * It reads a folder, so it is not `resolveConfig` itself, which is a function of its arguments alone. What the
 * configuration says afterwards is the choice, so a run knows nothing of how it was made; and a run that was begun goes
 * on as it was.
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
  resolvePhase,
} from "../settings/resolve.ts";
import { chooseScaffold, describeScaffoldChoice } from "./choose-scaffold.ts";
import { openModelDirectory } from "./open-model-directory.ts";

/** A configuration, and in one line which scaffold was chosen where nobody named one. */
export interface ConfigForModel {
  readonly config: Config;
  readonly note?: string;
}

/**
 * As `resolveConfig`, with the scaffold that fits `engine.model` where neither the setting nor an override names one,
 * and with rows no longer than the model's context. `runOf`: where a run of this configuration lies; one that is there
 * keeps its scaffold. Rejects with a `checkpoint` error when the folder is no model.
 */
export async function resolveConfigForModel(
  input: ResolveInput = {},
  runDirectoryOf?: (config: Config) => string,
): Promise<ConfigForModel> {
  requireResolveInput("resolveFitting", input);
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

/** Fields that say which scaffold is meant. */
const FIELDS_OF_A_SCAFFOLD = [
  "scaffold.name",
  "scaffold.maxObservationCharacters",
  "scaffold.maxObservationLines",
  "scaffold.thinking",
];

/** `most`: tokens of a row, where no override says how many. */
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
  runOf: ((config: Config) => string) | undefined,
): Config | undefined {
  if (runOf === undefined) return undefined;
  try {
    const { config, method } = resolvePhase(input);
    const run = runOf(config);
    if (!existsSync(join(run, "run.json"))) return undefined;
    return readRunConfig(run, { name: config.method, method });
  } catch {
    // What is wrong with the configuration or with that run is told by whoever takes them.
    return undefined;
  }
}
