/** A client of OpenEnv: one socket, which is one environment. Requests and answers take turns. */
import { once } from "node:events";
import type { WebSocket } from "ws";
import { z } from "zod";
import { BowlineError, errorMessage } from "../../../core/index.ts";
import { AbsentServerError } from "../absent-server.ts";

/** What an environment answers to a reset or a step. */
export interface OpenEnvObservation {
  readonly observation: Readonly<Record<string, unknown>>;
  readonly reward: number | null;
  readonly done: boolean;
}

const observationSchema = z.object({
  observation: z.record(z.string(), z.unknown()),
  reward: z.number().nullish(),
  done: z.boolean().nullish(),
});
const answerSchema = z.object({ type: z.string(), data: z.unknown() });
const errorSchema = z.object({ message: z.string(), code: z.string().nullish() });

/** The environment refused a message. The socket goes on. */
export class OpenEnvRefusal extends Error {}

const MAX_ANSWER_BYTES = 100_000_000;
const MAX_UNASKED = 8;

export class OpenEnvClient {
  readonly #socket: WebSocket;
  readonly #url: string;
  readonly #answers: string[] = [];
  #wake: (() => void) | undefined;
  #ended: string | undefined;

  private constructor(socket: WebSocket, url: string) {
    this.#socket = socket;
    this.#url = url;
    socket.on("message", (data) => {
      this.#answers.push(String(data));
      if (this.#answers.length > MAX_UNASKED) socket.terminate();
      this.#wake?.();
    });
    const end = (why: string) => {
      this.#ended ??= why;
      this.#wake?.();
    };
    socket.on("close", (code) => end(`the socket was closed (${code})`));
    socket.on("error", (error) => end(errorMessage(error)));
  }

  static async open(url: string, signal: AbortSignal): Promise<OpenEnvClient> {
    // A program that only defines a world does not load sockets.
    const { WebSocket: ClientSocket } = await import("ws");
    const socket = new ClientSocket(url, { maxPayload: MAX_ANSWER_BYTES });
    const client = new OpenEnvClient(socket, url);
    const abort = () => socket.terminate();
    signal.addEventListener("abort", abort, { once: true });
    socket.once("close", () => signal.removeEventListener("abort", abort));
    try {
      await once(socket, "open");
    } catch (cause) {
      throw new AbsentServerError(`${url}: ${errorMessage(cause)}`, cause);
    }
    return client;
  }

  async reset(data: Readonly<Record<string, unknown>>): Promise<OpenEnvObservation> {
    return readObservation(await this.#ask({ type: "reset", data }));
  }

  /** Rejects with an `OpenEnvRefusal` when the environment refuses the action. */
  async step(action: Readonly<Record<string, unknown>>): Promise<OpenEnvObservation> {
    return readObservation(await this.#ask({ type: "step", data: action }));
  }

  close(): void {
    if (this.#socket.readyState === this.#socket.OPEN) {
      this.#socket.send(JSON.stringify({ type: "close" }));
    }
    this.#socket.terminate();
  }

  async #ask(message: object): Promise<unknown> {
    if (this.#answers.length > 0) throw this.#fail("it answered without being asked");
    if (this.#ended !== undefined) throw this.#fail(this.#ended);
    this.#socket.send(JSON.stringify(message));
    while (this.#answers.length === 0 && this.#ended === undefined) {
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    }
    const text = this.#answers.shift();
    if (text === undefined) throw this.#fail(this.#ended!);
    const parsed = answerSchema.safeParse(parseOrUndefined(text));
    if (!parsed.success) throw this.#fail(`its answer is no message: ${text.slice(0, 200)}`);
    const { type, data } = parsed.data;
    if (type !== "error") return data;
    const told = errorSchema.safeParse(data);
    throw new OpenEnvRefusal(told.success ? told.data.message : text.slice(0, 200));
  }

  #fail(why: string): BowlineError {
    return new BowlineError("world", `the environment ${this.#url}: ${why}`);
  }
}

function readObservation(data: unknown): OpenEnvObservation {
  const parsed = observationSchema.safeParse(data);
  if (!parsed.success) {
    throw new BowlineError(
      "world",
      `expected an observation, got ${JSON.stringify(data)?.slice(0, 200)}`,
    );
  }
  const { observation, reward = null, done } = parsed.data;
  return { observation, reward, done: done ?? false };
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
