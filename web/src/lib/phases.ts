/** Names what a run is doing, and what the steps of each phase are. */
import type { RunDetail } from "../../../src/spec/studio/index.ts";

type Phase = NonNullable<RunDetail["phase"]>;

export const PHASE_NAMES: { readonly [P in Phase]: string } = {
  world: "Demonstrations",
  tokenizer: "Tokenizer",
  warm: "Warm start",
  eval: "Evaluation",
  loop: "Training",
  done: "Finished",
};

/**
 * Describes the steps of a phase, such as "rollout 12 of 60". An evaluation between iterations has no count of its own,
 * so its steps are iterations.
 */
export function describeSteps({
  phase,
  step,
  steps,
  isReported = false,
}: Pick<RunDetail, "phase" | "step" | "steps"> & { readonly isReported?: boolean }): string {
  const noun = phase === "warm" ? "step" : isReported && phase === "eval" ? "rollout" : "iteration";
  const name = phase === "world" ? "" : `${noun} `;
  return `${name}${step}${steps ? ` of ${steps}` : ""}`;
}
