/** The events that a run reports while it works. They are for people; programs read the run directory. */
import type { Rollout, RUN_PHASES, Score, Split } from "../../spec/index.ts";
import type { Fitting } from "../fitting/fit-limits.ts";

/** What a run is currently doing. */
export type RunPhase = (typeof RUN_PHASES)[number];

/** A report of a run on its progress. Listening to these events changes no number. */
export type TrainEvent =
  | {
      readonly type: "phase-start";
      readonly phase: RunPhase;
      readonly detail: string;
      readonly steps?: number;
    }
  | {
      readonly type: "progress";
      readonly phase: RunPhase;
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
  /** An example rollout. At the `start` it is a hasty attempt that fails, to show what the problem is. */
  | {
      readonly type: "example";
      readonly when: "start" | "before" | "after";
      readonly rollout: Rollout;
    }
  /** The limits of the run, when fitting changed some of them or when demonstrations are left out. */
  | { readonly type: "fitting"; readonly fitting: Fitting }
  | { readonly type: "note"; readonly text: string }
  /** A problem that may make the results meaningless, such as a bug of the world. The run continues. */
  | { readonly type: "warning"; readonly text: string };

/** Called for every event. If it returns a promise, the run does not wait for it. */
export type OnEvent = (event: TrainEvent) => void;
