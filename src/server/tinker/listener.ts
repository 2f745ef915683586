/** Serves an exchange over HTTP: limits request bodies, sends one answer per request, and closes without waiting. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { BowlineError, errorMessage } from "../../core/index.ts";
import { parseRequestTarget } from "../request-target.ts";
import { ApiError } from "./api-error.ts";
import { type Exchange, type HttpCall, type HttpReply, PROTOBUF } from "./exchange.ts";

export interface ListenOptions {
  readonly host: string;
  /** The port; 0 picks a free one. */
  readonly port: number;
  /** The largest body, also after decompression. */
  readonly bodyLimitBytes: number;
}

export interface Listener {
  readonly host: string;
  readonly port: number;
  /** Stops listening and ends every connection. */
  close(): Promise<void>;
}

/** Idle connections stay open for longer than proxies and clients keep them, so the server never closes one first. */
const KEEP_ALIVE_MS = 75_000;
const MAX_CONNECTIONS = 4096;

/** Starts to listen. Throws a `config` error when the address is not available. */
export async function listen(exchange: Exchange, options: ListenOptions): Promise<Listener> {
  const server = createServer((request, response) => {
    void serveRequest(exchange, options, request, response);
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.maxConnections = MAX_CONNECTIONS;
  await bindAddress(server, options);
  const { port } = server.address() as AddressInfo;
  return {
    host: options.host,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function bindAddress(server: Server, { host, port }: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const why =
        cause.code === "EADDRINUSE" ? "the address is already in use" : errorMessage(cause);
      reject(new BowlineError("config", `cannot listen on ${host}:${port}: ${why}`, { cause }));
    });
    server.listen(port, host, resolve);
  });
}

async function serveRequest(
  exchange: Exchange,
  options: ListenOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const clientGone = new AbortController();
  response.on("close", () => clientGone.abort());
  let reply: HttpReply;
  try {
    const target = parseRequestTarget(request.url);
    if (target === undefined) throw new ApiError(400, "expected a path that begins with a slash");
    const headers = request.headers as HttpCall["headers"];
    requireLocalName(options.host, headers["host"]);
    reply = await exchange({
      method: request.method ?? "GET",
      path: target.path,
      query: target.query,
      headers,
      body: await readBody(request, options.bodyLimitBytes),
      signal: clientGone.signal,
      dropConnection: () => request.socket.destroy(),
    });
  } catch (error) {
    const status = error instanceof ApiError ? error.status : 500;
    reply = { status, json: { detail: errorMessage(error) }, headers: { connection: "close" } };
  }
  if (!response.destroyed) sendReply(response, reply);
}

const LOOPBACK = new Set(["127.0.0.1", "[::1]", "::1", "localhost"]);

/**
 * Refuses requests for other host names when the server listens on loopback. A web page could otherwise let its own
 * name resolve to this machine and call the server.
 */
function requireLocalName(host: string, requestedHost = ""): void {
  const name = requestedHost.replace(/:\d+$/, "");
  if (LOOPBACK.has(host) && !LOOPBACK.has(name)) {
    throw new ApiError(
      421,
      `this server answers requests for ${host}, but the request is for ${name || "no host"}`,
    );
  }
}

function sendReply(response: ServerResponse, reply: HttpReply): void {
  const [type, body] =
    "proto" in reply
      ? [PROTOBUF, reply.proto]
      : "archive" in reply
        ? ["application/x-tar", reply.archive]
        : ["application/json", Buffer.from(JSON.stringify(reply.json))];
  response.writeHead(reply.status, {
    "content-type": type,
    "content-length": body.length,
    ...reply.headers,
  });
  response.end(body);
}

async function readBody(request: IncomingMessage, limitBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size > limitBytes) throw bodyTooLargeError(limitBytes);
    parts.push(part);
  }
  return decompressBody(Buffer.concat(parts), request.headers["content-encoding"], limitBytes);
}

function decompressBody(
  body: Buffer,
  encoding: string | undefined,
  limitBytes: number,
): Uint8Array {
  if (encoding === undefined || encoding === "identity") return body;
  if (encoding !== "gzip")
    throw new ApiError(415, `Content-Encoding ${encoding} is not supported; send gzip or none`);
  try {
    return gunzipSync(body, { maxOutputLength: limitBytes });
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    throw isTooLarge
      ? bodyTooLargeError(limitBytes)
      : new ApiError(400, `the body is not valid gzip: ${errorMessage(error)}`);
  }
}

function bodyTooLargeError(limitBytes: number): ApiError {
  return new ApiError(413, `the body is larger than ${limitBytes} bytes`);
}
