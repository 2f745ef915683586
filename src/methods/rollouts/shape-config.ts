/**
 * What the configuration says about the shape of rollouts: whether there is anything to do, and which context they
 * have.
 */
import type { ContextOptions } from "../../agent/index.ts";
import type { FieldValue } from "../../core/index.ts";
import type { ROLLOUTS } from "../sections/rollouts.ts";
import type { GroupConfig } from "./groups.ts";

type RolloutSections = { readonly [K in keyof typeof ROLLOUTS]: FieldValue<(typeof ROLLOUTS)[K]> };

/** Of a method whose rollouts may have another shape than the paper's. */
export type ShapedConfig = GroupConfig & RolloutSections;

/** True for the rollouts of the paper: one growing row each, nobody else in them, nothing remembered. */
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

/** Rollouts of other shapes, where the method has any. */
export function asShapedConfig<C extends object>(config: C): (C & ShapedConfig) | undefined {
  return isShapedConfig(config) ? config : undefined;
}

function isShapedConfig<C extends object>(config: C): config is C & ShapedConfig {
  return "collect" in config && "context" in config;
}

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

/** How often a failed task may be tried again; null: once is all. */
export function readAttemptSettings({ collect }: RolloutSections) {
  return collect.kind === "groups" || collect.kind === "chains" ? collect.attempts : null;
}
