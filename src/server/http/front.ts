/**
 * The one HTTP front of all servers. It reads requests from the network, refuses those that no server should see, and
 * gives the rest to the server as calls without sockets.
 *
 * What is refused here is refused everywhere, and each server writes the refusal in its own form:
 *
 *   bytes     not HTTP, an unknown protocol upgrade, a head, a body or a WebSocket message that is too large
 *   time      a request that does not arrive as a whole within the limit
 *   target    a request line without a path
 *   sender    another host name or origin, when the server listens on loopback
 *   errors    whatever a server throws; a client never gets a stack, and no request ends the process
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { BowlineError, errorMessage } from "../../core/index.ts";
import { requireLocalRequest } from "./local-requests.ts";
import { readBody } from "./read-body.ts";
import { HttpRefusal } from "./refusal.ts";
import { explainParserError, writeRawReply } from "./refuse-connection.ts";
import { type ReplyText, sendAndDrop, sendReply } from "./reply.ts";
import type { RequestHead } from "./request-head.ts";
import { parseRequestTarget } from "./request-target.ts";
import type { SocketDoor, SocketOptions } from "./socket-door.ts";

/** A request without its socket. */
export interface FrontCall extends RequestHead {
  readonly query: URLSearchParams;
  /** Reads the body, which can be done once. Throws a refusal: 413, 415 or 400. */
  body(): Promise<Buffer>;
  /** Ends the connection without an answer. */
  dropConnection(): void;
}

export interface RequestLimits {
  /** The largest body, also after decompression. */
  readonly bodyBytes: number;
  /** How long a client may take to send a whole request; default 300,000 ms. */
  readonly receiveMs?: number;
}

/** What a server says about itself. */
export interface FrontOptions {
  readonly host: string;
  /** The port; 0 picks a free one. */
  readonly port: number;
  readonly limits: RequestLimits;
  /** Whether bodies may be compressed by gzip; default false. */
  readonly acceptsGzip?: boolean;
  /** The most connections at once; default 4096. */
  readonly maxConnections?: number;
  /** Answers a call. What it throws is answered by `formatError`, unless the answer has begun: then it is cut. */
  answer(call: FrontCall, response: ServerResponse): Promise<void>;
  /** Writes an error in the server's own form. A refusal of the front is an `HttpRefusal`. */
  formatError(error: unknown, head: RequestHead): ReplyText;
  /** What becomes of WebSockets. Without it, a request for one is answered like any other request. */
  readonly sockets?: SocketOptions;
}

export interface Front {
  readonly port: number;
  /** Stops listening, lets answers that are nearly sent finish, and ends every connection. */
  close(): Promise<void>;
}

/** Idle connections stay open for longer than proxies and clients keep them, so the server never closes one first. */
const KEEP_ALIVE_MS = 75_000;
const MAX_CONNECTIONS = 4096;
const MAX_HEAD_BYTES = 16_384;
const MAX_HEADERS = 200;
const RECEIVE_MS = 300_000;
/** The headers alone must arrive within this time. */
const RECEIVE_HEAD_MS = 60_000;
/** How long `close` waits for answers that are being sent. */
const CLOSING_MS = 250;

/** Starts to listen. Throws a `config` error when the address is not available. */
export async function openFront(options: FrontOptions): Promise<Front> {
  const { receiveMs = RECEIVE_MS } = options.limits;
  const server = createServer({
    maxHeaderSize: MAX_HEAD_BYTES,
    requestTimeout: receiveMs,
    headersTimeout: Math.min(RECEIVE_HEAD_MS, receiveMs),
    connectionsCheckingInterval: Math.min(30_000, Math.ceil(receiveMs / 4)),
    keepAliveTimeout: KEEP_ALIVE_MS,
    // The front itself refuses requests without a host, in the server's own form.
    requireHostHeader: false,
    insecureHTTPParser: false,
  });
  // The number of headers is checked below. Node would drop those above its limit and say nothing.
  server.maxHeadersCount = 0;
  server.maxConnections = options.maxConnections ?? MAX_CONNECTIONS;
  const pending = new WeakMap<Duplex, ServerResponse>();
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    // A client that leaves is no error of the server.
    response.on("error", () => {});
    pending.set(request.socket, response);
    void answerRequest(request, response, options);
  };
  server.on("request", answer);
  refuseOddities(server, options, pending);
  const door = await openSocketDoor(server, options);
  await bindAddress(server, options);
  const port = (server.address() as AddressInfo).port;
  return { port, close: () => closeServer(server, door) };
}

