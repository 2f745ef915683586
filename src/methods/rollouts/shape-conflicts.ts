/** What cannot go together in the shape of rollouts, naming both fields. What one choice rules out cannot be written. */

import { findParticipantsConflict } from "./participants.ts";
import type { ShapedConfig } from "./shape-config.ts";

/** Two fields that are set, and why one of them would be silently wrong beside the other. */
interface ShapeRule {
  readonly when: (config: ShapedConfigWithLimits) => boolean;
  readonly says: string;
}

/** Limits that other sections set. */
type ShapedConfigWithLimits = ShapedConfig & {
  readonly algo: { readonly staleness?: number };
  readonly scaffold: { readonly maxTokens: number; readonly maxObservationCharacters?: number };
};

const usesRestarts = ({ collect }: ShapedConfigWithLimits) => collect.kind === "restarts";

const SHAPE_RULES: readonly ShapeRule[] = [
  {
    when: ({ collect, algo }) => collect.kind === "branches" && collect.count >= algo.groupSize,
    says: "collect.count: expected fewer than algo.groupSize, for a branch is forked from a rollout of its group",
  },
  {
    when: ({ collect, participants }) =>
      collect.kind === "branches" && participants.user === "policy",
    says: "collect.kind branches cannot go with participants.user policy: what it said before a fork would be said anew",
  },
  {
    when: (config) => usesRestarts(config) && config.context.kind !== "growing",
    says: "collect.kind restarts needs context.kind growing: a stored beginning is one row",
  },
  {
    when: (config) => usesRestarts(config) && config.participants.planner !== null,
    says: "collect.kind restarts cannot go with participants.planner: a stored beginning holds turns of the world alone",
  },
  {
    when: (config) => usesRestarts(config) && config.participants.user !== "none",
    says: "collect.kind restarts cannot go with participants.user: a stored beginning holds turns of the world alone",
  },
  {
    when: (config) => usesRestarts(config) && config.memory.kind !== "none",
    says: "collect.kind restarts cannot go with memory.kind: the beginning was sampled under another prompt",
  },
  {
    when: ({ context, scaffold }) =>
      context.kind === "summary" && context.tokens >= scaffold.maxTokens,
    says: "context.tokens: expected fewer than scaffold.maxTokens, or a row is full before it is summed up",
  },
  {
    when: ({ context, scaffold }) =>
      context.kind === "state" &&
      context.chunkCharacters !== null &&
      context.chunkCharacters >= (scaffold.maxObservationCharacters ?? Infinity),
    says: "context.chunkCharacters: expected fewer than scaffold.maxObservationCharacters, for no observation is longer than that",
  },
  {
    when: ({ participants, context }) =>
      (participants.planner?.every ?? 0) > 0 && context.kind !== "growing",
    says: "participants.planner.every needs context.kind growing: elsewhere a later plan would be dropped with the row that it is in",
  },
  {
    when: ({ algo, collect }) =>
      Boolean(algo.stragglers) && (collect.kind === "branches" || collect.kind === "chains"),
    says: "algo.stragglers: groups with collect.kind branches or chains cannot be cut short; set it to false",
  },
  {
    when: ({ participants }) => participants.trainedUser !== null && participants.user !== "policy",
    says: "participants.trainedUser needs participants.user policy: nobody else has weights",
  },
  {
    when: ({ algo, memory, collect }) =>
      (algo.staleness ?? 0) > 0 && (memory.kind !== "none" || collect.kind === "restarts"),
    says: "algo.staleness: an iteration that is collected ahead cannot remember the one before; with memory.kind or collect.kind restarts it must be 0",
  },
  {
    when: ({ memory }) => "candidates" in memory && memory.items > memory.candidates,
    says: "memory.items: expected at most memory.candidates",
  },
];

/** Undefined when all is well. */
export function findShapeConflict(config: ShapedConfig): string | undefined {
  const limited = config as ShapedConfigWithLimits;
  return SHAPE_RULES.find(({ when }) => when(limited))?.says ?? findParticipantsConflict(config);
}
