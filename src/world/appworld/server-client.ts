/**
 * Talks to one environment server of AppWorld. Whatever is not a usable answer is a `LostServerError`: the server may be
 * in any state then, so its process is ended and another one takes over.
 */
import { z } from "zod";
import { BowlineError, errorMessage } from "../../core/index.ts";
import {
  type EvaluationAnswer,
  evaluationAnswerSchema,
  outputOf,
  type TaskAnswer,
  taskAnswerSchema,
} from "./formats.ts";

/** The server gave no usable answer. `isTimeout` is true if it was still busy when the time was over. */
export class LostServerError extends Error {
  readonly isTimeout: boolean;

  constructor(message: string, isTimeout = false) {
    super(message);
    this.isTimeout = isTimeout;
  }
}

/** A world that another one replaced answers with this text, and with status 200. */
const CLOSED_DATABASE = "Cannot operate on a closed database.";
const QUICK_MS = 30_000;
/** Evaluating loads tables, so it takes longer than other calls. */
const EVALUATE_MS = 120_000;

export interface InitializeOptions {
  readonly taskId: string;
  /** Names the folder that the server writes to. It must be unique for each server. */
  readonly experiment: string;
  readonly cellSeconds: number;
}

export class AppWorldClient {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** Returns the server's version, such as `0.1.3.post1`. */
  async readVersion(timeoutMs = QUICK_MS): Promise<string> {
    const schema = z.object({ info: z.object({ version: z.string() }) });
    return (await this.#send("GET", "/openapi.json", undefined, schema, timeoutMs)).info.version;
  }

  async readTask(taskId: string, timeoutMs = QUICK_MS): Promise<TaskAnswer> {
    const path = `/tasks/${encodeURIComponent(taskId)}`;
    return (await this.#send("GET", path, undefined, outputOf(taskAnswerSchema), timeoutMs)).output;
  }

  /**
   * Starts a task. The field that forbids dangerous functions has one name in 0.1 and another in 0.2, and each version
   * ignores the other's.
   */
  async initialize({ taskId, experiment, cellSeconds }: InitializeOptions): Promise<void> {
    const body = {
      task_id: taskId,
      experiment_name: experiment,
      timeout_seconds: cellSeconds,
      raise_on_unsafe_syntax: false,
      raise_on_unsafe_execution: true,
      null_patch_unsafe_execution: true,
    };
    await this.#send("POST", "/initialize", body, outputOf(taskAnswerSchema), EVALUATE_MS);
  }

  /** Runs a cell of Python and returns what it printed, or the text of its error. */
  async execute(taskId: string, code: string, timeoutMs: number): Promise<string> {
    const body = { task_id: taskId, code };
    const schema = outputOf(z.string());
    const { output } = await this.#send("POST", "/execute", body, schema, timeoutMs);
    if (output.includes(CLOSED_DATABASE)) throw new LostServerError("its world was closed");
    return output;
  }

  async isCompleted(taskId: string): Promise<boolean> {
    const schema = outputOf(z.boolean());
    return (await this.#send("POST", "/task_completed", { task_id: taskId }, schema)).output;
  }

  async evaluate(taskId: string): Promise<EvaluationAnswer> {
    const body = { task_id: taskId, suppress_errors: true, report: false };
    const schema = outputOf(evaluationAnswerSchema);
    return (await this.#send("POST", "/evaluate", body, schema, EVALUATE_MS)).output;
  }

  /** Closes the world. 0.1 wants the task's id, and 0.2 ignores it. */
  async closeAll(taskId: string): Promise<void> {
    await this.#send("POST", "/close_all", { task_id: taskId }, z.unknown());
  }

  async #send<S extends z.ZodType>(
    method: "GET" | "POST",
    path: string,
    body: object | undefined,
    schema: S,
    timeoutMs = QUICK_MS,
  ): Promise<z.output<S>> {
    const limit = AbortSignal.timeout(timeoutMs);
    try {
      const answer = await fetch(`${this.#url}${path}`, {
        method,
        signal: limit,
        redirect: "error",
        ...(body && {
          body: JSON.stringify(body),
          headers: { "content-type": "application/json" },
        }),
      });
      const text = await answer.text();
      if (!answer.ok) {
        throw new LostServerError(`${path}: ${answer.status} ${text.slice(0, 200)}`);
      }
      const parsed = schema.safeParse(JSON.parse(text));
      if (parsed.success) return parsed.data;
      throw new LostServerError(`${path}: ${z.prettifyError(parsed.error).slice(0, 200)}`);
    } catch (error) {
      if (error instanceof LostServerError) throw error;
      if (BowlineError.is(error)) throw error;
      const seconds = timeoutMs / 1000;
      const why = limit.aborted ? `no answer within ${seconds} s` : errorMessage(error);
      throw new LostServerError(`${path}: ${why}`, limit.aborted);
    }
  }
}