/** Lets WebSockets in, when the server takes any. They pass the same checks as requests. */
async function openSocketDoor(
  server: Server,
  options: FrontOptions,
): Promise<SocketDoor | undefined> {
  const { sockets, formatError } = options;
  if (sockets === undefined) return undefined;
  // The library is loaded only by servers that take sockets.
  const { SocketDoor } = await import("./socket-door.ts");
  const door = new SocketDoor(sockets);
  server.on("upgrade", (request, socket, head) => {
    const refuse = (error: unknown) => {
      socket.on("error", () => {});
      writeRawReply(socket, formatError(error, readHead(request)));
    };
    try {
      const { method, path, headers, query } = readCall(request, options);
      door.letIn({ method, path, headers, query }, { request, socket, head, refuse });
    } catch (error) {
      refuse(error);
    }
  });
  return door;
}

/** Answers everything that Node does not report as a request. */
function refuseOddities(
  server: Server,
  { formatError }: FrontOptions,
  pending: WeakMap<Duplex, ServerResponse>,
): void {
  const refused = new WeakSet<Duplex>();
  const refuse = (socket: Duplex, refusal: HttpRefusal, head = UNREADABLE_HEAD) => {
    if (refused.has(socket)) return;
    refused.add(socket);
    socket.on("error", () => {});
    writeRawReply(socket, formatError(refusal, head));
  };
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const response = pending.get(socket);
    const isAnswered = response === undefined || response.writableFinished;
    // The bytes after a whole request are not that request's fault, and an answer that has begun cannot be replaced.
    if (!isAnswered && (response.req.complete || response.headersSent)) socket.destroy();
    else if (error.code === "ECONNRESET") socket.destroy();
    else refuse(socket, explainParserError(error));
  });
  server.on("connect", (request, socket) =>
    refuse(
      socket,
      new HttpRefusal(405, "wrong_method", "this server is no proxy, so it takes no CONNECT"),
      readHead(request),
    ),
  );
  server.on("checkExpectation", (request, response) => {
    const refusal = new HttpRefusal(
      417,
      "unknown_expectation",
      `expected no header expect, or 100-continue, got ${JSON.stringify(request.headers.expect)}`,
    );
    sendAndDrop(request, response, formatError(refusal, readHead(request)));
  });
}

const UNREADABLE_HEAD: RequestHead = { method: "", path: "", headers: {} };

function readHead(request: IncomingMessage): RequestHead {
  return {
    method: request.method ?? "",
    path: parseRequestTarget(request.url)?.path ?? "",
    headers: request.headers as RequestHead["headers"],
  };
}

async function answerRequest(
  request: IncomingMessage,
  response: ServerResponse,
  options: FrontOptions,
): Promise<void> {
  try {
    await options.answer(readCall(request, options), response);
  } catch (error) {
    if (response.headersSent) return void response.destroy();
    const reply = options.formatError(error, readHead(request));
    // The rest of such a body is not worth reading, so the connection ends.
    const endsConnection = error instanceof HttpRefusal && !request.complete;
    if (endsConnection) sendAndDrop(request, response, reply);
    else sendReply(response, reply);
  }
}

/** Reads a request as a call. Throws a refusal for a request that no server should see. */
function readCall(request: IncomingMessage, options: FrontOptions): FrontCall {
  const { host, limits, acceptsGzip = false } = options;
  const target = parseRequestTarget(request.url);
  if (target === undefined) {
    throw new HttpRefusal(400, "invalid_target", "expected a path that begins with a slash");
  }
  const headers = request.headers as RequestHead["headers"];
  requireFewHeaders(request);
  requireLocalRequest(host, headers);
  return {
    method: request.method ?? "",
    path: target.path,
    headers,
    query: target.query,
    body: () => readBody(request, { limitBytes: limits.bodyBytes, acceptsGzip }),
    dropConnection: () => request.socket.destroy(),
  };
}

/** Throws a 431 for very many headers, and a 400 unless exactly one of them is the host of an HTTP/1.1 request. */
function requireFewHeaders({ rawHeaders, httpVersion }: IncomingMessage): void {
  if (rawHeaders.length / 2 > MAX_HEADERS) {
    throw new HttpRefusal(431, "head_too_large", `expected at most ${MAX_HEADERS} headers`);
  }
  const hosts = rawHeaders.filter((text, i) => i % 2 === 0 && text.toLowerCase() === "host").length;
  if (hosts > 1 || (hosts === 0 && httpVersion === "1.1")) {
    throw new HttpRefusal(400, "invalid_host", `expected one header host, got ${hosts}`);
  }
}

function bindAddress(server: Server, { host, port }: FrontOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const why =
        cause.code === "EADDRINUSE"
          ? "the address is already in use: another program is listening on it"
          : errorMessage(cause);
      reject(new BowlineError("config", `cannot listen on ${host}:${port}: ${why}`, { cause }));
    });
    server.listen(port, host, resolve);
  });
}

function closeServer(server: Server, door: SocketDoor | undefined): Promise<void> {
  return new Promise((resolve) => {
    door?.sayGoodbye();
    const timer = setTimeout(() => {
      server.closeAllConnections();
      door?.endAll();
    }, CLOSING_MS);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}
