/**
 * Routes calls to actions. `/e/EPISODE/openai/v1/...`, `/e/EPISODE/anthropic/v1/...` and `/e/EPISODE/google/v1beta/...`
 * name the episode; otherwise the key identifies it. Some clients add the version to the base URL and some do not, so it
 * may occur any number of times.
 */
import type { ServerResponse } from "node:http";
import { z } from "zod";
import {
  type FrontCall,
  type FrontOptions,
  type ReplyText,
  type RequestHead,
  readBearerKey,
  sendReply,
} from "../http/index.ts";
import { type AnswerStyle, answerCall, buildHeaders, parseJson, readBody } from "./answer-call.ts";
import { chat } from "./chat/index.ts";
import type { Dialect, ParsedPrompt } from "./dialect.ts";
import type { Episode, Episodes } from "./episodes.ts";
import { GatewayError, toGatewayError } from "./gateway-error.ts";
import { google, parseCount } from "./google/index.ts";
import { NO_RETRY } from "./held-reply.ts";
import { messages, parsePrompt } from "./messages/index.ts";
import { parseBody } from "./parse-body.ts";
import { responses } from "./responses/index.ts";

export interface RoutesOptions {
  readonly episodes: Episodes;
  readonly style: AnswerStyle;
}

/** The parts of a path. */
interface RoutePath {
  readonly episode: string | undefined;
  /** The provider in the path. The format of errors and of the list of models depends on it. */
  readonly family: "openai" | "anthropic" | "google" | undefined;
  /** The rest of the path, such as `chat/completions` or `models/m:generateContent`. */
  readonly action: string;
}

const PATH =
  /^(?:\/e\/([^/]+))?(?:\/(openai|anthropic|google))?((?:\/v1(?:beta|alpha)?)*)\/(.+?)\/?$/;

/** Creates what the front needs of the gateway: how calls are answered, and how errors are written. */
export function createRoutes({
  episodes,
  style,
}: RoutesOptions): Pick<FrontOptions, "answer" | "formatError"> {
  return {
    async answer(call, response) {
      const routePath = parsePath(call.path);
      const action = findAction(routePath, call);
      const episode = episodes.authorize(readApiKey(call), routePath.episode);
      await action(episode, response, style);
    },
    formatError(error, head) {
      const failure = toGatewayError(error);
      const dialect = chooseDialect(parsePath(head.path), head);
      return formatJson(dialect.buildError(failure), failure.status, NO_RETRY);
    },
  };
}

function parsePath(path: string): RoutePath {
  const [, episode, provider, version, action = ""] = PATH.exec(path) ?? [];
  const isGoogle = /beta|alpha/.test(version ?? "") || GOOGLE_ACTION.test(action);
  const family = (provider as RoutePath["family"]) ?? (isGoogle ? "google" : undefined);
  return { episode: episode === undefined ? undefined : decodeUriOrKeep(episode), family, action };
}

