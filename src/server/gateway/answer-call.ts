/**
 * Answers one call, from its body to the last byte of its reply. The dialect translates, the session answers, and the
 * reply is kept alive meanwhile. When the client leaves, the sampling ends.
 */
import { createHash, randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { type ExactJson, parseExactJson, printExactJson, toPlainJson } from "../../core/index.ts";
import type { AnswerOptions, SessionAnswer, SessionRequest } from "../../spec/index.ts";
import { type FrontCall, isJsonType, readJsonText, readMediaType } from "../http/index.ts";
import type { AnswerMetadata, AnswerStream, Dialect, ParsedCall } from "./dialect.ts";
import type { Episode } from "./episodes.ts";
import { GatewayError, toGatewayError } from "./gateway-error.ts";
import { HeldReply, type HoldOptions } from "./held-reply.ts";
import { formatIgnoredFields, listIgnoredFields } from "./request-settings.ts";
import type { CallEntry, CallMarks } from "./retries.ts";

/** How the gateway sends answers. */
export interface AnswerStyle extends HoldOptions {
  /** The model's name in answers. */
  readonly model: string;
  /**
   * Whether streams send text while it is sampled. Otherwise a stream is sent at once, with fewer calls of the engine.
   */
  readonly live: boolean;
}

/** Answers the call. An error that it throws has not been sent to the client yet. */
export async function answerCall(
  dialect: Dialect,
  episode: Episode,
  call: FrontCall,
  response: ServerResponse,
  style: AnswerStyle,
): Promise<void> {
  const body = await readBody(call);
  const parsed = dialect.parseRequest(parseJson(body), episode.memory);
  const entry = episode.retries.findOrRegister(readCallMarks(call, body));
  const clientGone = new AbortController();
  const connection = entry.connections;
  response.on("close", () => {
    if (!response.writableFinished && entry.connections === connection) entry.isLost = true;
    clientGone.abort();
  });
  const form = { ...dialect, isStream: parsed.isStream };
  const request = buildSessionRequest(parsed, call, entry);
  const headers = buildHeaders(parsed.body, episode.session.listIgnoredSettings(request), parsed);
  const reply = new HeldReply(response, form, headers, style);
  const metadata = createMetadata(style);
  const stream = parsed.isStream ? dialect.streamAnswer(parsed, metadata) : undefined;
  const state: CallState = {
    dialect,
    episode,
    parsed,
    metadata,
    reply,
    stream,
    streamedText: "",
  };
  try {
    await sendAnswer(state, request, clientGone.signal, style.live);
  } catch (error) {
    episode.retries.remove(entry);
    replyWithError(state, episode.closedSignal.aborted ? episode.closedSignal.reason : error);
  }
}

interface CallState {
  readonly dialect: Dialect;
  readonly episode: Episode;
  readonly parsed: ParsedCall;
  readonly metadata: AnswerMetadata;
  readonly reply: HeldReply;
  readonly stream: AnswerStream | undefined;
  /** The text that has been streamed so far. */
  streamedText: string;
}

async function sendAnswer(
  state: CallState,
  request: SessionRequest,
  clientGone: AbortSignal,
  live: boolean,
): Promise<void> {
  const { dialect, episode, parsed, metadata, reply, stream } = state;
  const onText = (delta: string) => {
    state.streamedText += delta;
    reply.write(stream?.writeText(delta) ?? "");
  };
  const signal = AbortSignal.any([clientGone, episode.closedSignal]);
  const answer = await respondToCall(state, request, {
    signal,
    ...(live && stream && { onText, onStart: (usage) => stream.start?.(usage) }),
  });
  if (answer === undefined) return reply.cutConnection();
  dialect.rememberAnswer?.(answer, parsed, metadata, {
    memory: episode.memory,
    streamedText: state.streamedText,
  });
  reply.end(
    stream ? stream.finish(answer) : printExactJson(dialect.buildAnswer(answer, parsed, metadata)),
  );
}

/** Gets the session's answer. Returns undefined when the client has left. */
async function respondToCall(
  { episode, streamedText }: CallState,
  request: SessionRequest,
  options: AnswerOptions & { readonly signal: AbortSignal },
): Promise<SessionAnswer | undefined> {
  const { session, closedSignal } = episode;
  const first = await session.respond(request, options);
  if (first.end !== "cancelled") return first;
  if (closedSignal.aborted) throw closedSignal.reason;
  if (options.signal.aborted) return undefined;
  // This call repeats one whose client has just left. That turn was dropped, so this is the first answer to it.
  const again = { ...request, retryKey: `${request.retryKey}+${randomBytes(6).toString("hex")}` };
  if (streamedText !== "") return undefined;
  const second = await session.respond(again, options);
  return second.end === "cancelled" ? undefined : second;
}

function replyWithError({ dialect, reply, stream }: CallState, error: unknown): void {
  const failure = toGatewayError(error);
  if (!reply.hasBegun) {
    reply.end(JSON.stringify(dialect.buildError(failure)), failure.status);
  } else if (stream) reply.end(stream.writeError(failure));
  else reply.cutConnection();
}

function buildSessionRequest(
  { request }: ParsedCall,
  { headers }: FrontCall,
  { retryKey }: CallEntry,
): SessionRequest {
  const role = headers["x-bowline-role"] ?? headers["x-claude-code-agent-id"];
  return { ...request, retryKey, ...(role !== undefined && { role }) };
}

/** The objects that chat templates write: arguments and results of calls, and schemas of tools. */
const EXACT_OBJECT = new RegExp(
  [
    /^messages\.\d+\.content\.\d+\.input$/,
    /^tools\.\d+\.(?:function\.parameters|parameters|input_schema)$/,
    /^(?:.+\.)?contents\.\d+\.parts\.\d+\.function_?(?:call\.args|response\.response)$/,
    /^(?:.+\.)?tools\.\d+\.function_?declarations\.\d+\.parameters(?:_?json_?schema)?$/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "i",
);

/** The types that `fetch` and curl send when a program names none. They say nothing about a body. */
const DEFAULT_TYPES = ["", "text/plain", "application/x-www-form-urlencoded"];

/** Reads the body of a call. Throws a 415 when the request says that it is something other than JSON. */
export async function readBody(call: FrontCall): Promise<Buffer> {
  const mediaType = readMediaType(call.headers);
  const body = await call.body();
  const isUnnamed = body.length === 0 || DEFAULT_TYPES.includes(mediaType);
  if (isUnnamed || isJsonType(mediaType)) return body;
  throw new GatewayError(
    415,
    "unsupported_media_type",
    `content-type: expected application/json, got ${JSON.stringify(mediaType)}`,
  );
}

/**
 * Parses a body as JSON. Objects that chat templates write stay maps, which keep the source of their numbers. Throws a
 * 400 when it is not JSON.
 */
export function parseJson(body: Buffer): unknown {
  const text = readJsonText(body);
  let exact: ExactJson;
  try {
    exact = parseExactJson(text);
  } catch {
    throw new GatewayError(400, "invalid_json", "the body is not JSON");
  }
  return toPlainJson(exact, (path) => EXACT_OBJECT.test(path));
}

function readCallMarks({ path, headers }: FrontCall, body: Buffer): CallMarks {
  const digest = createHash("sha256").update(path).update("\n").update(body).digest("base64");
  const count = Number(headers["x-stainless-retry-count"] ?? 0);
  return {
    digest,
    retryCount: Number.isFinite(count) ? count : 0,
    idempotencyKey: headers["idempotency-key"],
  };
}

/** Returns the header that names the fields of a body that are not obeyed, if there are any. */
export function buildHeaders(
  body: unknown,
  ignoredSettings: readonly string[],
  { settingFields }: Pick<ParsedCall, "settingFields">,
): Record<string, string> {
  const ignored = listIgnoredFields(body, ignoredSettings, settingFields);
  return ignored.length > 0 ? { "x-bowline-ignored": formatIgnoredFields(ignored) } : {};
}

function createMetadata({ model }: AnswerStyle): AnswerMetadata {
  return {
    id: randomBytes(12).toString("hex"),
    model,
    createdSeconds: Math.floor(Date.now() / 1000),
  };
}
