/**
 * The studio's HTTP server: which requests it answers, and what the page that it serves may do.
 *
 * Three checks refuse three kinds of strangers. The `Host` header refuses web pages whose name resolves to this
 * machine. The `Origin` header refuses pages of other origins. The token refuses other users of this machine: it is new
 * at every start, and the printed URL carries it only in the fragment, which browsers do not send. The page itself
 * holds no secret and is served without the token, under a content security policy that restricts it to this server.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { BowlineError, errorMessage } from "../../core/index.ts";
import { parseRequestTarget, type RequestTarget } from "../request-target.ts";
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
export async function startServer({ api, page, port }: ListenOptions): Promise<StudioServer> {
  const token = randomBytes(24).toString("base64url");
  const server = createServer((request, response) => {
    // A client that disconnects is not an error of the server.
    response.on("error", () => {});
    void answerRequest(request, response, { api, page, token });
  });
  await listenOn(server, port);
  return {
    port: (server.address() as AddressInfo).port,
    token,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listenOn(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const why =
        cause.code === "EADDRINUSE" ? "another program is listening on it" : errorMessage(cause);
      reject(new BowlineError("config", `cannot listen on ${HOST}:${port}: ${why}`, { cause }));
    });
    server.listen(port, HOST, resolve);
  });
}

type RequestContext = Pick<ListenOptions, "api" | "page"> & { readonly token: string };

async function answerRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { api, page, token }: RequestContext,
): Promise<void> {
  const clientGone = new AbortController();
  response.on("close", () => clientGone.abort());
  try {
    const target = requireTarget(request);
    requireLoopbackHost(request);
    if (target.path !== "/api" && !target.path.startsWith("/api/")) {
      return sendPage(request, response, page, target.path);
    }
    requireToken(request, token);
    const path = decodePathSegments(target.path);
    const { method = "GET" } = request;
    const readBody = () => readJsonBody(request);
    const reply = await api({
      method,
      path,
      query: target.query,
      signal: clientGone.signal,
      json: readBody,
    });
    if ("events" in reply) await sendEvents(response, reply.events, clientGone.signal);
    else sendJson(response, 200, reply.json);
  } catch (error) {
    if (response.headersSent) return void response.end();
    const { status, error: text } = errorReply(error);
    sendJson(response, status, { error: text });
  }
}

function requireTarget(request: IncomingMessage): RequestTarget {
  const target = parseRequestTarget(request.url);
  if (target === undefined || target.path.startsWith("//"))
    throw new StudioError(400, "expected a path that begins with one slash");
  return target;
}

function decodePathSegments(pathname: string): string[] {
  try {
    return pathname.split("/").slice(2).map(decodeURIComponent);
  } catch {
    throw new StudioError(400, "the path is not correctly URL-encoded");
  }
}

const LOOPBACK_NAMES = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Refuses other host names, because a web page may let its own name resolve to this machine. */
function requireLoopbackHost({ headers }: IncomingMessage): void {
  const host = headers.host ?? "";
  const name = host.replace(/:\d+$/, "");
  if (!LOOPBACK_NAMES.has(name))
    throw new StudioError(
      421,
      `this server is ${HOST}, but the request names the host ${JSON.stringify(name)}`,
    );
  const { origin } = headers;
  if (origin !== undefined && origin !== `http://${host}`) {
    throw new StudioError(403, "requests from pages of another origin are refused");
  }
}

function requireToken({ headers }: IncomingMessage, token: string): void {
  const receivedToken = Buffer.from((headers.authorization ?? "").replace(/^Bearer /i, ""));
  const expectedToken = Buffer.from(token);
  if (
    receivedToken.length === expectedToken.length &&
    timingSafeEqual(receivedToken, expectedToken)
  )
    return;
  throw new StudioError(
    401,
    "the token is missing or belongs to an earlier start of the studio: open the URL that the studio printed",
  );
}

async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  if (!/^application\/json\b/.test(request.headers["content-type"] ?? "")) {
    throw new StudioError(400, "expected a body of content-type application/json");
  }
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  for await (const part of request) {
    sizeBytes += part.length;
    if (sizeBytes > MAX_BODY_BYTES) throw new StudioError(413, "the body is larger than 1 MiB");
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString("utf8"));
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
  { method = "GET" }: IncomingMessage,
  response: ServerResponse,
  page: RequestContext["page"],
  path: string,
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

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  const body = Buffer.from(JSON.stringify(value));
  response.writeHead(status, {
    ...SECURITY_HEADERS,
    "content-type": "application/json; charset=utf-8",
    "content-length": body.length,
  });
  response.end(body);
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