function decodeUriOrKeep(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A model's name may have slashes and colons, so the last colon begins the action. */
const GOOGLE_ACTION =
  /^(?:models|tunedModels)\/.+:(generateContent|streamGenerateContent|countTokens)$/;

/** Google's clients send their key in a header or in the query. */
function readApiKey({ headers, query }: Pick<FrontCall, "headers" | "query">): string | undefined {
  return (
    readBearerKey(headers) ??
    headers["x-api-key"] ??
    headers["api-key"] ??
    headers["x-goog-api-key"] ??
    query.get("key") ??
    undefined
  );
}

/** Returns the dialect in which errors and lists are formatted. */
function chooseDialect({ family, action }: RoutePath, { headers }: RequestHead): Dialect {
  const isSentTo = (own: RoutePath["family"], header: string) =>
    family === own || (family === undefined && headers[header] !== undefined);
  if (isSentTo("google", "x-goog-api-key")) return google.whole;
  const isAnthropic = isSentTo("anthropic", "anthropic-version") || action.startsWith("messages");
  return isAnthropic ? messages : chat;
}

type Action = (episode: Episode, response: ServerResponse, style: AnswerStyle) => Promise<void>;

const ANSWER_DIALECTS: { readonly [action: string]: Dialect } = {
  "chat/completions": chat,
  responses,
  messages,
};

/** Returns the action of a path. Throws a 404 for an unknown path and a 405 for a wrong method. */
function findAction(routePath: RoutePath, call: FrontCall): Action {
  const { action } = routePath;
  const dialect = findAnswerDialect(action, call);
  if (dialect) {
    requireMethod(call, "POST");
    return (episode, response, style) => answerCall(dialect, episode, call, response, style);
  }
  const isCount = GOOGLE_ACTION.test(action);
  if (!isCount && (action === "models" || action.startsWith("models/"))) {
    requireMethod(call, "GET");
    const { name } = chooseDialect(routePath, call);
    return async (_, response, { model }) =>
      sendReply(response, formatJson(listModels(model, action, name)));
  }
  const post = isCount ? countGoogleTokens : findPostAction(action);
  if (post === undefined) {
    throw new GatewayError(404, "unknown_path", `there is no route ${call.path}`);
  }
  requireMethod(call, "POST");
  return async (episode, response) => {
    const body = await readBody(call);
    const { answer, headers } = await post(episode, body.length === 0 ? {} : parseJson(body));
    sendReply(response, formatJson(answer, 200, headers));
  };
}

/** Returns the dialect of an action that samples an answer. */
function findAnswerDialect(action: string, { query }: FrontCall): Dialect | undefined {
  if (Object.hasOwn(ANSWER_DIALECTS, action)) return ANSWER_DIALECTS[action];
  const [, method] = GOOGLE_ACTION.exec(action) ?? [];
  if (method === "generateContent") return google.whole;
  if (method !== "streamGenerateContent") return undefined;
  return query.get("alt") === "sse" ? google.events : google.list;
}

function requireMethod({ method, path }: RequestHead, expected: "GET" | "POST"): void {
  if (method === expected) return;
  throw new GatewayError(
    405,
    "wrong_method",
    `${path}: expected the method ${expected}, got ${method}`,
  );
}

const rewardSchema = z.strictObject({
  value: z.number(),
  metrics: z.record(z.string(), z.number()).optional(),
});
const completionSchema = z.strictObject({
  ...rewardSchema.shape,
  value: rewardSchema.shape.value.optional(),
});

interface PostAnswer {
  readonly answer: object;
  readonly headers?: Readonly<Record<string, string>>;
}

type PostAction = (episode: Episode, body: unknown) => PostAnswer | Promise<PostAnswer>;

/** Makes the action that counts the tokens of a prompt. */
function createCount(
  parse: (raw: unknown) => ParsedPrompt,
  toAnswer: (tokens: number) => object,
): PostAction {
  return async ({ session }, raw) => {
    const { request, body, settingFields } = parse(raw);
    const ignored = session.listIgnoredSettings(request);
    const tokens = await (session.countTokensInBackground?.(request) ??
      session.countTokens(request));
    return { answer: toAnswer(tokens), headers: buildHeaders(body, ignored, { settingFields }) };
  };
}

const countGoogleTokens = createCount(parseCount, (totalTokens) => ({ totalTokens }));

function findPostAction(action: string): PostAction | undefined {
  return Object.hasOwn(POST_ACTIONS, action) ? POST_ACTIONS[action] : undefined;
}

/** The POST actions that need no sampling. */
const POST_ACTIONS: { readonly [action: string]: PostAction } = {
  "messages/count_tokens": createCount(parsePrompt, (input_tokens) => ({ input_tokens })),
  /** Stores a reward; the last one counts. */
  reward: (episode, body) => {
    const { value, metrics = {} } = parseBody(rewardSchema, body);
    episode.postedReward = { value, metrics };
    return { answer: { ok: true } };
  },
  complete: (episode, body) => {
    const { value, metrics } = parseBody(completionSchema, body);
    const before = episode.postedReward;
    if (value !== undefined || before !== undefined) {
      episode.postedReward = {
        value: value ?? before!.value,
        metrics: metrics ?? before?.metrics ?? {},
      };
    }
    episode.complete();
    return { answer: { ok: true } };
  },
};

/** Lists the model, or describes it when the action names one, in the form of the dialect with this name. */
function listModels(model: string, action: string, dialect: string): object {
  const isList = action === "models";
  switch (dialect) {
    case "messages": {
      const type = { type: "model", id: model, display_name: model };
      const one = { ...type, created_at: "1970-01-01T00:00:00Z" };
      return isList ? { data: [one], has_more: false, first_id: model, last_id: model } : one;
    }
    case "google": {
      const supportedGenerationMethods = ["generateContent", "countTokens"];
      const one = { name: `models/${model}`, displayName: model, supportedGenerationMethods };
      return isList ? { models: [one] } : one;
    }
    default: {
      const one = { id: model, object: "model", created: 0, owned_by: "bowline" };
      return isList ? { object: "list", data: [one] } : one;
    }
  }
}

function formatJson(
  body: object,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): ReplyText {
  const text = JSON.stringify(body);
  return { status, headers: { "content-type": "application/json", ...headers }, text };
}
