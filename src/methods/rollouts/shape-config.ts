/**
 * Reads the configuration of rollout shapes: whether rollouts are linear, which context they have, and how often they
 * may try a task.
 */
import type { ContextOptions } from "../../agent/index.ts";
import type { FieldValue } from "../../core/index.ts";
import type { ROLLOUTS } from "../sections/rollouts.ts";
import type { GroupConfig } from "./groups.ts";

type RolloutSections = { readonly [K in keyof typeof ROLLOUTS]: FieldValue<(typeof ROLLOUTS)[K]> };

/** The configuration of a method whose rollouts may have other shapes than the paper's. */
export type ShapedConfig = GroupConfig & RolloutSections;

/** Returns true if rollouts have the paper's shape: one growing row each, no participants, no memory. */
export function hasLinearRollouts({
  collect,
  context,
  participants,
  memory,
}: RolloutSections): boolean {
  const { user, planner, judge } = participants;
  return (
    collect.kind === "groups" &&
    collect.attempts === null &&
    context.kind === "growing" &&
    user === "none" &&
    judge === "none" &&
    planner === null &&
    memory.kind === "none"
  );
}

/** Returns the configuration with a narrower type when the method has rollout shapes; undefined otherwise. */
export function asShapedConfig<C extends object>(config: C): (C & ShapedConfig) | undefined {
  return isShapedConfig(config) ? config : undefined;
}

function isShapedConfig<C extends object>(config: C): config is C & ShapedConfig {
  return "collect" in config && "context" in config;
}

/** Returns the options of the agent's context that correspond to the section `context`. */
export function readContextOptions(context: RolloutSections["context"]): ContextOptions {
  switch (context.kind) {
    case "growing":
      return { context: "growing" };
    case "window":
      return { context: "window", turns: context.turns, drops: context.drops };
    case "summary":
      return { context: "summary", tokens: context.tokens, maxSummaries: context.most };
    case "state": {
      const { chunkCharacters } = context;
      return { context: "state", ...(chunkCharacters !== null && { chunkCharacters }) };
    }
    default:
      return context satisfies never;
  }
}

/** Returns the settings for trying a failed task again, or null when a task is tried only once. */
export function readAttemptSettings({ collect }: RolloutSections) {
  return collect.kind === "groups" || collect.kind === "chains" ? collect.attempts : null;
}
