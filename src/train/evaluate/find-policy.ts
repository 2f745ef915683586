/** Finds the policy to evaluate or use, which is a run's checkpoint, an adapter or a model, with its configuration. */
import { join } from "node:path";
import {
  assert,
  BowlineError,
  errorMessage,
  isTrustError,
  type ModuleOrigin,
  readJson,
  THIS_CALL,
} from "../../core/index.ts";
import { loop, type MemoryStore, type Method } from "../../methods/index.ts";
import type { Config } from "../config/config.ts";
import { toLoraFields } from "../config/lora.ts";
import { describeEdits } from "../config/module-fields.ts";
import { loadStoredConfigAndMethod } from "../config/parse-config.ts";
import type { ConfigAndMethod } from "../config/stages.ts";
import { loadOwnScaffold, type MakeScaffold } from "../parts/agent.ts";
import { chooseScaffold, describeScaffoldChoice } from "../parts/choose-scaffold.ts";
import {
  findCheckpointSource,
  type ModelSource,
  useDirectoryAsSource,
} from "../parts/model-source.ts";
import { openAdapter, openAdapterBase } from "../parts/open-adapter.ts";
import { type ModelDirectory, openModelDirectory } from "../parts/open-model-directory.ts";
import type { OwnParts } from "../parts/own-parts.ts";
import type { PolicyWithWeights } from "../policy/recognise-policy.ts";
import type { PolicyRecord } from "../run/checkpoint.ts";
import { requireRecordVersion } from "../run/run-record.ts";
import { resolveConfig } from "../settings/resolve.ts";

/** A policy with the configuration, method and scaffold with which it acts. */
export interface EvaluatedPolicy {
  readonly config: Config;
  readonly method: Method;
  /** Who named the modules of the configuration: a file of the policy, or this call. */
  readonly origin: ModuleOrigin;
  /** The user's own scaffold; undefined if the policy uses one of the package. */
  readonly scaffold?: MakeScaffold | undefined;
  /** The source of the weights; absent for a policy without weights. */
  readonly source?: ModelSource;
  /** The checkpoint of a run; absent for a published model and for an adapter. */
  readonly checkpoint?: string;
  /** The folder that is loaded onto the model of `source`: a checkpoint's weights, or an adapter. */
  readonly weights?: string;
  /** The policy's memory of earlier episodes, if its method has one. */
  readonly memory?: MemoryStore;
  /** Says which base an adapter has, and which scaffold was chosen if nobody named one. */
  readonly notes?: readonly string[];
}

/** Options that say how to use a policy. */
export interface EvaluatedPolicyOptions extends Pick<OwnParts, "engine" | "method"> {
  /**
   * A scaffold's name, a module's path, or a function. The default is the scaffold of training, or one that suits the
   * model.
   */
  readonly scaffold?: MakeScaffold | string;
  /** The folder or GGUF file of an adapter's base. The default is what the adapter names, if it is on this machine. */
  readonly base?: string | undefined;
  readonly world?: unknown;
}

/** A policy with the source of its weights. */
export type FoundPolicy = EvaluatedPolicy & { readonly source: ModelSource };

/** A policy's weights with the configuration that an engine needs for them, without a scaffold. */
export type PolicyWeights = Omit<FoundPolicy, "scaffold">;

/**
 * Finds a policy with weights. `calledFunction` is the function that the user called. Errors about missing parts name
 * it.
 */
export async function findPolicy(
  policy: PolicyWithWeights,
  options: EvaluatedPolicyOptions,
  calledFunction: "evaluate" | "loadPolicy",
): Promise<FoundPolicy> {
  const { scaffold } = options;
  const weights = await findPolicyWeights(policy, options.base, options.method);
  requireOwnParts(weights, { ...options, policy: policy.path }, calledFunction);
  const found =
    weights.checkpoint === undefined
      ? await fitPublishedPolicy(weights, scaffold)
      : await withTrainedScaffold(weights, scaffold);
  const origin = scaffold === undefined ? found.origin : THIS_CALL;
  const own =
    typeof scaffold === "function" ? scaffold : await loadOwnScaffold(found.config, origin);
  const fields = listLoadedFields(options);
  const edits = describeEdits(found.config, found.origin, fields);
  return { ...found, scaffold: own, notes: [...(found.notes ?? []), ...edits] };
}

/** Returns the fields whose modules are loaded for a policy, because this call passes nothing in their place. */
function listLoadedFields({ method, engine, scaffold }: EvaluatedPolicyOptions): string[] {
  return [
    ...(method === undefined ? ["method"] : []),
    ...(engine === undefined ? ["engine.name"] : []),
    ...(scaffold === undefined ? ["scaffold.name"] : []),
    "participants.user",
    "participants.judge",
  ];
}

/**
 * Finds a policy's weights. `base` is the base of an adapter, if the user named one, and `method` the user's own method.
 * Loads no modules of scaffolds.
 */
export function findPolicyWeights(
  policy: PolicyWithWeights,
  base: string | undefined,
  method?: Method,
): Promise<PolicyWeights> {
  if ("checkpoint" in policy) return findTrainedWeights(policy, base, method);
  return policy.kind === "adapter"
    ? findAdapterWeights(policy.path, base)
    : findModelWeights(policy.path, base);
}

async function findModelWeights(path: string, base: string | undefined): Promise<PolicyWeights> {
  requireNoBase(path, base);
  return publishedWeights(await openModelDirectory(path), path);
}

async function findAdapterWeights(path: string, base: string | undefined): Promise<PolicyWeights> {
  const adapter = await openAdapter(path, base);
  const found = publishedWeights(await openAdapterBase(adapter), adapter.base);
  const { config } = found;
  const engine = { ...config.engine, lora: toLoraFields(adapter.lora) } as Config["engine"];
  const notes = [`the base of the adapter ${path} is ${adapter.base}`];
  return { ...found, config: { ...config, engine }, weights: path, notes };
}

