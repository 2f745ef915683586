/**
 * An episode in memory, over nothing but the list of its cells. It keeps the contract of `Episode`, so a rollout cannot tell
 * it from a world's: it forks, it is evaluated, and it refuses to be used after it was closed.
 */
import { BowlineError } from "../core/index.ts";
import type { Episode, Evaluation, StepResult, TaskInfo } from "../spec/index.ts";

/** The first task of the fake world, with changes. */
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

/** A cell that ran without a word, with changes. */
export function stepResult(overrides: Partial<StepResult> = {}): StepResult {
  const text = overrides.text ?? "";
  return { status: "ok", stdout: text, calls: [], finished: false, text, ...overrides };
}

/** What a fake episode does, cell by cell. */
export interface FakeEpisodeOptions {
  readonly task?: TaskInfo;
  /** What a cell does; by default it echoes, and a cell that contains "finish" finishes. */
  readonly run?: (
    code: string,
    turn: number,
    signal?: AbortSignal,
  ) => StepResult | Promise<StepResult>;
  /** By default one progress check that passes once finished. */
  readonly evaluate?: (finished: boolean) => Evaluation | Promise<Evaluation>;
}

/** An episode over nothing but the list of its cells. */
export function fakeEpisode(
  options: FakeEpisodeOptions = {},
): Episode & { readonly cells: string[] } {
  const { task = fakeTask(), run = echo, evaluate = finishCheck } = options;
  const open = (cells: string[], isFinished: boolean): Episode & { readonly cells: string[] } => {
    let finished = isFinished;
    let closed = false;
    const alive = () => {
      if (closed) throw new BowlineError("world", "the episode is closed");
    };
    return {
      task,
      cells,
      step: async (code, signal) => {
        alive();
        cells.push(code);
        const result = await run(code, cells.length - 1, signal);
        finished ||= result.finished;
        return result;
      },
      evaluate: async () => {
        alive();
        return evaluate(finished);
      },
      fork: async () => {
        alive();
        return open([...cells], finished);
      },
      close: async () => {
        closed = true;
      },
    };
  };
  return open([], false);
}

function echo(code: string): StepResult {
  return stepResult({ text: `ran ${code}\n`, finished: code.includes("finish") });
}

function finishCheck(finished: boolean): Evaluation {
  return {
    passed: finished,
    finished,
    checks: [{ name: "finished", label: "progress", passed: finished }],
  };
}
