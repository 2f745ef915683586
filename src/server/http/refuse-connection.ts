/**
 * Answers what never becomes a request: bytes that are not HTTP, heads that are too large, and requests that do not
 * arrive in time. The answer is written to the socket itself, because there is no response object yet.
 */
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { HttpRefusal } from "./refusal.ts";
import type { ReplyText } from "./reply.ts";

/** How long a refused client may take to read the answer before the socket is destroyed. */
const READING_TIME_MS = 500;

/** Returns the refusal for an error of the HTTP parser. */
export function explainParserError({ code }: NodeJS.ErrnoException): HttpRefusal {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return new HttpRefusal(431, "head_too_large", "the request line and headers are too large");
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new HttpRefusal(408, "too_slow", "the request did not arrive in time");
    default:
      return new HttpRefusal(
        400,
        "invalid_http",
        `the bytes are not an HTTP/1.1 request${code?.startsWith("HPE_") ? ` (${code})` : ""}`,
      );
  }
}

/** Writes a whole answer to a socket and closes it. */
export function writeRawReply(socket: Duplex, { status, headers, text }: ReplyText): void {
  if (!socket.writable) return void socket.destroy();
  const all = {
    ...headers,
    "content-length": Buffer.byteLength(text),
    connection: "close",
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${text}`);
  setTimeout(() => socket.destroy(), READING_TIME_MS).unref();
}
