/** Finds the policy to evaluate or use, with its configuration. A policy is a run's checkpoint or a published model. */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { BowlineError, didYouMean, errorMessage, isFile, readJson } from "../../core/index.ts";
import { loop, type MemoryStore, type Method } from "../../methods/index.ts";
import type { Config } from "../config/config.ts";
import { loadStoredConfigAndMethod } from "../config/parse-config.ts";
import type { ConfigAndMethod } from "../config/stages.ts";
import { loadOwnScaffold, type MakeScaffold } from "../parts/agent.ts";
import { chooseScaffold, describeScaffoldChoice } from "../parts/choose-scaffold.ts";
import {
  findCheckpointSource,
  type ModelSource,
  useDirectoryAsSource,
} from "../parts/model-source.ts";
import { openModelDirectory } from "../parts/open-model-directory.ts";
import type { OwnParts } from "../parts/own-parts.ts";
import type { PolicyRecord } from "../run/checkpoint.ts";
import { requireRecordVersion } from "../run/run-record.ts";
import { resolveConfig } from "../settings/resolve.ts";

/** The names of policies without weights. Their results are for comparison. */
export const SCRIPTED_POLICIES = ["solution", "noop", "random", "nearest"] as const;

/** A policy with the configuration, method and scaffold with which it acts. */
export interface EvaluatedPolicy {
  readonly config: Config;
  readonly method: Method;
  /** The user's own scaffold; undefined if the policy uses one of the package. */
  readonly scaffold?: MakeScaffold | undefined;
  /** The source of the weights; absent for a policy without weights. */
  readonly source?: ModelSource;
  /** The checkpoint of a run; absent for a published model. */
  readonly checkpoint?: string;
  /** The policy's memory of earlier episodes, if its method has one. */
  readonly memory?: MemoryStore;
  /** Says which scaffold was chosen; absent if the user named one. */
  readonly note?: string;
}

/** Options that say how to use a policy. */
export interface EvaluatedPolicyOptions extends Pick<OwnParts, "engine"> {
  /**
   * A scaffold's name, a module's path, or a function. The default is the scaffold of training, or one that suits the
   * model.
   */
  readonly scaffold?: MakeScaffold | string;
  readonly world?: unknown;
}

/**
 * Finds a policy with weights. `calledFunction` is the function that the user called. Errors about missing parts name
 * it.
 */
export async function findPolicy(
  policy: string,
  options: EvaluatedPolicyOptions,
  calledFunction: "evaluate" | "loadPolicy",
): Promise<EvaluatedPolicy & { readonly source: ModelSource }> {
  if (calledFunction === "loadPolicy" && !existsSync(policy)) {
    throw new BowlineError(
      "config",
      `unknown policy ${policy}: expected a run, a checkpoint, or the folder or GGUF file of a model`,
    );
  }
  const found = isPublishedModel(policy)
    ? await openPublishedModel(policy, options.scaffold)
    : await openTrainedPolicy(policy, options, calledFunction);
  const { scaffold } = options;
  return typeof scaffold === "function" ? { ...found, scaffold } : found;
}

/**
 * Returns true for a file, which should be GGUF, and for a model's folder. A folder with `policy.json` is a checkpoint
 * instead.
 */
function isPublishedModel(path: string): boolean {
  if (isFile(path)) return true;
  return existsSync(join(path, "config.json")) && !existsSync(join(path, "policy.json"));
}

/**
 * Opens a published model. The scaffold is the requested one, or one that suits the model, with limits that fit its
 * context.
 */
async function openPublishedModel(
  path: string,
  scaffoldOption: EvaluatedPolicyOptions["scaffold"],
) {
  const directory = await openModelDirectory(path);
  const fit = chooseScaffold(directory, directory.config);
  const config = await withScaffold(
    resolveConfig(),
    typeof scaffoldOption === "string" ? scaffoldOption : fit.name,
    directory.config.contextLength,
  );
  return {
    config: { ...config, engine: { ...config.engine, model: path } },
    method: loop,
    source: useDirectoryAsSource(directory, config),
    scaffold: await loadOwnScaffold(config),
    ...(scaffoldOption === undefined && { note: describeScaffoldChoice(fit) }),
  };
}

