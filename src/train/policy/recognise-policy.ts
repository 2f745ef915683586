/**
 * Recognises what kind of policy a path or name means. Every command and every function of the library that takes a
 * policy asks here, so the same path means the same thing to all of them.
 *
 * A folder is recognised by the first of these files that it has: `policy.json` (a checkpoint), the checkpoints of a
 * run, `adapter_config.json` (an adapter, also when a model lies in the same folder), `config.json` (a model).
 */
import { closeSync, existsSync, openSync, readdirSync, readSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { BowlineError, didYouMean, isFile, requireNonEmptyText } from "../../core/index.ts";
import { isHosted } from "../evaluate/hosted/hosted-options.ts";
import type { LanguageModelLike } from "../evaluate/hosted/language-model.ts";

/** The names of policies without weights, which results are compared with. */
export const SCRIPTED_POLICIES = ["solution", "noop", "random", "nearest"] as const;
export type ScriptedPolicy = (typeof SCRIPTED_POLICIES)[number];

/** A policy whose weights are in files of this machine, or, for a run with engine tinker, named by them. */
export type PolicyWithWeights =
  /** `checkpoint` is the folder with `policy.json`: for a run its newest checkpoint. */
  | { readonly kind: "run" | "checkpoint"; readonly path: string; readonly checkpoint: string }
  /** The folder of a Hugging Face model. */
  | { readonly kind: "model"; readonly path: string }
  /** A PEFT folder, which needs a base model. */
  | { readonly kind: "adapter"; readonly path: string }
  | { readonly kind: "gguf"; readonly path: string };

/** A policy of any kind. */
export type RecognisedPolicy =
  | PolicyWithWeights
  | { readonly kind: "script"; readonly name: ScriptedPolicy }
  | { readonly kind: "hosted"; readonly model: string | LanguageModelLike };

/** The kinds of policies with weights, in words for errors and help. */
export const WEIGHT_KINDS =
  "a run directory, a checkpoint of a run, a Hugging Face folder (config.json), a PEFT folder (adapter_config.json) or a GGUF file";
const ALL_KINDS = `${WEIGHT_KINDS}; hosted:<model>, a model on a server; or one of the scripts ${SCRIPTED_POLICIES.join(", ")}`;

/** Recognises a policy of any kind. Throws an error that lists the kinds when it is none. */
export function recognisePolicy(policy: string | LanguageModelLike): RecognisedPolicy {
  if (isHosted(policy)) return { kind: "hosted", model: policy };
  requireNonEmptyText("policy", policy, ALL_KINDS);
  const name = SCRIPTED_POLICIES.find((one) => one === policy);
  return name === undefined ? recognisePath(policy, ALL_KINDS) : { kind: "script", name };
}

/**
 * Recognises a policy with weights. Throws a `config` error for a hosted model, a script or a path with nothing there,
 * and a `checkpoint` error for a folder or file that is no policy. `field` is the configuration's field that names it.
 */
export function recognisePolicyWithWeights(path: string, field?: string): PolicyWithWeights {
  requireNonEmptyText("policy", path, WEIGHT_KINDS);
  const what = isHosted(path)
    ? "a model on a server, and its weights are not here"
    : (SCRIPTED_POLICIES as readonly string[]).includes(path) && "a script without weights";
  if (!what || existsSync(path)) return recognisePath(path, WEIGHT_KINDS, field);
  throw new BowlineError("config", `${path} is ${what}: expected ${WEIGHT_KINDS}`);
}

function recognisePath(path: string, kinds: string, field?: string): PolicyWithWeights {
  if (isFile(path)) return recogniseFile(path, kinds);
  if (!existsSync(path)) {
    const nearest = didYouMean(path, kinds === ALL_KINDS ? SCRIPTED_POLICIES : []);
    const where = field === undefined ? "" : `${field}: `;
    throw new BowlineError("config", `${where}unknown policy ${path}${nearest}: expected ${kinds}`);
  }
  const checkpoint = findCheckpointFolder(path);
  if (checkpoint !== undefined) {
    return { kind: checkpoint === path ? "checkpoint" : "run", path, checkpoint };
  }
  // The engine's folder inside a checkpoint has the weights alone, without a tokenizer.
  const parent = dirname(resolve(path));
  if (basename(resolve(path)) === "engine" && hasFile(parent, "policy.json")) {
    return { kind: "checkpoint", path, checkpoint: parent };
  }
  if (hasFile(path, "adapter_config.json")) return { kind: "adapter", path };
  if (hasFile(path, "config.json")) return { kind: "model", path };
  throw new BowlineError("checkpoint", `${describeOtherFolder(path)}: expected ${kinds}`);
}

/** Returns the folder with `policy.json`: `path` itself, or the newest checkpoint of the run there. */
function findCheckpointFolder(path: string): string | undefined {
  return ["", "checkpoints/final", "checkpoints/latest", "checkpoints/warm"]
    .map((name) => (name === "" ? path : join(path, name)))
    .find((folder) => hasFile(folder, "policy.json"));
}

function hasFile(folder: string, name: string): boolean {
  return existsSync(join(folder, name));
}

function recogniseFile(path: string, kinds: string): PolicyWithWeights {
  if (path.endsWith(".gguf") || startsLikeGguf(path)) return { kind: "gguf", path };
  const hint = /\.(safetensors|json|bin|jinja)$/.test(path)
    ? `; if it belongs to a model, give its folder ${dirname(path)}`
    : "";
  throw new BowlineError("checkpoint", `${path} is not a GGUF file${hint}: expected ${kinds}`);
}

function startsLikeGguf(path: string): boolean {
  const start = Buffer.alloc(4);
  const file = openSync(path, "r");
  try {
    readSync(file, start, 0, 4, 0);
  } finally {
    closeSync(file);
  }
  return start.toString("latin1") === "GGUF";
}

/** Says what a folder is that is no policy, and what of it may have been meant. */
function describeOtherFolder(path: string): string {
  if (hasFile(path, "run.json")) return `${path} is a run that has no checkpoint yet`;
  const gguf = readdirSync(path)
    .sort()
    .find((name) => name.endsWith(".gguf"));
  const hint = gguf === undefined ? "" : ` (did you mean its file ${join(path, gguf)}?)`;
  return `${path} holds no checkpoint, adapter or model${hint}`;
}
