/** What the configuration says about shapes: whether there is anything to do, and which context rollouts have. */
import type { ContextOptions } from "../../agent/index.ts";
import type { Config } from "../config.ts";

/** True for the rollouts of the paper: one growing row each, nobody else in them, nothing remembered. */
export function isLinear({ shapes, participants, memory }: Config): boolean {
  const { user, planner, judge } = participants;
  return (
    shapes.branches === 0 &&
    shapes.restartShare === 0 &&
    shapes.context === "growing" &&
    shapes.chainLength === 1 &&
    shapes.attempts === 1 &&
    user === "none" &&
    judge === "none" &&
    !planner &&
    memory.kind === "none"
  );
}

export function contextOptions({ context, ...shapes }: Config["shapes"]): ContextOptions {
  switch (context) {
    case "growing":
      return { context };
    case "window":
      return { context, turns: shapes.windowTurns, drops: shapes.windowDrops };
    case "summary":
      return { context, tokens: shapes.contextTokens, most: shapes.maxSummaries };
    case "state": {
      const { chunkCharacters } = shapes;
      return { context, ...(chunkCharacters !== null && { chunkCharacters }) };
    }
    default:
      return context satisfies never;
  }
}
