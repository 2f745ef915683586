/**
 * An episode in memory whose only state is the list of its cells. It keeps the contract of `Episode`, so a rollout
 * cannot tell it from a real one. It can be forked and evaluated, and it throws when it is used after it was closed.
 */
import { BowlineError } from "../core/index.ts";
import type { Episode, Evaluation, StepResult, TaskInfo } from "../spec/index.ts";

/** Returns the first task of the fake world, with some fields replaced. */
export function fakeTask(overrides: Partial<TaskInfo> = {}): TaskInfo {
  return {
    id: "train/0/0",
    scenario: "train/0",
    split: "train",
    difficulty: 1,
    signature: "fake",
    instruction: "Finish.",
    ...overrides,
  };
}

/** Returns the result of a cell that printed nothing, with some fields replaced. */
export function fakeStepResult(overrides: Partial<StepResult> = {}): StepResult {
  const text = overrides.text ?? "";
  return { status: "ok", stdout: text, calls: [], finished: false, text, ...overrides };
}

/** Options that decide what a fake episode does with its cells. */
export interface FakeEpisodeOptions {
  readonly task?: TaskInfo;
  /** Runs a cell. By default it prints the code, and a cell that contains "finish" finishes the task. */
  readonly run?: (
    code: string,
    turn: number,
    signal?: AbortSignal,
  ) => StepResult | Promise<StepResult>;
  /** Evaluates the episode. By default there is one progress check, which passes when the episode is finished. */
  readonly evaluate?: (finished: boolean) => Evaluation | Promise<Evaluation>;
}

/** Opens an episode in memory. `cells` are the cells that were run so far. */
export function fakeEpisode(
  options: FakeEpisodeOptions = {},
): Episode & { readonly cells: string[] } {
  const { task = fakeTask(), run = echoCode, evaluate = evaluateFinished } = options;
  const open = (cells: string[], isFinished: boolean): Episode & { readonly cells: string[] } => {
    let finished = isFinished;
    let closed = false;
    const requireOpen = () => {
      if (closed) throw new BowlineError("world", "the episode is closed");
    };
    return {
      task,
      cells,
      step: async (code, signal) => {
        requireOpen();
        cells.push(code);
        const result = await run(code, cells.length - 1, signal);
        finished ||= result.finished;
        return result;
      },
      evaluate: async () => {
        requireOpen();
        return evaluate(finished);
      },
      fork: async () => {
        requireOpen();
        return open([...cells], finished);
      },
      close: async () => {
        closed = true;
      },
    };
  };
  return open([], false);
}

function echoCode(code: string): StepResult {
  return fakeStepResult({ text: `ran ${code}\n`, finished: code.includes("finish") });
}

function evaluateFinished(finished: boolean): Evaluation {
  return {
    passed: finished,
    finished,
    checks: [{ name: "finished", label: "progress", passed: finished }],
  };
}
