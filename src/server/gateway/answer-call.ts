/**
 * One call for an answer, from its body to the last byte of its reply. The dialect translates, the session answers, the
 * reply is held; a client that is gone ends its sampling.
 */
import { createHash, randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { AnswerOptions, SessionAnswer, SessionRequest } from "../../spec/index.ts";
import type { Asked, Dialect, Stamp, Told } from "./dialect.ts";
import type { Episode } from "./episodes.ts";
import { GatewayError, gatewayErrorOf } from "./gateway-error.ts";
import { HeldReply, type HoldOptions } from "./held-reply.ts";
import type { HttpCall } from "./http.ts";
import type { CallMarks, Entry } from "./retries.ts";

/** How answers are given. */
export interface AnswerStyle extends HoldOptions {
  /** The model's name in answers. */
  readonly model: string;
  /** Text streams while it is sampled; otherwise a stream is one burst, which costs fewer calls of the engine. */
  readonly live: boolean;
}

/** Answers the call; what it throws was not replied to yet. */
export async function answerCall(
  dialect: Dialect,
  episode: Episode,
  call: HttpCall,
  response: ServerResponse,
  style: AnswerStyle,
): Promise<void> {
  const body = await call.body();
  const asked = dialect.ask(jsonOf(body), episode.kept);
  const entry = episode.retries.admit(marksOf(call, body));
  const gone = new AbortController();
  const connection = entry.connections;
  response.on("close", () => {
    if (!response.writableFinished && entry.connections === connection) entry.isLost = true;
    gone.abort();
  });
  const form = { streamed: asked.stream, filler: dialect.filler };
  const reply = new HeldReply(response, form, headersOf(asked), style);
  const stamp = newStamp(style);
  const told = asked.stream ? dialect.tell(asked, stamp) : undefined;
  const exchange: Exchange = { dialect, episode, asked, stamp, reply, told, soFar: "" };
  try {
    await answer(exchange, requestOf(asked, call, entry), gone.signal, style.live);
  } catch (error) {
    episode.retries.forget(entry);
    fail(exchange, episode.over.aborted ? episode.over.reason : error);
  }
}

interface Exchange {
  readonly dialect: Dialect;
  readonly episode: Episode;
  readonly asked: Asked;
  readonly stamp: Stamp;
  readonly reply: HeldReply;
  readonly told: Told | undefined;
  /** The text that was told. */
  soFar: string;
}

async function answer(
  exchange: Exchange,
  request: SessionRequest,
  gone: AbortSignal,
  live: boolean,
): Promise<void> {
  const { dialect, episode, asked, stamp, reply, told } = exchange;
  const onText = (delta: string) => {
    exchange.soFar += delta;
    reply.write(told?.text(delta) ?? "");
  };
  const signal = AbortSignal.any([gone, episode.over]);
  const said = await respond(exchange, request, { signal, ...(live && told && { onText }) });
  if (said === undefined) return reply.cut();
  dialect.keep?.(said, asked, stamp, { kept: episode.kept, told: exchange.soFar });
  reply.end(told ? told.end(said) : JSON.stringify(dialect.whole(said, asked, stamp)));
}

/** Undefined when nobody listens any more. */
async function respond(
  { episode, soFar }: Exchange,
  request: SessionRequest,
  options: AnswerOptions & { readonly signal: AbortSignal },
): Promise<SessionAnswer | undefined> {
  const { session, over } = episode;
  const said = await session.respond(request, options);
  if (said.end !== "cancelled") return said;
  if (over.aborted) throw over.reason;
  if (options.signal.aborted) return undefined;
  // A repetition of a call whose client went away just now: nothing of that turn is kept, so this is its first answer.
  const again = { ...request, retryKey: `${request.retryKey}+${randomBytes(6).toString("hex")}` };
  if (soFar !== "") return undefined;
  const second = await session.respond(again, options);
  return second.end === "cancelled" ? undefined : second;
}

function fail({ dialect, reply, told }: Exchange, error: unknown): void {
  const failure = gatewayErrorOf(error);
  if (!reply.hasBegun) {
    reply.end(JSON.stringify(dialect.error(failure)), failure.status);
  } else if (told) reply.end(told.fail(failure));
  else reply.cut();
}

function requestOf({ request }: Asked, { headers }: HttpCall, { retryKey }: Entry): SessionRequest {
  const role = headers["x-bowline-role"] ?? headers["x-claude-code-agent-id"];
  return { ...request, retryKey, ...(role !== undefined && { role }) };
}

/** Throws 400. */
export function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw new GatewayError(400, "invalid_json", "the body is no JSON");
  }
}

function marksOf({ path, headers }: HttpCall, body: Buffer): CallMarks {
  const digest = createHash("sha256").update(path).update("\n").update(body).digest("base64");
  const count = Number(headers["x-stainless-retry-count"] ?? 0);
  return {
    digest,
    retryCount: Number.isFinite(count) ? count : 0,
    idempotencyKey: headers["idempotency-key"],
  };
}

function headersOf({ ignored }: Asked): Record<string, string> {
  return ignored.length > 0 ? { "x-bowline-ignored": ignored.join(", ") } : {};
}

function newStamp({ model }: AnswerStyle): Stamp {
  return {
    id: randomBytes(12).toString("hex"),
    model,
    createdS: Math.floor(Date.now() / 1000),
  };
}
