/** JSON-RPC as both transports use it: requests with numbers, answers by number, and errors with codes. */
import { BowlineError, formatValue } from "../../../core/index.ts";

/** An error that the server answered. The connection goes on. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Sends requests to one server. After a rejection that is no `RpcError`, the channel must be closed. */
export interface RpcChannel {
  /** Resolves with the result. Rejects with an `RpcError`, or with a `world` error when the server cannot answer. */
  request(method: string, params: object): Promise<unknown>;
  notify(method: string, params: object): Promise<void>;
  /** Called with headers for all later requests; only HTTP has them. */
  setHeaders(headers: Readonly<Record<string, string>>): void;
  close(): Promise<void>;
}

/** The largest number of characters of one message. A larger one ends the connection. */
export const MAX_MESSAGE_CHARS = 16 * 1024 * 1024;

/** A message from a server: an answer, or a request of its own. */
export interface RpcMessage {
  readonly id?: number | string | null;
  readonly method?: string;
  readonly result?: unknown;
  readonly error?: { readonly code?: unknown; readonly message?: unknown };
}

/** Parses one message. Throws a `world` error for text that is none. */
export function parseMessage(text: string): RpcMessage {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    throw new BowlineError("world", `the server wrote ${formatValue(text.slice(0, 80))}, not JSON`);
  }
  if (typeof message !== "object" || message === null || Array.isArray(message)) {
    throw new BowlineError("world", `the server wrote ${formatValue(message)}, not a message`);
  }
  return message as RpcMessage;
}

/** Returns the result of an answer. Throws an `RpcError` for an error, and a `world` error for neither. */
export function readResult(message: RpcMessage): unknown {
  const { error, result } = message;
  if (error !== undefined && error !== null) {
    const code = typeof error.code === "number" ? error.code : -32603;
    throw new RpcError(code, typeof error.message === "string" ? error.message : "no message");
  }
  if (result === undefined) {
    throw new BowlineError("world", "the server answered neither a result nor an error");
  }
  return result;
}

/** Returns what a client without capabilities answers to a request of the server. */
export function answerServerRequest({ id, method }: RpcMessage): object {
  if (method === "ping") return { jsonrpc: "2.0", id, result: {} };
  const message = `this client offers no ${method}`;
  return { jsonrpc: "2.0", id, error: { code: -32601, message } };
}
