/**
 * The package's scaffolds by name: which of them speak in a model's own chat template, and how much they let be said.
 *
 * The limits of a setting are those of its own scaffold: 256 tokens a row are plenty for bare code and do not hold the
 * opening of the react prompt. So where one that speaks in a template is asked for, its own limits take their place.
 */
import { FENCED_LIMITS, REACT_LIMITS } from "../../agent/index.ts";
import type { Patch } from "./config.ts";

export const SCAFFOLDS = ["compact", "fenced", "react", "agent"] as const;
export type ScaffoldName = (typeof SCAFFOLDS)[number];

/** The paper evaluates with more turns than it trains with. */
const LIMITS = {
  fenced: { ...FENCED_LIMITS, evaluationTurns: FENCED_LIMITS.maxTurns },
  react: { ...REACT_LIMITS, evaluationTurns: 50 },
};

export function isScaffold(name: string): name is ScaffoldName {
  return (SCAFFOLDS as readonly string[]).includes(name);
}

/**
 * Whether the package's scaffold of this name speaks in a chat template: that of a published model, or for `agent` that of a
 * model made here too.
 */
export function speaksTemplate(name: string): boolean {
  return wantsModel(name) || name === "agent";
}

/** Whether its words are for an instruction-tuned model, which a published one is. */
export function wantsModel(name: string): name is keyof typeof LIMITS {
  return Object.hasOwn(LIMITS, name);
}

/** What takes the place of a setting's limits; nothing where the scaffold is the setting's own. `context`: the setting's. */
export function scaffoldPatch(name: string, own: string, context: number): Patch {
  if (name === own || !wantsModel(name)) return {};
  const scaffold = LIMITS[name];
  return { scaffold, model: { contextLength: Math.max(context, scaffold.maxTokens) } };
}
