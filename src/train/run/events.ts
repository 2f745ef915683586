/** What a run tells while it works. Events are for people; the run directory is for machines. */
import type { Rollout, Score, Split } from "../../spec/index.ts";

/** Where a run is. */
export type Phase = "world" | "tokenizer" | "warm" | "eval" | "loop" | "done";

/** What a run tells while it works; nothing of it changes a number. */
export type TrainEvent =
  | {
      readonly type: "phase-start";
      readonly phase: Phase;
      readonly detail: string;
      readonly steps?: number;
    }
  | {
      readonly type: "progress";
      readonly phase: Phase;
      readonly step: number;
      readonly steps: number;
      readonly secondsLeft?: number;
      readonly rolloutsPerSecond?: number;
      readonly tokensPerSecond?: number;
      readonly metrics: Record<string, number>;
    }
  | {
      readonly type: "score";
      readonly when: "before" | "after" | `iteration ${number}`;
      readonly split: Split;
      readonly mode: "greedy" | "T1";
      readonly score: Score;
    }
  /** `start`: a hasty attempt that fails, so that a person sees the problem before anything is trained. */
  | {
      readonly type: "example";
      readonly when: "start" | "before" | "after";
      readonly rollout: Rollout;
    }
  | { readonly type: "note"; readonly text: string }
  /** The run goes on, but what it comes to may mean nothing: a bug of the world. */
  | { readonly type: "warning"; readonly text: string };

/** Called as things happen; nobody waits for a promise that it returns. */
export type OnEvent = (event: TrainEvent) => void;
