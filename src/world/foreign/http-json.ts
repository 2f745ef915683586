/**
 * Requests to servers of others, for adapters. A server that does not answer, or answers what is no answer, is a failure
 * of the world; an error that the agent can understand is a reply.
 */
import { BowlineError, errorMessage } from "../../core/index.ts";
import { AbsentServerError } from "./absent-server.ts";
import type { ForeignReply } from "./define.ts";

/** The largest answer that is read, in characters. */
const MAX_ANSWER_CHARS = 4_000_000;
/** The largest number of characters of an error message that the agent sees. */
const MAX_ERROR_CHARS = 1000;
/** Statuses of a server that is not there or not ready. */
const ABSENT = [502, 503, 504];

export interface JsonRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body, which is sent as JSON; undefined for none. */
  readonly body?: unknown;
  readonly signal: AbortSignal;
}

/** An answer: its status, its headers, and its value. */
export interface JsonAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly value: unknown;
}

/** Sends a request. Rejects with a `world` error when there is no answer, a broken one, or one of a server that is away. */
export async function sendJson(request: JsonRequest): Promise<JsonAnswer> {
  const where = `${request.method} ${request.url}`;
  const explain = (cause: unknown) => {
    const inner = cause instanceof Error && cause.cause ? cause.cause : cause;
    return `${where}: no usable answer: ${errorMessage(inner)}`;
  };
  let response: Response;
  try {
    response = await sendRequest(request);
    if (ABSENT.includes(response.status)) {
      await response.body?.cancel();
      throw new Error(`status ${response.status}`);
    }
  } catch (cause) {
    throw new AbsentServerError(explain(cause), cause);
  }
  try {
    const text = await readLimited(response, where);
    const isJson = /\bjson\b/.test(response.headers.get("content-type") ?? "");
    const value = isJson && text !== "" ? JSON.parse(text) : text === "" ? null : text;
    return { status: response.status, headers: response.headers, value };
  } catch (cause) {
    throw new BowlineError("world", explain(cause), { cause });
  }
}

function sendRequest({ method, url, headers, body, signal }: JsonRequest): Promise<Response> {
  return fetch(url, {
    ...{ method, signal, redirect: "error" },
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

/** Returns the answer. Throws a `world` error when its status says that the server has lost the session. */
export function requireSession(
  answer: JsonAnswer,
  { lostStatuses, where }: { readonly lostStatuses: readonly number[]; readonly where: string },
): JsonAnswer {
  if (!lostStatuses.includes(answer.status)) return answer;
  throw new BowlineError("world", `${where} has lost the session (status ${answer.status})`);
}

/** Turns an answer into a reply. A refusal (400 and above) is an error that the agent's code may catch. */
export function toReply({ status, value }: JsonAnswer): ForeignReply {
  if (status < 400) return { ok: true, value };
  return { ok: false, status, message: describeError(value, status) };
}

function describeError(value: unknown, status: number): string {
  const { message, detail, error } = Object(value) as Record<string, unknown>;
  const told = [message, detail, error, value].find((one) => one !== undefined && one !== null);
  const text = typeof told === "string" ? told : (JSON.stringify(told) ?? "");
  return text === "" ? `status ${status}` : cutError(text);
}

/** Cuts the text of an error to what the agent sees. */
export function cutError(text: string): string {
  return text.length > MAX_ERROR_CHARS ? `${text.slice(0, MAX_ERROR_CHARS)}...` : text;
}

async function readLimited(response: Response, where: string): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes as Uint8Array, { stream: true });
    if (text.length > MAX_ANSWER_CHARS) {
      throw new Error(`${where} answered more than ${MAX_ANSWER_CHARS} characters`);
    }
  }
  return text + decoder.decode();
}

/** Returns a reward of others. Throws a `world` error unless it is from 0 to 1, because none is cut to fit. */
export function requireReward(reward: unknown, where: string, cure: string): number {
  if (typeof reward === "number" && reward >= 0 && reward <= 1) return reward;
  throw new BowlineError(
    "world",
    `${where}: expected a reward from 0 to 1, got ${JSON.stringify(reward) ?? "nothing"}; ${cure}`,
  );
}

/** Returns an address without the slashes at its end. Throws a `config` error when it is none. */
export function requireUrl(url: string, protocols: readonly string[]): string {
  if (URL.canParse(url) && protocols.includes(new URL(url).protocol))
    return url.replace(/\/+$/, "");
  throw new BowlineError(
    "config",
    `url: expected ${protocols.join(" or ")}//..., got ${JSON.stringify(url)}`,
  );
}
