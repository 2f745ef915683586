/** HTTP under the gateway: who may connect, how much they may send, and what of a request the routes see. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { BowlineError, errorMessage } from "../../core/index.ts";
import { GatewayError } from "./gateway-error.ts";

/** One request, without its socket. */
export interface HttpCall {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Throws 413 and 415. Read once. */
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

/** Longer than clients keep an idle connection, so that the server is never the one that ends it. */
const KEEP_ALIVE_MS = 75_000;

/** Throws a `config` error when the address cannot be had. */
export async function listen(handle: Handler, options: ListenOptions): Promise<Listener> {
  const { host, port, bodyLimitBytes } = options;
  const server = createServer((request, response) => {
    // A client that is gone is no error of ours.
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
        cause.code === "EADDRINUSE" ? "something else listens there" : errorMessage(cause);
      reject(new BowlineError("config", `cannot listen on ${host}:${port}: ${why}`, { cause }));
    });
    server.listen(port, host, resolve);
  });
}

function readCall(request: IncomingMessage, limitBytes: number): HttpCall {
  return {
    method: request.method ?? "GET",
    path: new URL(request.url ?? "/", "http://gateway").pathname,
    headers: request.headers as HttpCall["headers"],
    body: () => readBody(request, limitBytes),
  };
}

const LOOPBACK = new Set(["127.0.0.1", "[::1]", "::1", "localhost"]);

/**
 * A page on the web may let its name resolve to this machine, and would then be asked to be served; who listens on
 * loopback answers to the names of loopback alone.
 */
export function requireLocalName(host: string, requestedHost = ""): void {
  const name = requestedHost.replace(/:\d+$/, "");
  if (LOOPBACK.has(host) && !LOOPBACK.has(name)) {
    throw new GatewayError(
      421,
      "misdirected",
      `this gateway is ${host}, not ${name || "nameless"}`,
    );
  }
}

async function readBody(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") {
    throw new GatewayError(415, "unsupported_encoding", `content-encoding ${encoding} is not read`);
  }
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  // What is too large is read to its end, and thrown away: a client that still writes would not hear the answer.
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
