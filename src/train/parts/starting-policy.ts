/**
 * The policy that training starts from (`warm.policy`): a model, an adapter, or the policy of another run. Its weights
 * decide some fields of the configuration, such as the rank of an adapter. `resolveConfigForModel` fills them in, and a
 * run is refused when they say something else.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { BowlineError, type ModuleOrigin } from "../../core/index.ts";
import { type Config, configLeaves } from "../config/config.ts";
import {
  findPolicyWeights,
  type PolicyWeights,
  readCheckpointConfig,
} from "../evaluate/find-policy.ts";
import { type PolicyWithWeights, recognisePolicyWithWeights } from "../policy/recognise-policy.ts";
import { readCheckpointText } from "../run/checkpoint.ts";
import { type ModelSource, requireSourceFitsConfig } from "./model-source.ts";

/** The policy that training starts from, as it is on disk. */
export interface StartingPolicy {
  /** The fields that its weights decide, by their paths. */
  readonly decided: ReadonlyMap<string, unknown>;
  /** Fields that are as in the run that trained it, unless the user gives others; empty for other policies. */
  readonly defaults: ReadonlyMap<string, unknown>;
  /** Who named the modules among these fields. */
  readonly origin: ModuleOrigin;
  readonly source: ModelSource;
  /** The folder that is loaded onto the model of `source`; undefined when the model is all. */
  readonly weights: string | undefined;
  /** The text of `tokenizer.json` of a policy that was made here from random weights; undefined for others. */
  readonly tokenizer: string | undefined;
  /** Notes for people: the base of an adapter. */
  readonly notes: readonly string[];
}

/** Opens the policy at `path`. `model` is the field `engine.model`, which may be the base of an adapter. */
export async function openStartingPolicy(
  path: string,
  model: string | null | undefined,
): Promise<StartingPolicy> {
  const policy = recognisePolicyWithWeights(path, "warm.policy");
  const found = await findPolicyWeights(policy, await chooseBase(policy, model ?? undefined));
  const { config, origin, source, weights, checkpoint } = found;
  const isOwn = source.from === "scratch" && checkpoint !== undefined;
  return {
    decided: listDecidedFields(found),
    defaults: checkpoint === undefined ? new Map() : listTrainedFields(config),
    origin,
    source,
    weights,
    notes: found.notes ?? [],
    tokenizer: isOwn ? readCheckpointText(join(checkpoint, "tokenizer.json")) : undefined,
  };
}

/** Opens the policy that a configuration names, and checks that the configuration fits its weights. */
export async function openStartOfRun(config: Config): Promise<StartingPolicy | undefined> {
  const { policy } = config.warm;
  if (policy === null) {
    requireNoAdapterInModel(config.engine.model);
    return undefined;
  }
  const start = await openStartingPolicy(policy, config.engine.model);
  const leaves = configLeaves(config);
  for (const [path, value] of start.decided) {
    if (leaves.get(path) === value) continue;
    throw new BowlineError(
      "config",
      `${path}: expected ${JSON.stringify(value)}, as in ${policy}, from which training starts (warm.policy), got ${JSON.stringify(leaves.get(path))}; resolveConfigForModel() fills in what the policy decides`,
    );
  }
  requireSourceFitsConfig(start.source, config);
  return start;
}

/** Throws when `engine.model` is a folder with a model and an adapter, whose adapter would be ignored. */
function requireNoAdapterInModel(model: string | null): void {
  if (model === null || !existsSync(join(model, "adapter_config.json"))) return;
  throw new BowlineError(
    "config",
    `engine.model: ${model} holds an adapter beside its model; start from the adapter by warm.policy (--warm ${model}), or remove adapter_config.json if the adapter is merged into the model or not wanted`,
  );
}

/** Throws a `config` error when one of the `given` fields contradicts a field that the policy decides. */
export function requireNoContradiction(
  decided: StartingPolicy["decided"],
  policy: string,
  given: ReadonlyMap<string, unknown>,
): void {
  const refuse = (path: string, expected: unknown) => {
    const text = `${path}: expected ${JSON.stringify(expected)} or no value, since training starts from ${policy} (warm.policy), got ${JSON.stringify(given.get(path))}`;
    throw new BowlineError("config", `${text}${path.startsWith("engine.lora") ? LORA_ADVICE : ""}`);
  };
  for (const [path, value] of decided) {
    if (given.has(path) && !isSameValue(given.get(path), value)) refuse(path, value);
  }
  const hasAdapter = [...decided.keys()].some((path) => path.startsWith("engine.lora."));
  if (hasAdapter && given.get("engine.lora") === null) refuse("engine.lora", "on");
}

/** Compares a given value with a decided one. Lists of modules may be in any order, and an alpha may be rounded. */
function isSameValue(given: unknown, decided: unknown): boolean {
  if (typeof given === "number" && typeof decided === "number") {
    return Math.abs(given - decided) <= 1e-6 * Math.abs(decided);
  }
  const sorted = (value: unknown) =>
    String(value)
      .split(",")
      .map((name) => name.trim())
      .sort()
      .join();
  return given === decided || (typeof given === "string" && sorted(given) === sorted(decided));
}

const LORA_ADVICE =
  "; to train all weights or another adapter, merge this one first (bowline export --merged) and start from the result";

/** The base that the user named; undefined when the policy names its model itself. */
async function chooseBase(
  policy: PolicyWithWeights,
  model: string | undefined,
): Promise<string | undefined> {
  if (model === undefined || policy.kind === "adapter" || !("checkpoint" in policy)) {
    return model === policy.path ? undefined : model;
  }
  const { engine } = (await readCheckpointConfig(policy)).config;
  return model === engine.model ? undefined : model;
}

/** Returns the fields that the weights decide: the engine, the base and its adapter, or the shape of a new model. */
function listDecidedFields({ config, weights, source }: PolicyWeights): Map<string, unknown> {
  const { engine } = config;
  const lora = "lora" in engine && engine.lora !== null ? Object.entries(engine.lora) : [];
  const fields: [string, unknown][] = [
    ["engine.name", engine.name],
    ["engine.model", engine.model],
    ...(weights === undefined
      ? []
      : lora.map(([name, value]) => [`engine.lora.${name}`, value] as [string, unknown])),
  ];
  if (source.from !== "scratch") return new Map(fields);
  const shape = [...configLeaves(config)].filter(([path]) =>
    ["model.hiddenSize", "model.layers", "model.heads"].includes(path),
  );
  return new Map([...fields, ...shape]);
}

/** Returns the fields of a run that its policy is used to: its scaffold, its context and its server. */
function listTrainedFields(config: Config): Map<string, unknown> {
  return new Map(
    [...configLeaves(config)].filter(
      ([path]) =>
        path.startsWith("scaffold.") ||
        ["model.contextLength", "engine.url", "engine.baseModel", "engine.dialect"].includes(path),
    ),
  );
}
