/**
 * A Tinker server without a model, for measurements of the controller. Every sample returns the same tokens after a
 * time that follows from the request's idempotency key, so two runs of the same requests wait equally long.
 *
 * It does as little as possible for each request, because it shares the machine with what is measured: it reads the
 * body of a sampling request and looks at nothing in it.
 */
import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { errorMessage, hash32 } from "../../../core/index.ts";
import { tinkerWire as wire } from "../../../engine/index.ts";
import { type FrontCall, openFront } from "../../http/index.ts";

export interface TimedServerOptions {
  /** The shortest and the longest time of a sample. Times between them are equally likely. */
  readonly latencyMs: readonly [shortest: number, longest: number];
  /** The share of samples whose first attempt fails: half of them with HTTP 500, half by a lost result. */
  readonly failureShare?: number;
  /** The tokens that every sample returns. The last one is the stop token. */
  readonly tokens: readonly number[];
}

/** What the server has seen so far. */
export interface TimedServerCounts {
  /** The number of different samples that were asked for. */
  readonly samples: number;
  /** The number of requests for a sample beyond the first of each. */
  readonly repeats: number;
}

export interface TimedServer {
  readonly url: string;
  counts(): TimedServerCounts;
  close(): Promise<void>;
}

const PREFIX = "/api/v1";
const BODY_LIMIT_BYTES = 2 ** 25;
/** The longest time for which a request for a result is held open. */
const POLL_MS = 30_000;

/** Starts the server on a free port of 127.0.0.1. */
export async function startTimedServer(options: TimedServerOptions): Promise<TimedServer> {
  const answers = new TimedAnswers(options);
  const front = await openFront({
    host: "127.0.0.1",
    port: 0,
    limits: { bodyBytes: BODY_LIMIT_BYTES },
    maxConnections: 2 ** 15,
    answer: async (call, response) => sendAnswer(response, await answers.answer(call)),
    formatError: (error) => ({
      status: 500,
      headers: { "content-type": "application/json" },
      text: JSON.stringify({ detail: errorMessage(error) }),
    }),
  });
  return {
    url: `http://127.0.0.1:${front.port}`,
    counts: () => ({ samples: answers.seen.size, repeats: answers.repeats }),
    close: () => front.close(),
  };
}

type Answer = { readonly status?: number; readonly json: unknown } | { readonly proto: Uint8Array };

function sendAnswer(response: ServerResponse, answer: Answer): void {
  if (response.destroyed) return;
  const [type, body] =
    "proto" in answer
      ? [wire.PROTOBUF, answer.proto]
      : ["application/json", Buffer.from(JSON.stringify(answer.json))];
  const status = "json" in answer ? (answer.status ?? 200) : 200;
  response.writeHead(status, { "content-type": type, "content-length": body.length });
  response.end(body);
}

class TimedAnswers {
  readonly #options: TimedServerOptions;
  readonly #sample: Uint8Array;
  /** When the result of a request is ready. */
  readonly #readyMs = new Map<string, number>();
  readonly #immediate = new Map<string, unknown>();
  readonly seen = new Set<string>();
  repeats = 0;
  #lastId = 0;

  constructor(options: TimedServerOptions) {
    this.#options = options;
    const tokens = [...options.tokens];
    const logprobs = tokens.map(() => -0.5);
    const sequences = [{ stop_reason: "stop" as const, tokens, logprobs }];
    this.#sample = wire.encodeSampleResponse({ sequences });
  }

  async answer({ path, headers, body }: FrontCall): Promise<Answer> {
    const content = await body();
    switch (path.slice(PREFIX.length)) {
      case "/asample":
        return this.#acceptSample(headers["x-idempotency-key"] ?? `${++this.#lastId}`);
      case "/retrieve_future":
        return this.#retrieve((JSON.parse(String(content)) as { request_id: string }).request_id);
      case "/get_server_capabilities":
        return {
          json: { supported_models: [{ model_name: "timed", max_context_length: 2 ** 17 }] },
        };
      case "/create_session":
        return { json: { session_id: "session" } };
      case "/session_heartbeat":
        return { json: {} };
      case "/create_model":
        return this.#acceptImmediate({ model_id: "model" });
      case "/save_weights_for_sampler":
        return this.#acceptImmediate({ sampling_session_id: "sampler" });
      default:
        return this.#acceptImmediate({});
    }
  }

  #acceptSample(key: string): Answer {
    const { failureShare = 0, latencyMs } = this.#options;
    const [shortest, longest] = latencyMs;
    const draw = hash32(key, 1) / 2 ** 32;
    const isFirst = !this.seen.has(key);
    if (isFirst) this.seen.add(key);
    else this.repeats += 1;
    const fails = isFirst && draw < failureShare;
    if (fails && draw < failureShare / 2)
      return { status: 500, json: { detail: "planned failure" } };
    const latency = shortest + (longest - shortest) * (hash32(key, 2) / 2 ** 32);
    const id = `sample-${++this.#lastId}`;
    this.#readyMs.set(id, fails ? Number.NaN : performance.now() + latency);
    return { json: { request_id: id } };
  }

  #acceptImmediate(result: unknown): Answer {
    const id = `call-${++this.#lastId}`;
    this.#immediate.set(id, result);
    return { json: { request_id: id } };
  }

  async #retrieve(id: string): Promise<Answer> {
    if (this.#immediate.has(id)) return { json: this.#immediate.get(id) };
    const readyMs = this.#readyMs.get(id);
    if (readyMs === undefined) return { status: 404, json: { detail: `there is no future ${id}` } };
    if (Number.isNaN(readyMs)) return { status: 410, json: { detail: "planned failure" } };
    const restMs = readyMs - performance.now();
    if (restMs > POLL_MS) {
      await wait(POLL_MS);
      return { json: { type: "try_again", request_id: id, queue_state: "active" } };
    }
    if (restMs > 0) await wait(restMs);
    return { proto: this.#sample };
  }
}
