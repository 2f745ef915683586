/** Serves an exchange over HTTP: each call gets one answer, and errors have the form that FastAPI servers use. */
import type { ServerResponse } from "node:http";
import { errorMessage } from "../../core/index.ts";
import { type Front, type FrontCall, HttpRefusal, openFront } from "../http/index.ts";
import { ApiError } from "./api-error.ts";
import { type Exchange, type HttpReply, PROTOBUF } from "./exchange.ts";

export interface ListenOptions {
  readonly host: string;
  /** The port; 0 picks a free one. */
  readonly port: number;
  /** The largest body, also after decompression. */
  readonly bodyLimitBytes: number;
  /** How many milliseconds a client may take to send a request; default 300,000. */
  readonly receiveMs?: number;
}

/** Starts to listen. Throws a `config` error when the address is not available. */
export function listen(exchange: Exchange, options: ListenOptions): Promise<Front> {
  const { host, port, bodyLimitBytes, receiveMs } = options;
  return openFront({
    host,
    port,
    limits: { bodyBytes: bodyLimitBytes, ...(receiveMs !== undefined && { receiveMs }) },
    acceptsGzip: true,
    answer: (call, response) => answerCall(exchange, call, response),
    formatError: (error) => ({
      status: error instanceof ApiError || error instanceof HttpRefusal ? error.status : 500,
      headers: { "content-type": "application/json" },
      text: JSON.stringify({ detail: errorMessage(error) }),
    }),
  });
}

async function answerCall(
  exchange: Exchange,
  call: FrontCall,
  response: ServerResponse,
): Promise<void> {
  const clientGone = new AbortController();
  response.on("close", () => clientGone.abort());
  const { method, path, query, headers, dropConnection } = call;
  const reply = await exchange({
    ...{ method, path, query, headers, dropConnection },
    body: await call.body(),
    signal: clientGone.signal,
  });
  if (!response.destroyed) sendReply(response, reply);
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
