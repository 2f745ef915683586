/**
 * The names of the package's scaffolds, which of them use a model's own chat template, and their limits on tokens and
 * turns.
 *
 * The limits in a setting suit the scaffold of that setting. 256 tokens suffice for a conversation in bare code, but
 * the react prompt alone is longer. So when a user chooses another scaffold, its own limits replace those of the
 * setting. Only compact has no limits of its own.
 */
import {
  COMPACT_TOOLS_LIMITS,
  FENCED_LIMITS,
  REACT_LIMITS,
  TOOLS_LIMITS,
} from "../../agent/index.ts";
import type { Patch } from "./config.ts";

export const SCAFFOLDS = ["compact", "compact-tools", "fenced", "react", "tools", "agent"] as const;
export type ScaffoldName = (typeof SCAFFOLDS)[number];

/** Scaffolds that put one-token markers around messages. They are for models that this package trains from nothing. */
const SCAFFOLDS_WITH_MARKERS: readonly string[] = ["compact", "compact-tools"];

/**
 * The limits of scaffolds, which replace those of a setting. For react, evaluation has more turns than training, as in
 * the paper.
 */
const SCAFFOLD_LIMITS = {
  "compact-tools": addEvaluationTurns(COMPACT_TOOLS_LIMITS),
  fenced: addEvaluationTurns(FENCED_LIMITS),
  react: { ...REACT_LIMITS, evaluationTurns: 50 },
  tools: addEvaluationTurns(TOOLS_LIMITS),
};

function addEvaluationTurns<T extends { readonly maxTurns: number }>(limits: T) {
  return { ...limits, evaluationTurns: limits.maxTurns };
}

export function isScaffoldName(name: string): name is ScaffoldName {
  return (SCAFFOLDS as readonly string[]).includes(name);
}

/** Returns true for a scaffold of the package that puts markers around messages. */
export function scaffoldUsesMarkers(name: string): boolean {
  return SCAFFOLDS_WITH_MARKERS.includes(name);
}

/** Returns true for a scaffold of the package that formats messages with the model's own chat template. */
export function scaffoldUsesChatTemplate(name: string): boolean {
  return isScaffoldName(name) && !scaffoldUsesMarkers(name);
}

/** Returns true for a scaffold whose prompt is written for published instruction-tuned models. */
export function scaffoldNeedsModel(name: string): name is "fenced" | "react" | "tools" {
  return scaffoldUsesChatTemplate(name) && name !== "agent";
}

/**
 * Returns the limits that replace those of a setting. The result is empty when the scaffold is the setting's own or has
 * no limits.
 */
export function scaffoldLimitsPatch(
  name: string,
  settingScaffold: string,
  contextLength: number,
): Patch {
  if (name === settingScaffold || !Object.hasOwn(SCAFFOLD_LIMITS, name)) return {};
  const scaffold = { ...SCAFFOLD_LIMITS[name as keyof typeof SCAFFOLD_LIMITS] };
  return { scaffold, model: { contextLength: Math.max(contextLength, scaffold.maxTokens) } };
}
