/** Whole answers, and how one is sent to a client that may still be writing its request. */
import type { IncomingMessage, ServerResponse } from "node:http";

/** An answer that is known as a whole. */
export interface ReplyText {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** How long the rest of a refused body is read and dropped. */
const DRAIN_MS = 1000;

/**
 * Sends an answer whose request may have a body that nobody reads. A client that still writes would miss the answer if
 * the connection ended at once, so the answer is written first, the rest of the body is dropped, and then it ends.
 */
export function sendAndDrop(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, text }: ReplyText,
): void {
  if (response.destroyed) return;
  response.writeHead(status, {
    ...headers,
    "content-length": Buffer.byteLength(text),
    connection: "close",
  });
  response.write(text);
  const end = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, DRAIN_MS).unref();
  request.once("end", end);
  request.once("close", end);
  request.resume();
}

/** Sends an answer and keeps the connection. */
export function sendReply(response: ServerResponse, { status, headers, text }: ReplyText): void {
  if (response.destroyed) return;
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(text) });
  response.end(text);
}
