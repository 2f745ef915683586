/**
 * Resolves a configuration for a published model, and chooses a scaffold if the user named none.
 *
 * It reads the model's folder, whereas `resolveConfig` depends only on its arguments. The resulting configuration names
 * the chosen scaffold. A run that exists keeps its scaffold.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ModuleOrigin } from "../../core/index.ts";
import type { ModelConfig } from "../../engine/index.ts";
import { openTextDirectory, type TextDirectory } from "../../text/index.ts";
import { type Config, configLeaves } from "../config/config.ts";
import { requireTrustedFields } from "../config/module-fields.ts";
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
import { openStartingPolicy, requireNoContradiction } from "./starting-policy.ts";

/** A configuration, and a line that says which scaffold was chosen, unless the user named it. */
export interface ConfigForModel {
  readonly config: Config;
  readonly note?: string;
}

/**
 * Works like `resolveConfig`. It also chooses a scaffold that suits `engine.model`, if neither the setting nor an
 * override names one, and limits conversations to the model's context. It fills in the fields that a policy to start
 * from (`warm.policy`) decides, and throws a `config` error when an override contradicts them. `runDirectoryOf` returns
 * the run directory of a configuration. If a run exists there, its scaffold is kept. Rejects with a `checkpoint` error
 * when the folder holds no model.
 */
export async function resolveConfigForModel(
  input: ResolveInput = {},
  runDirectoryOf?: (config: Config) => string,
): Promise<ConfigForModel> {
  requireResolveInput("resolveConfigForModel", input);
  const { given } = parseResolveInput(input);
  const policy = given.get("warm.policy");
  if (typeof policy === "string") return resolveForPolicy(input, policy, runDirectoryOf);
  const model = given.get("engine.model");
  if (typeof model !== "string" || isScaffoldNamed(input)) return { config: resolveConfig(input) };
  return resolveWithFittingScaffold(input, runDirectoryOf, async () => {
    const isHere = (given.get("engine.name") ?? "onnx") === "onnx";
    if (isHere) return openModelDirectory(model);
    return { ...openTextDirectory(model), config: undefined };
  });
}

/**
 * Resolves the configuration of a run that starts from a policy. The policy decides the fields of its weights. It takes
 * the place of demonstrations, unless some are asked for. A run's policy keeps its scaffold.
 */
async function resolveForPolicy(
  input: ResolveInput,
  policy: string,
  runDirectoryOf: RunDirectoryOf,
): Promise<ConfigForModel> {
  const { given } = parseResolveInput(input);
  if (!existsSync(policy)) {
    // An existing run can be shown when the policy is gone.
    const begun = readExistingRunConfig(input, runDirectoryOf);
    if (begun?.config.warm.policy === policy) {
      return { config: resolveConfig(withFields(input, begun)) };
    }
  }
  const model = given.get("engine.model") as string | null | undefined;
  const { decided, defaults, origin, source } = await openStartingPolicy(policy, model);
  requireNoContradiction(decided, policy, given);
  const namesScaffold = isScaffoldGiven(given) || scaffoldOfSetting(input) === "agent";
  const kept = [...defaults, ["warm.demonstrations", 0] as const].filter(
    ([path]) => !given.has(path) && !(namesScaffold && path.startsWith("scaffold.")),
  );
  requireTrustedFields(
    [...kept, ...decided].filter(([path]) => !given.has(path)),
    origin,
  );
  const filled = withOverrides(input, kept, [...decided]);
  if (source.from !== "directory" || defaults.size > 0 || isScaffoldNamed(input)) {
    return { config: resolveConfig(filled) };
  }
  const { directory } = source;
  return resolveWithFittingScaffold(filled, runDirectoryOf, async () => directory);
}

type RunDirectoryOf = ((config: Config) => string) | undefined;

/** Returns the input with fields that count less, and fields that count more, than its own overrides. */
function withOverrides(
  input: ResolveInput,
  before: readonly (readonly [string, unknown])[],
  after: readonly (readonly [string, unknown])[],
): ResolveInput {
  const overrides = {
    ...Object.fromEntries(before),
    ...input.overrides,
    ...Object.fromEntries(after),
  };
  return { ...input, overrides } as ResolveInput;
}

/** Returns the input with the engine, the model's shape and the scaffold of an existing run. */
function withFields(input: ResolveInput, { config: begun, origin }: ExistingRun): ResolveInput {
  const { given } = parseResolveInput(input);
  const leaves = [...configLeaves(begun)];
  const isShape = (path: string) => path.startsWith("model.") && path !== "model.contextLength";
  const before = leaves.filter(
    ([path]) =>
      /^(engine|model|scaffold|warm)\./.test(path) &&
      (begun.engine.model === null || !isShape(path)),
  );
  requireTrustedFields(
    before.filter(([path]) => !given.has(path)),
    origin,
  );
  return withOverrides(input, before, []);
}

/** Returns true if the setting or an override names a scaffold, or a field that only one scaffold has. */
function isScaffoldNamed(input: ResolveInput): boolean {
  return scaffoldOfSetting(input) !== undefined || isScaffoldGiven(parseResolveInput(input).given);
}

function scaffoldOfSetting(input: ResolveInput): unknown {
  const { setting } = parseResolveInput(input);
  return (settings[setting]?.config.scaffold as { name?: unknown })?.name;
}

function isScaffoldGiven(given: ReadonlyMap<string, unknown>): boolean {
  return FIELDS_OF_A_SCAFFOLD.some((path) => given.has(path));
}

/** Resolves the configuration with the scaffold of an existing run, or else one that suits the model. */
async function resolveWithFittingScaffold(
  input: ResolveInput,
  runDirectoryOf: RunDirectoryOf,
  openModel: () => Promise<
    Pick<TextDirectory, "tokenizer" | "hasChatTemplate"> & {
      readonly config: ModelConfig | undefined;
      readonly contextLength?: number;
    }
  >,
): Promise<ConfigForModel> {
  const { given } = parseResolveInput(input);
  const begun = readExistingRunConfig(input, runDirectoryOf);
  if (begun !== undefined) {
    const { name, maxTokens } = begun.config.scaffold;
    requireTrustedFields([["scaffold.name", name]], begun.origin);
    return { config: resolveWithScaffold(input, given, name, maxTokens) };
  }
  const model = await openModel();
  const fit = chooseScaffold(model, model.config);
  const contextLength = model.config?.contextLength ?? model.contextLength ?? Infinity;
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

/** The configuration of a run that exists, and the origin of the modules that it names. */
interface ExistingRun {
  readonly config: Config;
  readonly origin: ModuleOrigin;
}

function readExistingRunConfig(
  input: ResolveInput,
  runDirectoryOf: RunDirectoryOf,
): ExistingRun | undefined {
  if (runDirectoryOf === undefined) return undefined;
  try {
    const { config, method } = resolveConfigAndMethod(input);
    const run = runDirectoryOf(config);
    if (!existsSync(join(run, "run.json"))) return undefined;
    return {
      config: readRunConfig(run, { name: config.method, method }),
      origin: { by: "file", file: join(run, "run.json"), subject: run },
    };
  } catch {
    // If the configuration or the run is wrong, whatever uses it later reports that.
    return undefined;
  }
}