function publishedWeights(directory: ModelDirectory, model: string): PolicyWeights {
  const config = resolveConfig();
  return {
    config: { ...config, engine: { ...config.engine, model } },
    method: loop,
    origin: THIS_CALL,
    source: { from: "directory", directory },
  };
}

/** Throws when a base was named for a policy that needs none. */
function requireNoBase(path: string, base: string | undefined): void {
  if (base === undefined) return;
  throw new BowlineError(
    "config",
    `${path} is a whole model and no adapter, so it has no base; leave out ${base} (--engine.model; in the library: base)`,
  );
}

async function findTrainedWeights(
  policy: PolicyWithCheckpoint,
  base: string | undefined,
  method: Method | undefined,
): Promise<PolicyWeights> {
  const { path, checkpoint } = policy;
  const stored = await readCheckpointConfig(policy, method);
  const origin = findPolicyOrigin(policy);
  const phase = { ...stored, origin, config: withBase(stored.config, path, base) };
  const source = await findCheckpointSource(phase.config, checkpoint);
  const { memory } = readPolicyRecord(checkpoint);
  const weights = join(checkpoint, "engine");
  return { ...phase, checkpoint, weights, source, ...(memory && { memory }) };
}

/** Returns the configuration with another place of the base, which may have moved since training. */
function withBase(config: Config, path: string, base: string | undefined): Config {
  if (base === undefined) return config;
  if (!("lora" in config.engine) || config.engine.lora === null) requireNoBase(path, base);
  return { ...config, engine: { ...config.engine, model: base } };
}

function readPolicyRecord(checkpoint: string): PolicyRecord {
  return readJson(join(checkpoint, "policy.json")) as PolicyRecord;
}

/** Gives a model or adapter the scaffold that fits it or that was asked for, within the model's context. */
async function fitPublishedPolicy(
  found: PolicyWeights,
  asked: EvaluatedPolicyOptions["scaffold"],
): Promise<FoundPolicy> {
  const { source } = found;
  assert(source.from === "directory", "a policy without a checkpoint is a model on this machine");
  const { directory } = source;
  const fit = chooseScaffold(directory, directory.config);
  const config = await withScaffold(
    found.config,
    typeof asked === "string" ? asked : fit.name,
    directory.config.contextLength,
  );
  const choice = asked === undefined ? [describeScaffoldChoice(fit)] : [];
  return {
    ...found,
    config,
    source: useDirectoryAsSource(directory, config),
    notes: [...(found.notes ?? []), ...choice],
  };
}

/** Gives a run's policy the scaffold of its training, or the one that was asked for. */
async function withTrainedScaffold(
  found: PolicyWeights,
  asked: EvaluatedPolicyOptions["scaffold"],
): Promise<FoundPolicy> {
  if (typeof asked !== "string") return found;
  const { source, config } = found;
  const { contextLength } = source.from === "directory" ? source.directory.config : config.model;
  return { ...found, config: await withScaffold(config, asked, contextLength) };
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

/**
 * Gives a published model the context that it has itself, up to `longest` tokens, instead of the one of an episode. A
 * conversation may be longer than an episode, and an export keeps what the model had.
 */
export function withWholeContext<
  S extends Pick<EvaluatedPolicy, "config" | "source" | "checkpoint">,
>(found: S, longest = Infinity): S {
  const { config, source, checkpoint } = found;
  if (checkpoint !== undefined || source?.from !== "directory") return found;
  const contextLength = Math.min(source.directory.config.contextLength, longest);
  return { ...found, config: { ...config, model: { ...config.model, contextLength } } };
}

/** Throws when the policy was trained with a user's own scaffold or engine that the options lack. */
function requireOwnParts(
  { checkpoint }: PolicyWeights,
  options: EvaluatedPolicyOptions & { readonly policy: string },
  calledFunction: string,
): void {
  const { given = [] } = checkpoint === undefined ? {} : readPolicyRecord(checkpoint);
  const missing = (["scaffold", "engine", "world"] as const).find(
    (name) => given.includes(name) && options[name] === undefined,
  );
  if (missing === undefined) return;
  throw new BowlineError(
    "config",
    `${options.policy} was trained with a ${missing} of your own, passed to train(): pass it to ${calledFunction}({ ${missing} }) too`,
  );
}

type PolicyWithCheckpoint = Extract<PolicyWithWeights, { readonly checkpoint: string }>;

/** Returns the origin of the modules that a checkpoint names: its file `policy.json`. */
export function findPolicyOrigin({ path, checkpoint }: PolicyWithCheckpoint): ModuleOrigin {
  return { by: "file", file: join(checkpoint, "policy.json"), subject: path };
}

/**
 * Reads a checkpoint's configuration and method. The method is `givenMethod`, or else the one that the checkpoint names.
 * Throws a `checkpoint` error when it is incomplete, and a `trust` error when its method is not trusted.
 */
export async function readCheckpointConfig(
  policy: PolicyWithCheckpoint,
  givenMethod?: Method,
): Promise<ConfigAndMethod> {
  const { checkpoint } = policy;
  try {
    const path = join(checkpoint, "policy.json");
    const record = readJson(path) as { config: unknown };
    requireRecordVersion(record, path);
    return await loadStoredConfigAndMethod(record.config, findPolicyOrigin(policy), givenMethod);
  } catch (cause) {
    if (isTrustError(cause)) throw cause;
    throw new BowlineError(
      "checkpoint",
      `${checkpoint} is not a complete checkpoint: ${errorMessage(cause)}`,
      {
        cause,
      },
    );
  }
}
