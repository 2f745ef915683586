/**
 * What a base model is called where its folder is not: its name on the Hugging Face hub where its own files tell it, else
 * the folder's name. A path of this machine would mean nothing to who loads the adapter.
 */
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { BowlineError } from "../../../core/index.ts";
import { readJsonFile } from "./json-file.ts";

export interface BaseName {
  readonly name: string;
  /** Whether it is a name on the hub. */
  readonly isHubId: boolean;
}

/** Whether a name has the form of one on the hub: `ORG/NAME`. */
export function isHubId(name: string): boolean {
  return /^[\w][\w.-]*\/[\w][\w.-]*$/.test(name);
}

/** `folder` is that of the base; "" where its weights were made from a seed, which have no name. */
export function baseNameOf(folder: string): BaseName {
  if (folder === "") return { name: "", isHubId: false };
  const id = cachedName(folder) ?? configuredName(folder) ?? namedInReadme(folder);
  return id === undefined
    ? { name: basename(folder), isHubId: false }
    : { name: id, isHubId: true };
}

/** The hub's own cache: `models--ORG--NAME/snapshots/REVISION`. */
function cachedName(folder: string): string | undefined {
  const snapshots = dirname(folder);
  const [, organisation, name] = /^models--(.+?)--(.+)$/.exec(basename(dirname(snapshots))) ?? [];
  if (basename(snapshots) !== "snapshots" || name === undefined) return undefined;
  return `${organisation}/${name}`;
}

/** Where transformers loaded what it then saved; often a path, or the model that this one was made from. */
function configuredName(folder: string): string | undefined {
  try {
    const config = readJsonFile(join(folder, "config.json")) as { _name_or_path?: unknown };
    const name = String(config._name_or_path ?? "");
    return isHubId(name) && basename(name) === basename(folder) ? name : undefined;
  } catch (error) {
    if (BowlineError.is(error)) return undefined;
    throw error;
  }
}

/** A model card names its model as `ORG/NAME` in links and examples; NAME is what the folder is called. */
function namedInReadme(folder: string): string | undefined {
  const path = join(folder, "README.md");
  if (!existsSync(path)) return undefined;
  const name = basename(folder).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const named = new RegExp(`(?:huggingface\\.co/|["'\`])([\\w][\\w.-]*/${name})(?![\\w.-])`);
  return named.exec(readFileSync(path, "utf8"))?.[1];
}
