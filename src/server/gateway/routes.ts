/**
 * Paths to actions. `/e/EPISODE/openai/v1/...` and `/e/EPISODE/anthropic/v1/...` name the episode; without it the key does.
 * Base URLs are written with and without `/v1` by different clients, so it may stand there any number of times.
 */
import type { ServerResponse } from "node:http";
import { z } from "zod";
import { type AnswerStyle, answerCall, jsonOf } from "./call.ts";
import { chat } from "./chat/index.ts";
import type { Dialect } from "./dialect.ts";
import type { Episode, Episodes } from "./episodes.ts";
import { GatewayError, gatewayErrorOf } from "./gateway-error.ts";
import { NO_RETRY } from "./held-reply.ts";
import { type Handler, type HttpCall, requireLocalName } from "./http.ts";
import { conversationAsked, messages } from "./messages/index.ts";
import { read } from "./read.ts";
import { responses } from "./responses/index.ts";

export interface RoutesOptions {
  readonly episodes: Episodes;
  readonly host: string;
  readonly style: AnswerStyle;
}

/** A path, taken apart. */
interface Place {
  readonly episode: string | undefined;
  /** As the path says it; errors of messages and models depend on it. */
  readonly family: "openai" | "anthropic" | undefined;
  /** Behind all that: `chat/completions`. */
  readonly action: string;
}

const PATH = /^(?:\/e\/([^/]+))?(?:\/(openai|anthropic))?(?:\/v1)*\/(.+?)\/?$/;

export function routes({ episodes, host, style }: RoutesOptions): Handler {
  return async (call, response) => {
    const place = placeOf(call.path);
    try {
      requireLocalName(host, call.headers["host"]);
      const action = actionOf(place, call);
      const episode = episodes.named(keyOf(call), place.episode);
      await action(episode, response, style);
    } catch (error) {
      const failure = gatewayErrorOf(error);
      if (response.headersSent) response.destroy();
      else json(response, dialectOf(place, call).error(failure), failure);
    }
  };
}

function placeOf(path: string): Place {
  const [, episode, family, action = ""] = PATH.exec(path) ?? [];
  return {
    episode: episode === undefined ? undefined : decoded(episode),
    family: family as Place["family"],
    action,
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function keyOf({ headers }: HttpCall): string | undefined {
  const bearer = /^Bearer\s+(.+)$/i.exec(headers["authorization"] ?? "")?.[1];
  return bearer ?? headers["x-api-key"] ?? headers["api-key"];
}

/** Whose form errors and lists have. */
function dialectOf({ family, action }: Place, { headers }: HttpCall): Dialect {
  const isAnthropic =
    family === "anthropic" ||
    action.startsWith("messages") ||
    (family === undefined && headers["anthropic-version"] !== undefined);
  return isAnthropic ? messages : chat;
}

type Action = (episode: Episode, response: ServerResponse, style: AnswerStyle) => Promise<void>;

const ANSWERS: { readonly [action: string]: Dialect } = {
  "chat/completions": chat,
  responses,
  messages,
};

/** Throws 404 and 405. */
function actionOf(place: Place, call: HttpCall): Action {
  const { action } = place;
  const dialect = Object.hasOwn(ANSWERS, action) ? ANSWERS[action] : undefined;
  if (dialect) {
    requireMethod(call, "POST");
    return (episode, response, style) => answerCall(dialect, episode, call, response, style);
  }
  if (action === "models" || action.startsWith("models/")) {
    requireMethod(call, "GET");
    return async (_, response, { model }) =>
      json(response, modelsOf(model, place, dialectOf(place, call) === messages));
  }
  const post = POSTS[action];
  if (post === undefined) {
    throw new GatewayError(404, "unknown_path", `there is nothing at ${call.path}`);
  }
  requireMethod(call, "POST");
  return async (episode, response) => {
    const body = await call.body();
    json(response, post(episode, body.length === 0 ? {} : jsonOf(body)));
  };
}

function requireMethod({ method, path }: HttpCall, expected: "GET" | "POST"): void {
  if (method === expected) return;
  throw new GatewayError(405, "wrong_method", `${path} takes ${expected}, not ${method}`);
}

const posted = z.object({
  value: z.number(),
  metrics: z.record(z.string(), z.number()).optional(),
});
const completed = z.object({ ...posted.shape, value: posted.shape.value.optional() });

/** What is answered at once. */
const POSTS: { readonly [action: string]: (episode: Episode, body: unknown) => object } = {
  "messages/count_tokens": ({ session }, body) => ({
    input_tokens: session.countTokens(conversationAsked(body)),
  }),
  /** The last reward counts. */
  reward: (episode, body) => {
    const { value, metrics = {} } = read(posted, body);
    episode.posted = { value, metrics };
    return { ok: true };
  },
  complete: (episode, body) => {
    const { value, metrics } = read(completed, body);
    const before = episode.posted;
    if (value !== undefined || before !== undefined) {
      episode.posted = {
        value: value ?? before!.value,
        metrics: metrics ?? before?.metrics ?? {},
      };
    }
    episode.complete();
    return { ok: true };
  },
};

function modelsOf(model: string, { action }: Place, isAnthropic: boolean): object {
  const one = isAnthropic
    ? { type: "model", id: model, display_name: model, created_at: "1970-01-01T00:00:00Z" }
    : { id: model, object: "model", created: 0, owned_by: "bowline" };
  if (action !== "models") return one;
  return isAnthropic
    ? { data: [one], has_more: false, first_id: model, last_id: model }
    : { object: "list", data: [one] };
}

function json(response: ServerResponse, body: object, error?: GatewayError): void {
  if (response.destroyed) return;
  const text = JSON.stringify(body);
  response.writeHead(error?.status ?? 200, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    ...(error && NO_RETRY),
  });
  response.end(text);
}
