/**
 * Finds fields of rollout shapes that cannot be used together. Only combinations that the schema allows are checked;
 * the schema itself excludes many others.
 */

import { findParticipantsConflict } from "./participants.ts";
import type { ShapedConfig } from "./shape-config.ts";

/**
 * A rule about two fields, with the message for its violation. The message says why the fields cannot be used together.
 */
interface ShapeRule {
  readonly applies: (config: ShapedConfigWithLimits) => boolean;
  readonly message: string;
}

/** The configuration with limits that other sections set. */
type ShapedConfigWithLimits = ShapedConfig & {
  readonly algo: { readonly staleness?: number };
  readonly scaffold: { readonly maxTokens: number; readonly maxObservationCharacters?: number };
};

const usesRestarts = ({ collect }: ShapedConfigWithLimits) => collect.kind === "restarts";

const SHAPE_RULES: readonly ShapeRule[] = [
  {
    applies: ({ collect, algo }) => collect.kind === "branches" && collect.count >= algo.groupSize,
    message:
      "collect.count: expected fewer than algo.groupSize, because a branch is forked from another rollout of its group",
  },
  {
    applies: ({ collect, participants }) =>
      collect.kind === "branches" && participants.user === "policy",
    message:
      "collect.kind branches cannot be used with participants.user policy, because a fork cannot repeat what the user said before it",
  },
  {
    applies: (config) => usesRestarts(config) && config.context.kind !== "growing",
    message:
      "collect.kind restarts needs context.kind growing, because a stored beginning is a single row",
  },
  {
    applies: (config) => usesRestarts(config) && config.participants.planner !== null,
    message:
      "collect.kind restarts cannot be used with participants.planner, because a stored beginning contains no plans",
  },
  {
    applies: (config) => usesRestarts(config) && config.participants.user !== "none",
    message:
      "collect.kind restarts cannot be used with participants.user, because a stored beginning contains no words of a user",
  },
  {
    applies: (config) => usesRestarts(config) && config.memory.kind !== "none",
    message:
      "collect.kind restarts cannot be used with memory.kind, because a stored beginning was sampled with another prompt",
  },
  {
    applies: ({ context, scaffold }) =>
      context.kind === "summary" && context.tokens >= scaffold.maxTokens,
    message:
      "context.tokens: expected fewer than scaffold.maxTokens, because otherwise a row is full before it is summed up",
  },
  {
    applies: ({ context, scaffold }) =>
      context.kind === "state" &&
      context.chunkCharacters !== null &&
      context.chunkCharacters >= (scaffold.maxObservationCharacters ?? Infinity),
    message:
      "context.chunkCharacters: expected fewer than scaffold.maxObservationCharacters, because no observation is longer than that",
  },
  {
    applies: ({ participants, context }) =>
      (participants.planner?.every ?? 0) > 0 && context.kind !== "growing",
    message:
      "participants.planner.every needs context.kind growing, because otherwise a later plan would be dropped with its row",
  },
  {
    applies: ({ algo, collect }) =>
      Boolean(algo.stragglers) && (collect.kind === "branches" || collect.kind === "chains"),
    message:
      "algo.stragglers: groups with collect.kind branches or chains cannot be cut short; set algo.stragglers to false",
  },
  {
    applies: ({ participants }) =>
      participants.trainedUser !== null && participants.user !== "policy",
    message:
      "participants.trainedUser needs participants.user policy, because only the policy has weights to train",
  },
  {
    applies: ({ algo, memory, collect }) =>
      (algo.staleness ?? 0) > 0 && (memory.kind !== "none" || collect.kind === "restarts"),
    message:
      "algo.staleness: set it to 0 with memory.kind or collect.kind restarts, because an iteration that is collected ahead cannot use what the previous iteration remembered",
  },
  {
    applies: ({ memory }) => "candidates" in memory && memory.items > memory.candidates,
    message: "memory.items: expected at most memory.candidates",
  },
];

/** Returns a sentence about the first violated rule, or undefined. */
export function findShapeConflict(config: ShapedConfig): string | undefined {
  const limited = config as ShapedConfigWithLimits;
  return (
    SHAPE_RULES.find(({ applies }) => applies(limited))?.message ?? findParticipantsConflict(config)
  );
}
