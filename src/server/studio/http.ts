/**
 * The studio's HTTP server: which requests it answers, and what the page that it serves may do.
 *
 * Three checks refuse three kinds of strangers. The `Host` header refuses web pages whose name resolves to this
 * machine. The `Origin` header refuses pages of other origins. The token refuses other users of this machine: it is new
 * for every chosen port, and the printed URL carries it only in the fragment, which browsers do not send. The page itself
 * holds no secret and is served without the token, under a content security policy that restricts it to this server.
 */
import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import {
  type FrontCall,
  isSameKey,
  openFront,
  type ReplyText,
  readBearerKey,
  readJsonText,
  readMediaType,
  sendReply,
} from "../http/index.ts";
import { loadToken } from "./saved-token.ts";
import { errorReply, StudioError } from "./studio-error.ts";

/** One API request, independent of its socket. */
export interface StudioCall {
  readonly method: string;
  /** The decoded path segments after `/api/`, such as `["runs", "a/b", "metrics"]`. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** Returns the parsed JSON body. Throws 400 or 413. */
  json(): Promise<unknown>;
}

/** What a route answers: JSON, or events until the iterable ends, each as one `data:` line. */
export type StudioReply = { readonly json: unknown } | { readonly events: AsyncIterable<unknown> };

export type StudioApi = (call: StudioCall) => Promise<StudioReply>;

/** A file that belongs to the page. */
export interface PageFile {
  readonly type: string;
  readonly body: Buffer;
}

export interface ListenOptions {
  readonly api: StudioApi;
  /** Returns the file at a path such as `/` or `/assets/index.js`. Style elements of the page must carry `nonce`. */
  readonly page: (path: string, nonce: string) => PageFile | undefined;
  /** 0 chooses any free port. */
  readonly port: number;
  /** How many milliseconds a client may take to send a request; default 300,000. */
  readonly receiveMs?: number;
}

export interface StudioServer {
  readonly port: number;
  readonly token: string;
  close(): Promise<void>;
}

export const HOST = "127.0.0.1";
const MAX_BODY_BYTES = 1 << 20;
const PING_MS = 15_000;

/** Starts the server on loopback. Throws a `config` error if the port cannot be opened. */
export async function startServer(options: ListenOptions): Promise<StudioServer> {
  const { port, receiveMs } = options;
  const createToken = () => randomBytes(24).toString("base64url");
  // A port that the system chooses is another one at the next start.
  const token = port === 0 ? createToken() : loadToken(port, createToken);
  const listening = await openFront({
    host: HOST,
    port,
    limits: { bodyBytes: MAX_BODY_BYTES, ...(receiveMs !== undefined && { receiveMs }) },
    answer: (call, response) => answerCall(call, response, { ...options, token }),
    formatError(error) {
      const { status, error: text } = errorReply(error);
      return formatJson(status, { error: text });
    },
  });
  return { ...listening, token };
}

type CallContext = Pick<ListenOptions, "api" | "page"> & { readonly token: string };

async function answerCall(
  call: FrontCall,
  response: ServerResponse,
  { api, page, token }: CallContext,
): Promise<void> {
  const { method, path, query } = call;
  if (path.startsWith("//"))
    throw new StudioError(400, "expected a path that begins with one slash");
  if (path !== "/api" && !path.startsWith("/api/")) return sendPage(call, response, page);
  requireToken(call, token);
  const clientGone = new AbortController();
  response.on("close", () => clientGone.abort());
  const { signal } = clientGone;
  const reply = await api({
    ...{ method, query, signal },
    path: decodePathSegments(path),
    json: () => readJsonBody(call),
  });
  if ("events" in reply) return sendEvents(response, reply.events, signal);
  sendReply(response, formatJson(200, reply.json));
}

function decodePathSegments(pathname: string): string[] {
  try {
    return pathname.split("/").slice(2).map(decodeURIComponent);
  } catch {
    throw new StudioError(400, "the path is not correctly URL-encoded");
  }
}

function requireToken({ headers }: FrontCall, token: string): void {
  if (isSameKey(readBearerKey(headers), token)) return;
  throw new StudioError(
    401,
    "the token is missing or belongs to an earlier start of the studio: open the URL that the studio printed",
  );
}

async function readJsonBody(call: FrontCall): Promise<unknown> {
  if (readMediaType(call.headers) !== "application/json") {
    throw new StudioError(400, "expected a body of content-type application/json");
  }
  const text = readJsonText(await call.body());
  try {
    return JSON.parse(text);
  } catch {
    throw new StudioError(400, "the body is not JSON");
  }
}

const SECURITY_HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
} as const;

const contentSecurityPolicy = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

function sendPage(
  { method, path }: FrontCall,
  response: ServerResponse,
  page: CallContext["page"],
): void {
  if (method !== "GET" && method !== "HEAD")
    throw new StudioError(400, `pages cannot be requested with ${method}`);
  const nonce = randomBytes(16).toString("base64url");
  const file = page(path, nonce);
  if (file === undefined) throw new StudioError(404, "there is no such page");
  response.writeHead(200, {
    ...SECURITY_HEADERS,
    "content-type": file.type,
    "content-length": file.body.length,
    "content-security-policy": contentSecurityPolicy(nonce),
  });
  response.end(method === "HEAD" ? undefined : file.body);
}

function formatJson(status: number, value: unknown): ReplyText {
  const headers = { ...SECURITY_HEADERS, "content-type": "application/json; charset=utf-8" };
  return { status, headers, text: JSON.stringify(value) };
}

/** Sends each event as one `data:` line. A comment every few seconds makes a lost connection show. */
async function sendEvents(
  response: ServerResponse,
  events: AsyncIterable<unknown>,
  signal: AbortSignal,
): Promise<void> {
  response.writeHead(200, {
    ...SECURITY_HEADERS,
    "content-type": "text/event-stream; charset=utf-8",
  });
  response.flushHeaders();
  const ping = setInterval(() => response.write(": here\n\n"), PING_MS).unref();
  try {
    for await (const event of events) {
      if (signal.aborted) return;
      const hasRoom = response.write(`data: ${JSON.stringify(event)}\n\n`);
      if (!hasRoom) await waitForDrain(response, signal);
    }
  } finally {
    clearInterval(ping);
    response.end();
  }
}

function waitForDrain(response: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    response.once("drain", resolve);
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
