/**
 * Finds the name of a base model for files that leave this machine: its name on the Hugging Face hub when its own
 * files give it, else its folder's name. A path of this machine would mean nothing to whoever loads the adapter.
 */
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { BowlineError, readText } from "../../../core/index.ts";
import { originSchema } from "./huggingface-format.ts";
import { readJsonFile } from "./json-file.ts";

/** The name of a base model. */
export interface BaseName {
  readonly name: string;
  /** Whether `name` is a name on the Hugging Face hub. */
  readonly isHubId: boolean;
}

/** Returns whether a name has the form of a name on the hub, `ORG/NAME`. */
export function isHubId(name: string): boolean {
  return /^[\w][\w.-]*\/[\w][\w.-]*$/.test(name);
}

/** Returns the name of the base in `folder`. `folder` is "" for weights made from a seed, which have no name. */
export function findBaseName(folder: string): BaseName {
  if (folder === "") return { name: "", isHubId: false };
  const id = nameFromHubCache(folder) ?? nameFromConfig(folder) ?? nameFromReadme(folder);
  return id === undefined
    ? { name: basename(folder), isHubId: false }
    : { name: id, isHubId: true };
}

/** Returns the name in a path of the hub's cache, `models--ORG--NAME/snapshots/REVISION`. */
function nameFromHubCache(folder: string): string | undefined {
  const snapshots = dirname(folder);
  const [, organisation, name] = /^models--(.+?)--(.+)$/.exec(basename(dirname(snapshots))) ?? [];
  if (basename(snapshots) !== "snapshots" || name === undefined) return undefined;
  return `${organisation}/${name}`;
}

/**
 * Returns the name in `_name_or_path`, where transformers writes where it loaded the model. It is often a path, or
 * the model that this one was made from; such values are ignored.
 */
function nameFromConfig(folder: string): string | undefined {
  try {
    const config = originSchema.safeParse(readJsonFile(join(folder, "config.json")));
    const name = String(config.data?._name_or_path ?? "");
    return isHubId(name) && basename(name) === basename(folder) ? name : undefined;
  } catch (error) {
    if (BowlineError.is(error)) return undefined;
    throw error;
  }
}

/** Returns the name that links or examples in the model card give as `ORG/NAME`, where NAME is the folder's name. */
function nameFromReadme(folder: string): string | undefined {
  const path = join(folder, "README.md");
  if (!existsSync(path)) return undefined;
  const name = basename(folder).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const named = new RegExp(`(?:huggingface\\.co/|["'\`])([\\w][\\w.-]*/${name})(?![\\w.-])`);
  return named.exec(readText(path))?.[1];
}
