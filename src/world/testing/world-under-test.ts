/**
 * A world in this thread, for its tests: tasks are proved and demonstrated one by one, and the population can be looked at.
 * `checkWorld` proves many tasks in worker threads; this proves the one that a test is about.
 */
import type { Demonstration, DemonstrationStyle } from "../../spec/index.ts";
import { checkTask } from "../check/check-task.ts";
import { demonstrate, LiveEpisode } from "../episode/index.ts";
import { type Scratch, type Solution, type TaskReport, WorldInstance } from "../index.ts";
import { createSandbox, type Sandbox } from "../sandbox/index.ts";
import { scratchOf } from "../state/index.ts";

/** How a task is demonstrated. */
export interface DemonstrationOptions {
  readonly style?: DemonstrationStyle;
  /** Seed of what the solution draws. */
  readonly seed?: number;
  /** Another solution than the task's own. */
  readonly solution?: Solution | undefined;
}

/** A world that is opened in the thread of the test. It takes what `WorldInstance` takes: a definition and a seed. */
export class WorldUnderTest extends WorldInstance {
  #sandbox: Promise<Sandbox> | undefined;

  /** A copy of the population to draw a goal in: what `newAttempt` and `composeScenario` take as `scratch`. */
  draft(): Scratch {
    return scratchOf(this.scratch());
  }

  /** What is proved of one task: its solution passes, doing nothing fails, mutants fail, equivalents pass. */
  async check(taskId: string): Promise<TaskReport> {
    return checkTask(this, await this.#opened(), taskId, 1);
  }

  /** The task solved in an episode of its own, turn by turn, with its evaluation. */
  async demonstrate(
    taskId: string,
    { style = "careful", seed = 1, solution }: DemonstrationOptions = {},
  ): Promise<Demonstration> {
    const episode = LiveEpisode.open(this, await this.#opened(), taskId);
    try {
      return await demonstrate(episode, style, seed, solution);
    } finally {
      episode.close();
    }
  }

  #opened(): Promise<Sandbox> {
    this.#sandbox ??= createSandbox();
    return this.#sandbox;
  }
}
