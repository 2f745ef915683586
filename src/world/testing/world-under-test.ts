/**
 * A world in the thread of its tests. It proves and demonstrates single tasks and shows the population. `checkWorld`
 * proves many tasks in worker threads, whereas this class proves the one task that a test is about.
 */
import type { Demonstration, DemonstrationStyle } from "../../spec/index.ts";
import { checkTask } from "../check/check-task.ts";
import { demonstrate, LiveEpisode } from "../episode/index.ts";
import { type Scratch, type Solution, type TaskReport, WorldInstance } from "../index.ts";
import { createSandbox, type Sandbox } from "../sandbox/index.ts";
import { makeScratch, type TableState } from "../state/index.ts";

/** How a task is demonstrated. */
export interface DemonstrationOptions {
  readonly style?: DemonstrationStyle;
  /** The seed of the solution's random choices; 1 by default. */
  readonly seed?: number;
  /** A solution to run instead of the task's own. */
  readonly solution?: Solution | undefined;
}

/** A world opened in the thread of the test. Its constructor takes a definition and a seed, as `WorldInstance` does. */
export class WorldUnderTest extends WorldInstance {
  #sandbox: Promise<Sandbox> | undefined;

  /** Returns a copy of the population, or of another state, in which a goal can be drawn, for `startAttempt` and `composeScenario`. */
  makeScratch(state: TableState = this.copyPopulation()): Scratch {
    return makeScratch(state);
  }

  /** Proves one task: its solution passes, doing nothing fails, mutants fail, equivalents pass. */
  async check(taskId: string): Promise<TaskReport> {
    return checkTask(this, await this.#getSandbox(), taskId, 1);
  }

  /** Solves the task in a fresh episode and returns its turns with their evaluation. */
  async demonstrate(
    taskId: string,
    { style = "careful", seed = 1, solution }: DemonstrationOptions = {},
  ): Promise<Demonstration> {
    const episode = LiveEpisode.open(this, await this.#getSandbox(), taskId);
    try {
      return await demonstrate(episode, style, seed, solution);
    } finally {
      episode.close();
    }
  }

  #getSandbox(): Promise<Sandbox> {
    this.#sandbox ??= createSandbox();
    return this.#sandbox;
  }
}
