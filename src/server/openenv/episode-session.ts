/**
 * One client's environment: at most one open episode, which each reset replaces. Calls that overlap are handled one
 * after the other, and whatever a client does, `close` closes the episode.
 */
import { randomUUID } from "node:crypto";
import { evaluateEpisode } from "../../agent/index.ts";
import { type RewardName, rewardOfEvaluation } from "../../algo/index.ts";
import { errorMessage } from "../../core/index.ts";
import type { Episode, Evaluation, StepResult, World } from "../../spec/index.ts";
import {
  callToolFormat,
  codeActionFormat,
  evaluateFormat,
  listToolsFormat,
  resetFormat,
  runCellFormat,
} from "./formats.ts";
import { OpenEnvError } from "./openenv-error.ts";
import { readFields } from "./read-fields.ts";
import type { ChosenTask, TaskChoice, TaskList } from "./task-list.ts";
import { readToolResult, type ToolCell, type ToolList } from "./tool-list.ts";

/** What every session of a server shares. */
export interface Environment {
  readonly world: World;
  readonly tasks: TaskList;
  readonly tools: ToolList;
  /** After so many steps an episode is over, and its state is evaluated. */
  readonly maxSteps: number;
  readonly reward: RewardName;
  /** Counts the episodes that are open now. */
  readonly openEpisodes: Set<Episode>;
  /** The name of this start of the server. */
  readonly serverId: string;
}

/** The answer to a reset or a step, as OpenEnv's clients read it. */
export interface Observation {
  readonly observation: Readonly<Record<string, unknown>>;
  /** null after a reset, 0 until the episode is over, then its whole reward. So sums and last values agree. */
  readonly reward: number | null;
  readonly done: boolean;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** The result of a tool call over MCP. */
export interface ToolResult {
  readonly content: readonly { readonly type: "text"; readonly text: string }[];
  readonly isError: boolean;
  readonly _meta: { readonly "bowline/done": boolean; readonly "bowline/reward": number | null };
}

/** The outcome of one cell. */
interface Progress {
  readonly result: StepResult;
  readonly reward: number;
  readonly done: boolean;
  readonly evaluation?: Evaluation;
}

export class EpisodeSession {
  readonly id: string = randomUUID();
  readonly #environment: Environment;
  #episode: Episode | undefined;
  #chosen: ChosenTask | undefined;
  #episodeId: string | null = null;
  #steps = 0;
  #reward: number | null = null;
  #isDone = false;
  #isClosed = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** The task of the last reset. */
  get task(): ChosenTask | undefined {
    return this.#chosen;
  }

