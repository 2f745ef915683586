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
  readonly metadata: Readonly<Record<string, unknown>>;
}

const observationSchema = z.object({
  observation: z.record(z.string(), z.unknown()),
  reward: z.number().nullish(),
  done: z.boolean().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
});
const answerSchema = z.object({ type: z.string(), data: z.unknown() });
const errorSchema = z.object({ message: z.string(), code: z.string().nullish() });

/** The environment refused a message. The socket goes on, unless there is no place for it. */
export class OpenEnvRefusal extends Error {
  /** The code of the protocol, such as `CAPACITY_REACHED`; absent if the environment gave none. */
  readonly code: string | undefined;

  constructor(message: string, code: string | undefined) {
    super(message);
    this.code = code;
  }
}

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

  static async open(
    url: string,
    signal: AbortSignal,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<OpenEnvClient> {
    // A program that only defines a world does not load sockets.
    const { WebSocket: ClientSocket } = await import("ws");
    const socket = new ClientSocket(url, { maxPayload: MAX_ANSWER_BYTES, headers });
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
    if (this.#answers.length > 0) throw this.#explainUnasked();
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
    throw readRefusal(data, text);
  }

  /** A server without a free place says so before it is asked. */
  #explainUnasked(): Error {
    const text = this.#answers[0]!;
    const parsed = answerSchema.safeParse(parseOrUndefined(text));
    if (parsed.data?.type === "error") return readRefusal(parsed.data.data, text);
    return this.#fail("it answered without being asked");
  }

  #fail(why: string): BowlineError {
    return new BowlineError("world", `the environment ${this.#url}: ${why}`);
  }
}

function readRefusal(data: unknown, text: string): OpenEnvRefusal {
  const { data: error } = errorSchema.safeParse(data);
  return new OpenEnvRefusal(error?.message ?? text.slice(0, 200), error?.code ?? undefined);
}

function readObservation(data: unknown): OpenEnvObservation {
  const parsed = observationSchema.safeParse(data);
  if (!parsed.success) {
    throw new BowlineError(
      "world",
      `expected an observation, got ${JSON.stringify(data)?.slice(0, 200)}`,
    );
  }
  const { observation, reward = null, done, metadata } = parsed.data;
  return { observation, reward, done: done ?? false, metadata: metadata ?? {} };
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
