/**
 * The messages between the main thread and a world worker. A worker answers one request at a time, in order.
 */
import type { ModuleOrigin } from "../../core/index.ts";
import type {
  Demonstration,
  DemonstrationStyle,
  Dials,
  Evaluation,
  StepResult,
  TaskInfo,
} from "../../spec/index.ts";
import type { Population, SolutionMeasure, TaskFingerprint, TaskReport } from "../check/index.ts";
import type { PastTurn } from "../episode/index.ts";
import type {
  AnsweredCall,
  AppDetails,
  EpisodeState,
  TablePageRequest,
  TableRows,
  TaskDetails,
  TaskPageRequest,
  WorldOverview,
} from "../inspect/index.ts";

/** Maps the name of each method to its parameters and its result. */
export interface WorkerMethods {
  load: [
    {
      readonly moduleUrl: string;
      readonly origin: ModuleOrigin;
      readonly seed: number;
      readonly dials: Dials;
    },
    /** `opensItself` is true when the module exports no definition, but a world that opens itself. */
    { readonly opensItself: boolean },
  ];
  open: [
    {
      readonly taskId: string;
      readonly episode: number;
      readonly past: readonly PastTurn[];
      /** The attempts by which the main thread has drawn the scenario. */
      readonly attempts?: readonly number[] | undefined;
    },
    null,
  ];
  /** Runs a cell. The result has `answered` if the step was to be recorded and the worker survived it. */
  step: [
    { readonly episode: number; readonly code: string; readonly recorded?: boolean },
    StepResult & { readonly answered?: readonly AnsweredCall[] },
  ];
  evaluate: [{ readonly episode: number }, Evaluation];
  fork: [{ readonly episode: number; readonly as: number }, null];
  close: [{ readonly episode: number }, null];
  demonstrate: [
    { readonly taskId: string; readonly style: DemonstrationStyle; readonly seed: number },
    Demonstration,
  ];
  check: [
    { readonly taskId: string; readonly seed: number },
    { readonly report: TaskReport; readonly print: TaskFingerprint },
  ];
  measure: [
    { readonly taskId: string; readonly seed: number; readonly tryEachApi: boolean },
    SolutionMeasure,
  ];
  /** Makes the world a second time, for checks to compare with, and returns the population of the first one. */
  redraw: [null, Population];
  look: [null, WorldOverview];
  lookApp: [{ readonly app: string }, AppDetails];
  /** Returns rows of the population, or of an episode as it is now. */
  lookTable: [{ readonly table: string; readonly episode?: number } & TablePageRequest, TableRows];
  lookTasks: [TaskPageRequest, { readonly total: number; readonly tasks: readonly TaskInfo[] }];
  lookTask: [{ readonly taskId: string }, TaskDetails];
  lookEpisode: [{ readonly episode: number }, EpisodeState];
}

export type WorkerMethod = keyof WorkerMethods;
export type WorkerParams<M extends WorkerMethod> = WorkerMethods[M][0];
export type WorkerResult<M extends WorkerMethod> = WorkerMethods[M][1];

export type WorkerRequest = {
  [M in WorkerMethod]: {
    readonly id: number;
    readonly method: M;
    readonly params: WorkerParams<M>;
  };
}[WorkerMethod];

export type WorkerReply =
  | { readonly kind: "result"; readonly id: number; readonly result: unknown }
  | {
      readonly kind: "failure";
      readonly id: number;
      readonly code: string | undefined;
      readonly message: string;
      readonly stack?: string | undefined;
    }
  /** This reply is sent when the flight recorder was full; `text` is what the recorder held. */
  | { readonly kind: "calls"; readonly id: number; readonly text: string };
