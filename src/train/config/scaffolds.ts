/**
 * The package's scaffolds by name: which of them speak in a model's own chat template, and how much they let be said.
 *
 * The limits of a setting are those of its own scaffold: 256 tokens a row are plenty for bare code and do not hold the
 * opening of the react prompt, nor the calls that bare code makes in a loop. So where another is asked for, its own limits take
 * their place; all but those of compact, which are a setting's.
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

/** Those that speak between markers of one token each, to models made here. */
const MARKED: readonly string[] = ["compact", "compact-tools"];

/** The paper evaluates with more turns than it trains with. */
const LIMITS = {
  "compact-tools": sameTurns(COMPACT_TOOLS_LIMITS),
  fenced: sameTurns(FENCED_LIMITS),
  react: { ...REACT_LIMITS, evaluationTurns: 50 },
  tools: sameTurns(TOOLS_LIMITS),
};

function sameTurns<T extends { readonly maxTurns: number }>(limits: T) {
  return { ...limits, evaluationTurns: limits.maxTurns };
}

export function isScaffold(name: string): name is ScaffoldName {
  return (SCAFFOLDS as readonly string[]).includes(name);
}

/** Whether the package's scaffold of this name speaks between markers. */
export function speaksMarkers(name: string): boolean {
  return MARKED.includes(name);
}

/**
 * Whether the package's scaffold of this name speaks in a chat template: that of a published model, or for `agent` that of a
 * model made here too.
 */
export function speaksTemplate(name: string): boolean {
  return isScaffold(name) && !speaksMarkers(name);
}

/** Whether its words are for an instruction-tuned model, which a published one is. */
export function wantsModel(name: string): name is "fenced" | "react" | "tools" {
  return speaksTemplate(name) && name !== "agent";
}

/** What takes the place of a setting's limits; nothing where the scaffold is the setting's own. `context`: the setting's. */
export function scaffoldPatch(name: string, own: string, context: number): Patch {
  if (name === own || !Object.hasOwn(LIMITS, name)) return {};
  const scaffold = { ...LIMITS[name as keyof typeof LIMITS] };
  return { scaffold, model: { contextLength: Math.max(context, scaffold.maxTokens) } };
}
