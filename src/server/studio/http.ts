/**
 * HTTP under the studio: who may ask, and what a page that is served from here may do.
 *
 * Three doors, each enough against one kind of visitor. A web page elsewhere whose name resolves to this machine is refused
 * by the name that it asked for; a page of another origin by its `Origin`; another user of this machine by the token, which
 * is new at every start and only ever in the part of the printed URL that browsers do not send. The page itself (no secret)
 * is served without it, under a policy that lets it load, run and speak to nothing but this server.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { BowlineError, errorMessage } from "../../core/index.ts";
import { errorReply, StudioError } from "./studio-error.ts";

/** One request of the API, without its socket. */
export interface StudioCall {
  readonly method: string;
  /** Behind `/api/`, decoded: `["runs", "a/b", "metrics"]`. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
  /** Parsed JSON of the body; throws 400, 413. */
  json(): Promise<unknown>;
}

/** What a route answers: JSON, or events until the iterable ends (each is one `data:` line). */
export type StudioReply = { readonly json: unknown } | { readonly events: AsyncIterable<unknown> };

export type StudioApi = (call: StudioCall) => Promise<StudioReply>;

/** A file of the page. */
export interface PageFile {
  readonly type: string;
  readonly body: Buffer;
}

export interface ListenOptions {
  readonly api: StudioApi;
  /** The page's file at a path such as `/` or `/assets/index.js`; `nonce` is what its own style elements are to carry. */
  readonly page: (path: string, nonce: string) => PageFile | undefined;
  /** 0: any that is free. */
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

/** Throws a `config` error when the port cannot be had. */
export async function startServer({ api, page, port }: ListenOptions): Promise<StudioServer> {
  const token = randomBytes(24).toString("base64url");
  const server = createServer((request, response) => {
    // A client that is gone is no error of ours.
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
        cause.code === "EADDRINUSE" ? "something else listens there" : errorMessage(cause);
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
    const url = parseRequestUrl(request);
    requireLoopbackHost(request);
    if (url.pathname !== "/api" && !url.pathname.startsWith("/api/")) {
      return sendPage(request, response, page, url.pathname);
    }
    requireToken(request, token);
    const path = decodePathSegments(url.pathname);
    const { method = "GET" } = request;
    const json = () => readJsonBody(request);
    const reply = await api({
      method,
      path,
      query: url.searchParams,
      signal: clientGone.signal,
      json,
    });
    if ("events" in reply) await sendEvents(response, reply.events, clientGone.signal);
    else sendJson(response, 200, reply.json);
  } catch (error) {
    if (response.headersSent) return void response.end();
    const { status, error: text } = errorReply(error);
    sendJson(response, status, { error: text });
  }
}

function parseRequestUrl(request: IncomingMessage): URL {
  const raw = request.url ?? "/";
  if (!raw.startsWith("/") || raw.startsWith("//")) throw new StudioError(400, "not a path");
  return new URL(raw, `http://${HOST}`);
}

function decodePathSegments(pathname: string): string[] {
  try {
    return pathname.split("/").slice(2).map(decodeURIComponent);
  } catch {
    throw new StudioError(400, "the path is not encoded as URLs are");
  }
}

const LOOPBACK_NAMES = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** A page on the web may let its name resolve to this machine; what listens on loopback answers to its names alone. */
function requireLoopbackHost({ headers }: IncomingMessage): void {
  const host = headers.host ?? "";
  const name = host.replace(/:\d+$/, "");
  if (!LOOPBACK_NAMES.has(name))
    throw new StudioError(421, `this is ${HOST}, not ${name || "nameless"}`);
  const { origin } = headers;
  if (origin !== undefined && origin !== `http://${host}`) {
    throw new StudioError(403, "pages of another origin are not answered");
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
    "the token is missing or of another start of the studio: open the URL that it printed",
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
    throw new StudioError(400, `${method} is not for pages`);
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

/** One `data:` line an event; a comment now and then, so that a client that is gone is noticed. */
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
