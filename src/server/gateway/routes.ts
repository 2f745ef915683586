/**
 * Routes calls to actions. `/e/EPISODE/openai/v1/...` and `/e/EPISODE/anthropic/v1/...` name the episode; otherwise the
 * key identifies it. Some clients add `/v1` to the base URL and some do not, so `/v1` may occur any number of times.
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
import type { Dialect } from "./dialect.ts";
import type { Episode, Episodes } from "./episodes.ts";
import { GatewayError, toGatewayError } from "./gateway-error.ts";
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
  readonly family: "openai" | "anthropic" | undefined;
  /** The rest of the path, such as `chat/completions`. */
  readonly action: string;
}

const PATH = /^(?:\/e\/([^/]+))?(?:\/(openai|anthropic))?(?:\/v1)*\/(.+?)\/?$/;

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
  const [, episode, family, action = ""] = PATH.exec(path) ?? [];
  return {
    episode: episode === undefined ? undefined : decodeUriOrKeep(episode),
    family: family as RoutePath["family"],
    action,
  };
}

function decodeUriOrKeep(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function readApiKey({ headers }: RequestHead): string | undefined {
  return readBearerKey(headers) ?? headers["x-api-key"] ?? headers["api-key"];
}

/** Returns the dialect in which errors and lists are formatted. */
function chooseDialect({ family, action }: RoutePath, { headers }: RequestHead): Dialect {
  const isAnthropic =
    family === "anthropic" ||
    action.startsWith("messages") ||
    (family === undefined && headers["anthropic-version"] !== undefined);
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
  const dialect = Object.hasOwn(ANSWER_DIALECTS, action) ? ANSWER_DIALECTS[action] : undefined;
  if (dialect) {
    requireMethod(call, "POST");
    return (episode, response, style) => answerCall(dialect, episode, call, response, style);
  }
  if (action === "models" || action.startsWith("models/")) {
    requireMethod(call, "GET");
    return async (_, response, { model }) =>
      sendReply(
        response,
        formatJson(listModels(model, routePath, chooseDialect(routePath, call) === messages)),
      );
  }
  const post = Object.hasOwn(POST_ACTIONS, action) ? POST_ACTIONS[action] : undefined;
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

/** The POST actions that need no sampling. */
const POST_ACTIONS: {
  readonly [action: string]: (episode: Episode, body: unknown) => PostAnswer | Promise<PostAnswer>;
} = {
  "messages/count_tokens": async ({ session }, raw) => {
    const { request, body, settingFields } = parsePrompt(raw);
    const ignored = session.listIgnoredSettings(request);
    return {
      answer: {
        input_tokens: await (session.countTokensInBackground?.(request) ??
          session.countTokens(request)),
      },
      headers: buildHeaders(body, ignored, { settingFields }),
    };
  },
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

function listModels(model: string, { action }: RoutePath, isAnthropic: boolean): object {
  const one = isAnthropic
    ? { type: "model", id: model, display_name: model, created_at: "1970-01-01T00:00:00Z" }
    : { id: model, object: "model", created: 0, owned_by: "bowline" };
  if (action !== "models") return one;
  return isAnthropic
    ? { data: [one], has_more: false, first_id: model, last_id: model }
    : { object: "list", data: [one] };
}

function formatJson(
  body: object,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): ReplyText {
  const text = JSON.stringify(body);
  return { status, headers: { "content-type": "application/json", ...headers }, text };
}
