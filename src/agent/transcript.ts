/** The transcript of a rollout: what was said so far, as tokens (`token-transcript.ts`) or as messages. */
import type { Message, RolloutTokens } from "../spec/index.ts";

export interface SampledTurn {
  readonly message: string;
  /** The half-open range of the turn's ids in its row. */
  readonly span?: [number, number];
  /** The index of the turn's row. It is absent for the first row. */
  readonly segment?: number;
}

export interface Transcript {
  /** Counts the decode steps so far: sampled tokens, or turns when the policy has no tokens. */
  readonly decodeSteps: number;
  /** The policy version that sampled the first turn, or -1 when the policy has no versions. */
  readonly policyVersion: number;
  /** The first row so far. It is undefined when the policy has no tokens. */
  readonly tokens: RolloutTokens | undefined;
  /** The rows of the transcript after the first. */
  readonly segments: readonly RolloutTokens[];
  /** Begins a row. Returns false, and begins nothing, when the prompt leaves no room for a token of the agent. */
  startRow(messages: readonly Message[]): boolean;
  /**
   * Samples the agent's next turn. Returns undefined, and keeps nothing, when the call was cancelled. With `trained`
   * false, the tokens become part of the row but are not trained.
   */
  sampleTurn(signal?: AbortSignal, trained?: boolean): Promise<SampledTurn | undefined>;
  /** Appends an observation. Returns false, and appends nothing, when no token of the agent would fit after it. */
  appendObservation(observation: Message): boolean;
  /**
   * Returns the number of tokens that the current row would have with this observation. Without tokens, it is estimated
   * as a quarter of the characters.
   */
  sizeAfter(observation: Message): number;
  releasePrefix(): void;
}
