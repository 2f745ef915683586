/**
 * What cannot go together in the shape of rollouts, naming both fields. What one choice rules out cannot be written.
 */

import { findParticipantsConflict } from "./participants.ts";
import type { ShapedConfig } from "./shape-config.ts";

/** Two fields that are set, and why one of them would be silently wrong beside the other. */
interface ShapeRule {
  readonly applies: (config: ShapedConfigWithLimits) => boolean;
  readonly message: string;
}

/** Limits that other sections set. */
type ShapedConfigWithLimits = ShapedConfig & {
  readonly algo: { readonly staleness?: number };
  readonly scaffold: { readonly maxTokens: number; readonly maxObservationCharacters?: number };
};

const usesRestarts = ({ collect }: ShapedConfigWithLimits) => collect.kind === "restarts";

const SHAPE_RULES: readonly ShapeRule[] = [
  {
    applies: ({ collect, algo }) => collect.kind === "branches" && collect.count >= algo.groupSize,
    message:
      "collect.count: expected fewer than algo.groupSize, for a branch is forked from a rollout of its group",
  },
  {
    applies: ({ collect, participants }) =>
      collect.kind === "branches" && participants.user === "policy",
    message:
      "collect.kind branches cannot go with participants.user policy: what it said before a fork would be said anew",
  },
  {
    applies: (config) => usesRestarts(config) && config.context.kind !== "growing",
    message: "collect.kind restarts needs context.kind growing: a stored beginning is one row",
  },
  {
    applies: (config) => usesRestarts(config) && config.participants.planner !== null,
    message:
      "collect.kind restarts cannot go with participants.planner: a stored beginning holds turns of the world alone",
  },
  {
    applies: (config) => usesRestarts(config) && config.participants.user !== "none",
    message:
      "collect.kind restarts cannot go with participants.user: a stored beginning holds turns of the world alone",
  },
  {
    applies: (config) => usesRestarts(config) && config.memory.kind !== "none",
    message:
      "collect.kind restarts cannot go with memory.kind: the beginning was sampled under another prompt",
  },
  {
    applies: ({ context, scaffold }) =>
      context.kind === "summary" && context.tokens >= scaffold.maxTokens,
    message:
      "context.tokens: expected fewer than scaffold.maxTokens, or a row is full before it is summed up",
  },
  {
    applies: ({ context, scaffold }) =>
      context.kind === "state" &&
      context.chunkCharacters !== null &&
      context.chunkCharacters >= (scaffold.maxObservationCharacters ?? Infinity),
    message:
      "context.chunkCharacters: expected fewer than scaffold.maxObservationCharacters, for no observation is longer than that",
  },
  {
    applies: ({ participants, context }) =>
      (participants.planner?.every ?? 0) > 0 && context.kind !== "growing",
    message:
      "participants.planner.every needs context.kind growing: elsewhere a later plan would be dropped with the row that it is in",
  },
  {
    applies: ({ algo, collect }) =>
      Boolean(algo.stragglers) && (collect.kind === "branches" || collect.kind === "chains"),
    message:
      "algo.stragglers: groups with collect.kind branches or chains cannot be cut short; set it to false",
  },
  {
    applies: ({ participants }) =>
      participants.trainedUser !== null && participants.user !== "policy",
    message: "participants.trainedUser needs participants.user policy: nobody else has weights",
  },
  {
    applies: ({ algo, memory, collect }) =>
      (algo.staleness ?? 0) > 0 && (memory.kind !== "none" || collect.kind === "restarts"),
    message:
      "algo.staleness: an iteration that is collected ahead cannot remember the one before; with memory.kind or collect.kind restarts it must be 0",
  },
  {
    applies: ({ memory }) => "candidates" in memory && memory.items > memory.candidates,
    message: "memory.items: expected at most memory.candidates",
  },
];

/** Undefined when all is well. */
export function findShapeConflict(config: ShapedConfig): string | undefined {
  const limited = config as ShapedConfigWithLimits;
  return (
    SHAPE_RULES.find(({ applies: when }) => when(limited))?.message ??
    findParticipantsConflict(config)
  );
}
