/**
 * The HTTP server of the gateway: checks host names, limits bodies, and gives the routes a request without its socket.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { BowlineError, errorMessage } from "../../core/index.ts";
import { parseRequestTarget } from "../request-target.ts";
import { GatewayError } from "./gateway-error.ts";

/** A request without its socket. */
export interface HttpCall {
  readonly method: string;
  /** The path, without the query. Empty if the request names none, so that it reaches no route. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Reads the body, which can be done once. Throws a 413 when it is too large and a 415 when it is encoded. */
  body(): Promise<Buffer>;
}

export type Handler = (call: HttpCall, response: ServerResponse) => Promise<void>;

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly bodyLimitBytes: number;
}

export interface Listener {
  readonly port: number;
  close(): Promise<void>;
}

/** Idle connections stay open for longer than clients keep them, so the server never closes one first. */
const KEEP_ALIVE_MS = 75_000;

/** Starts to listen. Throws a `config` error when the address is not available. */
export async function listen(handle: Handler, options: ListenOptions): Promise<Listener> {
  const { host, port, bodyLimitBytes } = options;
  const server = createServer((request, response) => {
    // It is no error when a client leaves.
    response.on("error", () => {});
    void handle(readCall(request, bodyLimitBytes), response);
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await bindAddress(server, host, port);
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function bindAddress(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const why =
        cause.code === "EADDRINUSE" ? "the address is already in use" : errorMessage(cause);
      reject(new BowlineError("config", `cannot listen on ${host}:${port}: ${why}`, { cause }));
    });
    server.listen(port, host, resolve);
  });
}

function readCall(request: IncomingMessage, limitBytes: number): HttpCall {
  return {
    method: request.method ?? "GET",
    path: parseRequestTarget(request.url)?.path ?? "",
    headers: request.headers as HttpCall["headers"],
    body: () => readBody(request, limitBytes),
  };
}

const LOOPBACK = new Set(["127.0.0.1", "[::1]", "::1", "localhost"]);

/**
 * Refuses requests for other host names when the gateway listens on loopback. A web page could otherwise let its own
 * name resolve to this machine and call the gateway.
 */
export function requireLocalName(host: string, requestedHost = ""): void {
  const name = requestedHost.replace(/:\d+$/, "");
  if (LOOPBACK.has(host) && !LOOPBACK.has(name)) {
    throw new GatewayError(
      421,
      "misdirected",
      `this gateway answers requests for ${host}, but the request is for ${name || "no host"}`,
    );
  }
}

async function readBody(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") {
    throw new GatewayError(
      415,
      "unsupported_encoding",
      `content-encoding ${encoding} is not supported; send the body without encoding`,
    );
  }
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  // A body that is too large is read to its end and dropped, because a client that still writes would miss the answer.
  for await (const part of request) {
    sizeBytes += part.length;
    if (sizeBytes <= limitBytes) parts.push(part);
    else if (sizeBytes > 4 * limitBytes) request.destroy();
  }
  if (sizeBytes > limitBytes) {
    throw new GatewayError(413, "too_large", `the body is larger than ${limitBytes} bytes`);
  }
  return Buffer.concat(parts);
}
