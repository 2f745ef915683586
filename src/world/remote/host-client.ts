/** Asks one host: what it serves, its tasks, their solutions, and whether it is healthy. Episodes have a `Seat` each. */
import { z } from "zod";
import { BowlineError, errorMessage, readOwnVersion } from "../../core/index.ts";
import type { Demonstration, DemonstrationStyle, Split, TaskInfo } from "../../spec/index.ts";
import { AbsentServerError } from "../foreign/absent-server.ts";
import { type JsonAnswer, sendJson } from "../foreign/http-json.ts";
import { OpenEnvClient } from "../foreign/openenv/openenv-client.ts";
import { readDemonstration, readTaskRange } from "./answers.ts";
import { type WorldFacts, worldFactsSchema } from "./world-facts.ts";

/** The number of tasks in one answer, so that no answer is too long to be read. */
const TASKS_AT_ONCE = 2000;
const SERVE = "bowline serve --openenv WORLD";

export class HostClient {
  readonly url: string;
  readonly #headers: Readonly<Record<string, string>>;
  #environment = "";

  constructor(url: string, key: string | undefined) {
    this.url = url;
    this.#headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  }

  /** Rejects unless the host answers within the time. */
  async checkHealth(timeoutMs: number): Promise<void> {
    this.#requireStatus(await this.#send("GET", "/health", { timeoutMs }), "GET /health");
  }

  /**
   * Returns what the host serves. Rejects with an `AbsentServerError` when nothing answers, and with a `world` error
   * when something else answers than this version of `bowline serve --openenv`.
   */
  async readFacts(timeoutMs: number): Promise<WorldFacts> {
    const listed = await this.#send("GET", "/list_environments", { timeoutMs });
    const names = z.array(z.string()).min(1).safeParse(listed.value);
    this.#requireKey(listed);
    if (!names.success) throw this.#refuse("it lists no environment of OpenEnv");
    this.#environment = names.data[0]!;
    const { status, value } = await this.#send("GET", `/${this.#environment}/world`, { timeoutMs });
    const there = (Object(value) as { readonly bowline?: unknown }).bowline;
    const here = readOwnVersion();
    if (typeof there === "string" && there !== here) {
      throw this.#refuse(`it runs Bowline ${there}, and this is Bowline ${here}`);
    }
    const facts = worldFactsSchema.safeParse(value);
    if (status === 200 && facts.success) return facts.data;
    const why = facts.success ? `status ${status}` : errorMessage(facts.error);
    throw this.#refuse(`it does not say which world of Bowline it serves (${why.slice(0, 200)})`);
  }

  /** Returns all tasks of a split that the host lists. */
  async listTasks(split: Split, count: number, timeoutMs: number): Promise<TaskInfo[]> {
    const tasks: TaskInfo[] = [];
    while (tasks.length < count) {
      const body = { split, start: tasks.length, stop: tasks.length + TASKS_AT_ONCE };
      const path = `/${this.#environment}/task_range`;
      const answer = await this.#send("POST", path, { body, timeoutMs });
      const some = readTaskRange(this.#requireStatus(answer, `POST ${path}`));
      if (some.length === 0) break;
      tasks.push(...some);
    }
    return tasks;
  }

  /** Returns the solution of a task, run turn by turn on the host. */
  async demonstrate(
    task_id: string,
    style: DemonstrationStyle,
    seed: number,
    timeoutMs: number,
  ): Promise<Demonstration> {
    const path = `/${this.#environment}/demonstration`;
    const answer = await this.#send("POST", path, { body: { task_id, style, seed }, timeoutMs });
    return readDemonstration(this.#requireStatus(answer, `POST ${path}`));
  }

  /** Opens the socket of one episode. */
  connect(signal: AbortSignal): Promise<OpenEnvClient> {
    const url = `${this.url.replace(/^http/, "ws")}/ws`;
    return OpenEnvClient.open(url, signal, this.#headers);
  }

  #send(
    method: string,
    path: string,
    { body, timeoutMs }: { readonly body?: object; readonly timeoutMs: number },
  ): Promise<JsonAnswer> {
    const signal = AbortSignal.timeout(timeoutMs);
    const headers = this.#headers;
    return sendJson({ method, url: `${this.url}${path}`, headers, signal, ...(body && { body }) });
  }

  /** Returns the value of an answer that is no refusal. */
  #requireStatus(answer: JsonAnswer, asked: string): unknown {
    this.#requireKey(answer);
    if (answer.status < 400) return answer.value;
    const { detail } = Object(answer.value) as { readonly detail?: unknown };
    const why = typeof detail === "string" ? `: ${detail}` : "";
    throw new BowlineError("world", `${this.url}: ${asked}: status ${answer.status}${why}`);
  }

  #requireKey({ status }: JsonAnswer): void {
    if (status !== 401) return;
    throw new BowlineError(
      "world",
      `${this.url}: the host expects a key; put it into the environment variable BOWLINE_OPENENV_KEY`,
    );
  }

  #refuse(why: string): BowlineError {
    return new BowlineError("world", `${this.url}: ${why}; start there the same version: ${SERVE}`);
  }
}

/** Returns true for the error of a host at whose address nothing answers. */
export const isAbsent = (error: unknown) => error instanceof AbsentServerError;