  /** Opens the chosen task. The episode before is closed, but not when the choice is wrong. */
  reset(data: unknown): Promise<Observation> {
    return this.#inTurn(async () => {
      const { episode_id, ...choice } = readFields(resetFormat, data);
      await this.#open(choice, episode_id ?? undefined);
      const { task, index } = this.#chosen!;
      const { id, split, scenario, difficulty, instruction } = task;
      return {
        observation: {
          ...{ text: instruction, instruction },
          task: { id, split, index, scenario, difficulty },
        },
        ...{ reward: null, done: false },
      };
    });
  }

  /** Runs an action: code, `list_tools`, `call_tool`, or `run_cell` and `evaluate` of a remote world. */
  step(data: unknown): Promise<Observation> {
    return this.#inTurn(async () => {
      const { type } = data as { readonly type?: unknown };
      if (type === "list_tools") return this.#listTools(data);
      if (type === "call_tool") return this.#callToolAsStep(data);
      if (type === "run_cell") return this.#runWholeCell(data);
      if (type === "evaluate") return this.#evaluate(data);
      const { code } = readFields(codeActionFormat, data);
      const progress = await this.#runCell(code);
      const { status, text, limit, calls } = progress.result;
      const made = calls.map(({ app, api, status }) => ({ app, api, status }));
      const observation = { text, status, ...(limit !== undefined && { limit }), calls: made };
      return describeProgress(observation, progress);
    });
  }

  /** Calls a tool over MCP. Opens the chosen task first when no task is open yet. */
  callTool(
    name: string,
    args: Readonly<Record<string, unknown>>,
    choice: TaskChoice,
  ): Promise<ToolResult> {
    return this.#inTurn(async () => {
      const cell = this.#environment.tools.writeCell(name, args);
      if ("problem" in cell && cell.isUnknown) {
        throw new OpenEnvError("VALIDATION_ERROR", cell.problem);
      }
      if (this.#chosen === undefined) await this.#open(choice);
      const { answer, progress } = await this.#runToolCell(cell);
      return {
        content: [{ type: "text", text: answer.ok ? answer.json : answer.message }],
        isError: !answer.ok,
        _meta: {
          "bowline/done": progress?.done ?? false,
          "bowline/reward": progress?.reward ?? null,
        },
      };
    });
  }

  /** Opens the chosen task for a client that sends no reset, and returns it. */
  openTask(choice: TaskChoice): Promise<ChosenTask> {
    return this.#inTurn(async () => {
      await this.#open(choice);
      return this.#chosen!;
    });
  }

  /** Describes the episode. */
  readState(): Readonly<Record<string, unknown>> {
    const { task, index } = this.#chosen ?? {};
    return {
      ...{ episode_id: this.#episodeId, step_count: this.#steps },
      ...{ task_id: task?.id ?? null, split: task?.split ?? null, index: index ?? null },
      ...{ done: this.#isDone, reward: this.#reward },
    };
  }

  /** Closes the episode, after the call that is in progress. Later calls are refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const closed = this.#last.then(() => this.#closeEpisode());
    this.#last = closed;
    await closed;
  }

  #inTurn<T>(call: () => Promise<T>): Promise<T> {
    const result = this.#last.then(() => {
      if (this.#isClosed) throw new OpenEnvError("SESSION_ERROR", "this session is closed");
      return call();
    });
    this.#last = result.catch(() => {});
    return result;
  }

  async #open(choice: TaskChoice, episodeId?: string): Promise<void> {
    const { world, tasks, openEpisodes } = this.#environment;
    const chosen = tasks.choose(choice);
    await this.#closeEpisode();
    const episode = await world.open(chosen.task.id);
    openEpisodes.add(episode);
    this.#episode = episode;
    this.#chosen = chosen;
    this.#episodeId = episodeId ?? randomUUID();
    this.#steps = 0;
    this.#reward = null;
    this.#isDone = false;
  }

  async #closeEpisode(): Promise<void> {
    const episode = this.#episode;
    if (episode === undefined) return;
    this.#episode = undefined;
    this.#environment.openEpisodes.delete(episode);
    // A world whose worker died has nothing left to close.
    await episode.close().catch(() => {});
  }

  async #runCell(code: string): Promise<Progress> {
    return this.#callWorld(async (episode) => {
      const result = await episode.step(code);
      this.#steps += 1;
      if (!result.finished && this.#steps < this.#environment.maxSteps) {
        return { result, reward: 0, done: false };
      }
      const evaluation = await evaluateEpisode(episode);
      const unfinished = "fail";
      const reward = rewardOfEvaluation(evaluation, {
        reward: this.#environment.reward,
        unfinished,
      });
      this.#isDone = true;
      this.#reward = reward;
      await this.#closeEpisode();
      return { result, reward, done: true, evaluation };
    });
  }

  /**
   * Runs a cell for a remote world, whose controller counts the steps and asks for evaluations itself. So the episode
   * has no end here, as an episode in the controller's own process has none.
   */
  async #runWholeCell(data: unknown): Promise<Observation> {
    const { code } = readFields(runCellFormat, data);
    const result = await this.#callWorld((episode) => episode.step(code));
    this.#steps += 1;
    return this.#describeAnswer({ result });
  }

  /** Evaluates the present state for a remote world. */
  async #evaluate(data: unknown): Promise<Observation> {
    readFields(evaluateFormat, data);
    return this.#describeAnswer({ evaluation: await this.#callWorld((one) => one.evaluate()) });
  }

  #describeAnswer(observation: Observation["observation"]): Observation {
    const { serverId } = this.#environment;
    return { observation, reward: null, done: false, metadata: { server: serverId } };
  }

  async #callWorld<T>(call: (episode: Episode) => Promise<T>): Promise<T> {
    const episode = this.#requireEpisode();
    try {
      return await call(episode);
    } catch (error) {
      await this.#closeEpisode();
      const message = `the episode ended by an error of the world: ${errorMessage(error)}; send reset for another one`;
      throw new OpenEnvError("EXECUTION_ERROR", message, { status: 500 });
    }
  }

  #requireEpisode(): Episode {
    if (this.#episode) return this.#episode;
    const why = this.#isDone
      ? "the episode is over"
      : this.#chosen === undefined
        ? "no episode is open"
        : "the episode has ended";
    throw new OpenEnvError("EXECUTION_ERROR", `${why}; send reset before the next step`);
  }

  #listTools(data: unknown): Observation {
    readFields(listToolsFormat, data);
    const tools = this.#environment.tools.tools.map(({ name, description, inputSchema }) => ({
      ...{ name, description },
      input_schema: inputSchema,
    }));
    return { observation: { tools }, reward: null, done: false };
  }

  async #callToolAsStep(data: unknown): Promise<Observation> {
    const { tool_name, arguments: args } = readFields(callToolFormat, data);
    const cell = this.#environment.tools.writeCell(tool_name, args ?? {});
    this.#requireEpisode();
    const { answer, progress } = await this.#runToolCell(cell);
    const observation = answer.ok
      ? { tool_name, result: readToolResult(answer), error: null }
      : {
          tool_name,
          result: null,
          error: { error_type: toolErrorType(cell), message: answer.message },
        };
    return progress
      ? describeProgress(observation, progress)
      : { observation, reward: 0, done: false };
  }

  /** Runs the cell of a tool call. A call that cannot be written as a cell runs nothing. */
  async #runToolCell(cell: ToolCell) {
    if ("problem" in cell) return { answer: { ok: false, message: cell.problem } as const };
    const progress = await this.#runCell(cell.code);
    return { answer: cell.readAnswer(progress.result), progress };
  }
}

function toolErrorType(cell: ToolCell): string {
  if (!("problem" in cell)) return "execution_error";
  return cell.isUnknown ? "tool_not_found" : "invalid_args";
}

/** Adds the reward, and the checks once the episode is over: no later step can use what they say. */
function describeProgress(
  observation: Observation["observation"],
  { reward, done, evaluation }: Progress,
): Observation {
  if (evaluation === undefined) return { observation, reward, done };
  const { passed, finished } = evaluation;
  const checks = evaluation.checks.map(({ name, label, passed }) => ({ name, label, passed }));
  return { observation, reward, done, metadata: { passed, finished, checks } };
}
