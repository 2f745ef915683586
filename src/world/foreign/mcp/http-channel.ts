/**
 * A server behind a URL, by the transport "streamable HTTP": every request is a POST, whose answer is JSON or a stream of
 * events that holds it. Servers of the older era give a session, which the channel ends when it is closed.
 */
import { BowlineError, errorMessage } from "../../../core/index.ts";
import {
  MAX_MESSAGE_CHARS,
  parseMessage,
  type RpcChannel,
  RpcError,
  type RpcMessage,
  readResult,
} from "./json-rpc.ts";

/** The status by which a server says that it does not take a request of this form. */
const REFUSED = [400, 404, 405, 406];

export class HttpChannel implements RpcChannel {
  readonly #url: string;
  readonly #abort = new AbortController();
  #headers: Record<string, string>;
  #session: string | undefined;
  #nextId = 1;

  constructor(url: string, headers: Readonly<Record<string, string>>) {
    this.#url = url;
    this.#headers = {
      ...headers,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
  }

  async request(method: string, params: object): Promise<unknown> {
    const id = this.#nextId++;
    const response = await this.#post(
      { jsonrpc: "2.0", id, method, params },
      namesOf(method, params),
    );
    this.#session = response.headers.get("mcp-session-id") ?? this.#session;
    const text = await readLimited(response);
    const messages = readMessages(text, response.headers.get("content-type") ?? "");
    const answer = messages.find((message) => message.method === undefined && message.id === id);
    if (answer) return readResult(answer);
    const error = messages.find((message) => message.error !== undefined);
    if (error) return readResult(error);
    if (REFUSED.includes(response.status)) {
      throw new RpcError(-32600, `HTTP status ${response.status}`);
    }
    throw new BowlineError(
      "world",
      `${this.#url} answered HTTP ${response.status} without a result`,
    );
  }

  async notify(method: string, params: object): Promise<void> {
    const response = await this.#post({ jsonrpc: "2.0", method, params }, namesOf(method, params));
    await response.body?.cancel();
  }

  setHeaders(headers: Readonly<Record<string, string>>): void {
    this.#headers = { ...this.#headers, ...headers };
  }

  async close(): Promise<void> {
    this.#abort.abort();
    if (this.#session === undefined) return;
    const headers = { ...this.#headers, "mcp-session-id": this.#session };
    this.#session = undefined;
    const signal = AbortSignal.timeout(2000);
    await fetch(this.#url, { method: "DELETE", headers, signal }).then(
      (response) => response.body?.cancel(),
      () => {},
    );
  }

  async #post(message: object, names: Readonly<Record<string, string>>): Promise<Response> {
    const session = this.#session === undefined ? {} : { "mcp-session-id": this.#session };
    try {
      return await fetch(this.#url, {
        method: "POST",
        headers: { ...this.#headers, ...session, ...names },
        body: JSON.stringify(message),
        signal: this.#abort.signal,
        redirect: "error",
      });
    } catch (cause) {
      const why =
        cause instanceof Error && cause.cause ? errorMessage(cause.cause) : errorMessage(cause);
      throw new BowlineError("world", `the MCP server ${this.#url} did not answer: ${why}`, {
        cause,
      });
    }
  }
}

/** Returns the headers that name a request, which servers of the newer era require. */
function namesOf(method: string, params: object): Record<string, string> {
  const { name } = params as { name?: unknown };
  return {
    "mcp-method": method,
    ...(typeof name === "string" && /^[\x20-\x7e]+$/.test(name) && { "mcp-name": name }),
  };
}

async function readLimited(response: Response): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes as Uint8Array, { stream: true });
    if (text.length > MAX_MESSAGE_CHARS) {
      await response.body?.cancel().catch(() => {});
      throw new BowlineError(
        "world",
        `the MCP server wrote a message of more than ${MAX_MESSAGE_CHARS} characters`,
      );
    }
  }
  return text + decoder.decode();
}

/** Reads the messages of an answer. A body that is neither JSON nor a stream of events has none. */
function readMessages(text: string, contentType: string): RpcMessage[] {
  if (contentType.includes("text/event-stream")) {
    return text.split(/\r?\n\r?\n/).flatMap((event) => {
      const data = event
        .split(/\r?\n/)
        .filter((line) => line.startsWith("data:"))
        .map((line) => line.slice(5).trimStart())
        .join("\n");
      return data === "" ? [] : [parseMessage(data)];
    });
  }
  if (!contentType.includes("json") || text.trim() === "") return [];
  return [parseMessage(text)];
}
