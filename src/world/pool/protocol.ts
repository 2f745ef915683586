/**
 * The messages between the main thread and a world worker. Requests are answered in order, one at a time.
 */
import type {
  Demonstration,
  DemonstrationStyle,
  Dials,
  Evaluation,
  StepResult,
} from "../../spec/index.ts";
import type { Population, TaskPrint, TaskReport } from "../check/index.ts";
import type { PastTurn } from "../episode/index.ts";

/** method: [parameters, result] */
export interface Methods {
  load: [{ readonly moduleUrl: string; readonly seed: number; readonly dials: Dials }, null];
  open: [
    { readonly taskId: string; readonly episode: number; readonly past: readonly PastTurn[] },
    null,
  ];
  step: [{ readonly episode: number; readonly code: string }, StepResult];
  evaluate: [{ readonly episode: number }, Evaluation];
  fork: [{ readonly episode: number; readonly as: number }, null];
  close: [{ readonly episode: number }, null];
  demonstrate: [
    { readonly taskId: string; readonly style: DemonstrationStyle; readonly seed: number },
    Demonstration,
  ];
  check: [
    { readonly taskId: string; readonly seed: number },
    { readonly report: TaskReport; readonly print: TaskPrint },
  ];
  /** Makes the world a second time, for checks to compare with, and tells the first one's population. */
  redraw: [null, Population];
}

export type Method = keyof Methods;
export type Params<M extends Method> = Methods[M][0];
export type Result<M extends Method> = Methods[M][1];

export type Request = {
  [M in Method]: { readonly id: number; readonly method: M; readonly params: Params<M> };
}[Method];

export type Reply =
  | { readonly kind: "result"; readonly id: number; readonly result: unknown }
  | {
      readonly kind: "failure";
      readonly id: number;
      readonly code: string | undefined;
      readonly message: string;
    }
  /** The flight recorder was full; `text` is what it held. */
  | { readonly kind: "calls"; readonly id: number; readonly text: string };
