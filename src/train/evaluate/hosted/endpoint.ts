/**
 * Calls any server with the OpenAI chat-completions protocol, such as a provider, a gateway, vLLM, SGLang, llama.cpp or
 * Ollama.
 *
 * Models accept different fields. Some reject a temperature, and some need `max_completion_tokens`. When an error
 * message names such a field, the field is left out or renamed, and the request is repeated.
 */
import { z } from "zod";
import { BowlineError, errorMessage, errorMessageWithCause } from "../../../core/index.ts";
import type { Message } from "../../../spec/index.ts";
import {
  ChatFailure,
  type ChatModel,
  type ChatReply,
  type ChatRequest,
  chatFailureOfStatus,
} from "./chat-model.ts";

/** A model on an OpenAI-compatible server. */
export interface EndpointOptions {
  /** The name of the model on the server. */
  readonly model: string;
  /** The address with the version, such as `http://127.0.0.1:8080/v1`. */
  readonly baseUrl: string;
  /** The key for the header `Authorization: Bearer`. Without a key, no such header is sent. */
  readonly apiKey?: string | undefined;
  /** The time after which an attempt is given up. The default is ten minutes. */
  readonly timeoutMs?: number;
}

const countSchema = z.number().nullish();
const replySchema = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().nullish() }) })).min(1),
  usage: z
    .object({
      prompt_tokens: countSchema,
      completion_tokens: countSchema,
      prompt_tokens_details: z.object({ cached_tokens: countSchema }).nullish(),
      completion_tokens_details: z.object({ reasoning_tokens: countSchema }).nullish(),
    })
    .nullish(),
});

type LimitField = "max_tokens" | "max_completion_tokens";

/** Creates the model. Throws a `config` error when the address is not a URL. */
export function createChatEndpoint(options: EndpointOptions): ChatModel {
  const { model, apiKey, timeoutMs = 600_000 } = options;
  const url = completionsUrl(options.baseUrl);
  let limit: LimitField = "max_tokens";
  let takesTemperature = true;
  const requestBody = ({ messages, maxTokens, temperature }: ChatRequest) => ({
    model,
    messages: messages.map(toChatMessage),
    [limit]: maxTokens,
    ...(takesTemperature && { temperature }),
  });
  // Some servers quote the key in their errors, and errors are printed and stored.
  const hideKey = (text: string) => (apiKey ? text.replaceAll(apiKey, "[the key]") : text);
  /** Leaves out or renames the field that an error message names. Returns false if the message names no such field. */
  const adaptToRefusal = (text: string, sent: object): boolean => {
    const names = (field: string) => field in sent && text.includes(field);
    if (/unsupported|not support|unknown|unrecognized|only the default/i.test(text)) {
      if (names("temperature")) takesTemperature = false;
      else if (names("max_tokens")) limit = "max_completion_tokens";
      else return false;
      return true;
    }
    return false;
  };
  return {
    name: model,
    async reply(request) {
      for (;;) {
        const body = requestBody(request);
        const response = await postRequest(url, body, {
          apiKey,
          timeoutMs,
          signal: request.signal,
        });
        const text = await response.text();
        if (response.ok) return parseReply(text, url, hideKey);
        if (response.status === 400 && adaptToRefusal(text, body)) continue;
        throw chatFailureOfStatus(
          response.status,
          hideKey(readErrorText(text)),
          readRetryAfterMs(response.headers),
        );
      }
    },
  };
}

function completionsUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  // Errors do not quote an address with "@" or "?", which may contain a password or a key.
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    const got = /[@?]/.test(baseUrl) ? "another address" : JSON.stringify(baseUrl);
    throw new BowlineError(
      "config",
      `baseUrl: expected the address of an OpenAI-compatible server, such as http://127.0.0.1:8080/v1, got ${got}`,
    );
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new BowlineError(
      "config",
      "baseUrl: expected an address without a password and a query; put the key into an environment variable and name it with --key-from",
    );
  }
  return `${baseUrl.replace(/\/+$/, "")}/chat/completions`;
}

interface PostOptions {
  readonly apiKey: string | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

async function postRequest(url: string, body: object, asking: PostOptions): Promise<Response> {
  const { apiKey, timeoutMs, signal } = asking;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    return await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
  } catch (error) {
    signal?.throwIfAborted();
    const why = timeout.aborted
      ? `no answer within ${timeoutMs / 1000} s`
      : errorMessageWithCause(error);
    throw new ChatFailure("busy", `${url}: ${why}`);
  }
}

function parseReply(text: string, url: string, hideKey: (text: string) => string): ChatReply {
  try {
    const { choices, usage } = replySchema.parse(JSON.parse(text));
    return {
      text: choices[0]!.message.content ?? "",
      usage: {
        input: usage?.prompt_tokens ?? 0,
        cached: usage?.prompt_tokens_details?.cached_tokens ?? 0,
        output: usage?.completion_tokens ?? 0,
        reasoning: usage?.completion_tokens_details?.reasoning_tokens ?? 0,
      },
    };
  } catch (error) {
    const came = JSON.stringify(hideKey(text).slice(0, 120));
    throw new ChatFailure(
      "fatal",
      `${url}: expected a chat completion (${errorMessage(error).split("\n")[0]}), got ${came}`,
    );
  }
}

/** Returns the message of `{"error": {"message": ...}}` or `{"error": "..."}`, or else the whole text. */
function readErrorText(text: string): string {
  try {
    const { error } = JSON.parse(text) as {
      error?: { message?: unknown; code?: unknown } | string;
    };
    if (typeof error === "string") return error;
    return (
      [error?.code, error?.message].filter((part) => typeof part === "string").join(": ") || text
    );
  } catch {
    return text;
  }
}

function readRetryAfterMs(headers: Headers): number | undefined {
  const milliseconds = Number(headers.get("retry-after-ms") ?? Number.NaN);
  if (milliseconds >= 0) return milliseconds;
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return seconds >= 0 ? 1000 * seconds : undefined;
}

/** Converts a message to the protocol. Observations of the environment become messages of the user. */
function toChatMessage({ role, content }: Message) {
  return { role: role === "environment" ? "user" : role, content };
}