async function openTrainedPolicy(policy: string, options: EvaluatedPolicyOptions, asker: string) {
  const checkpoint = findCheckpoint(policy);
  const phase = await readCheckpointConfig(checkpoint);
  const { memory, given = [] } = readJson(join(checkpoint, "policy.json")) as PolicyRecord;
  requireOwnParts(given, { ...options, policy }, asker);
  const source = await findCheckpointSource(phase.config, checkpoint);
  const asked = typeof options.scaffold === "string" ? options.scaffold : undefined;
  const { contextLength } =
    source.from === "directory" ? source.directory.config : phase.config.model;
  const config =
    asked === undefined ? phase.config : await withScaffold(phase.config, asked, contextLength);
  const scaffold = await loadOwnScaffold(config);
  return { ...phase, config, scaffold, checkpoint, source, ...(memory && { memory }) };
}

/** Returns the configuration with another scaffold and its limits. `contextLength` is the maximum number of tokens. */
async function withScaffold(config: Config, name: string, contextLength: number): Promise<Config> {
  const other =
    name === config.scaffold.name
      ? config
      : resolveConfig({ overrides: { "scaffold.name": name } });
  const { scaffold, model } = other;
  const longest = Math.max(config.model.contextLength, model.contextLength);
  return {
    ...config,
    scaffold: { ...scaffold, maxTokens: Math.min(scaffold.maxTokens, contextLength) },
    model: { ...config.model, contextLength: Math.min(longest, contextLength) },
  };
}

/** Throws when the policy was trained with a user's own scaffold or engine that the options lack. */
function requireOwnParts(
  given: readonly string[],
  options: EvaluatedPolicyOptions & { readonly policy: string },
  asker: string,
): void {
  const missing = (["scaffold", "engine", "world"] as const).find(
    (name) => given.includes(name) && options[name] === undefined,
  );
  if (missing === undefined) return;
  throw new BowlineError(
    "config",
    `${options.policy} was trained with a ${missing} of your own, passed to train(): pass it to ${asker}({ ${missing} }) too`,
  );
}

/** Reads a checkpoint's configuration and method. Throws a `checkpoint` error when it is incomplete. */
export async function readCheckpointConfig(checkpoint: string): Promise<ConfigAndMethod> {
  try {
    const path = join(checkpoint, "policy.json");
    const record = readJson(path) as { config: unknown };
    requireRecordVersion(record, path);
    return await loadStoredConfigAndMethod(record.config);
  } catch (cause) {
    throw new BowlineError(
      "checkpoint",
      `${checkpoint} is not a complete checkpoint: ${errorMessage(cause)}`,
      {
        cause,
      },
    );
  }
}

/**
 * Returns the checkpoint folder, which has a `policy.json`: `path` itself, or the newest checkpoint of the run at
 * `path`.
 */
export function findCheckpoint(path: string): string {
  const isFolder = existsSync(path) && statSync(path).isDirectory();
  const candidates = ["", "checkpoints/final", "checkpoints/latest", "checkpoints/warm"];
  const found = candidates
    .map((name) => join(path, name))
    .find((folder) => existsSync(join(folder, "policy.json")));
  if (found !== undefined) return found;
  throw new BowlineError(
    isFolder ? "checkpoint" : "config",
    isFolder
      ? `${path} holds no checkpoint: expected a checkpoint or run directory, or a model's folder`
      : `unknown policy ${path}${didYouMean(path, SCRIPTED_POLICIES)}: expected a checkpoint or run directory, the folder or GGUF file of a model, ${SCRIPTED_POLICIES.join(", ")}`,
  );
}
