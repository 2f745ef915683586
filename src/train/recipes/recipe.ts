/**
 * A recipe is a named configuration. The methods that are compared with one another are changes to `starter`, so all
 * start from the same world, model, tokenizer and warm start, and differ in nothing but what their file says.
 */
import type { ConfigPatch } from "../config.ts";
import { starter } from "./starter.ts";

export interface Recipe {
  /** One line for lists and help. */
  readonly summary: string;
  readonly config: ConfigPatch;
  /** How a budget of rollouts is spent: by more iterations (default), or in one iteration over more tasks. */
  readonly spends?: "iterations" | "tasks";
}

/** `starter` with some of its numbers changed. */
export function onStarter(change: ConfigPatch): ConfigPatch {
  const sections = Object.keys({ ...starter.config, ...change }) as (keyof ConfigPatch)[];
  return Object.fromEntries(
    sections.map((section) => [section, { ...starter.config[section], ...change[section] }]),
  );
}
