/** Shows what is inside a foreign world, as far as the kit knows it: apps, tasks, calls and their answers. */
import { BowlineError } from "../../core/index.ts";
import type { ApiCall, Demonstration, Episode, Evaluation, StepResult } from "../../spec/index.ts";
import {
  type AnsweredCall,
  describeApp,
  describeTask,
  describeWorld,
  type EpisodeRecord,
  type EpisodeState,
  type InspectedEpisode,
  type InspectedStep,
  listTaskPage,
  type TableRows,
  type TaskDetails,
  type TaskPageRequest,
  type WorldInspector,
} from "../inspect/index.ts";
import type { OpenSelfOptions } from "../opened-world.ts";
import type { AnsweredForeignCall, ForeignReply, ForeignWorldDefinition } from "./define.ts";
import type { ForeignEpisode } from "./foreign-episode.ts";
import { type ForeignWorld, openForeignWorld } from "./foreign-world.ts";

/** Opens a foreign world to inspect it. */
export async function inspectForeignWorld(
  definition: ForeignWorldDefinition,
  options: OpenSelfOptions,
): Promise<WorldInspector> {
  return new ForeignInspector(await openForeignWorld(definition, options));
}

class ForeignInspector implements WorldInspector {
  readonly seed: number;
  readonly #world: ForeignWorld;
  #isEnded = false;

  constructor(world: ForeignWorld) {
    this.#world = world;
    this.seed = world.seed;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  async overview() {
    return describeWorld(this.#world.instance);
  }

  async app(name: string) {
    return describeApp(this.#world.instance, name);
  }

  table(name: string): Promise<TableRows> {
    return refuseTable(name);
  }

  async tasks(split: TaskPageRequest["split"], page: Omit<TaskPageRequest, "split">) {
    return listTaskPage(this.#world.instance, { split, ...page });
  }

  async task(taskId: string): Promise<TaskDetails> {
    return describeTask(this.#world.instance, taskId);
  }

  solve(taskId: string): Promise<Demonstration> {
    return this.#world.demonstrate(taskId, "careful", this.seed);
  }

  async open(taskId: string, record?: EpisodeRecord): Promise<InspectedEpisode> {
    const calls = record?.calls.flatMap(readAnsweredCall) ?? [];
    const evaluation = record?.evaluation as Evaluation | undefined;
    const episode = await this.#world.openRecorded(taskId, calls, evaluation);
    return new ForeignInspectedEpisode(episode);
  }

  async close(): Promise<void> {
    this.#isEnded = true;
    await this.#world.close();
  }
}

class ForeignInspectedEpisode implements InspectedEpisode {
  readonly #episode: ForeignEpisode;

  constructor(episode: ForeignEpisode) {
    this.#episode = episode;
  }

  get task() {
    return this.#episode.task;
  }

  step(code: string, signal?: AbortSignal): Promise<StepResult> {
    return this.#episode.step(code, signal);
  }

  async inspectStep(code: string): Promise<InspectedStep> {
    const result = await this.#episode.step(code);
    const calls = this.#episode.lastCalls.map(
      ({ call, answer }): AnsweredCall => ({ ...call, answer, changes: [] }),
    );
    return { result, calls };
  }

  async state(): Promise<EpisodeState> {
    const { finish, now } = this.#episode;
    return { changes: [], ...(finish && { finish }), now };
  }

  table(name: string): Promise<TableRows> {
    return refuseTable(name);
  }

  evaluate(): Promise<Evaluation> {
    return this.#episode.evaluate();
  }

  async fork(): Promise<InspectedEpisode & Episode> {
    return new ForeignInspectedEpisode(await this.#episode.fork());
  }

  close(): Promise<void> {
    return this.#episode.close();
  }
}

async function refuseTable(name: string): Promise<never> {
  throw new BowlineError(
    "world",
    `there is no table ${JSON.stringify(name)}: the data of a foreign world is in its apps`,
  );
}

/** Returns a recorded call with its answer; nothing for a call that foreign apps did not answer. */
function readAnsweredCall({ app, api, args, reply }: ApiCall): AnsweredForeignCall[] {
  if (reply === undefined) return [];
  return [
    { app, api, args: (args ?? {}) as AnsweredForeignCall["args"], reply: reply as ForeignReply },
  ];
}
