/**
 * Sends HTTP requests with the client of Node, over connections that stay open.
 *
 * A run makes two requests a turn, for thousands of rollouts at once. `fetch` needs several times as much processor time
 * for them, and copies each body. Here the parts of a body are written as they are, so that many requests can share the
 * bytes of a prompt.
 */
import http from "node:http";
import https from "node:https";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";

/** The function `fetch` of the platform, or one in its place. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface HttpCall {
  readonly method: "GET" | "POST" | "DELETE";
  readonly headers: Readonly<Record<string, string>>;
  /** The body: a text, or parts that follow each other. */
  readonly body?: string | readonly Uint8Array[];
  /** When true, a redirect is returned and not followed. */
  readonly expectsRedirect: boolean;
  readonly signal: AbortSignal;
}

export interface HttpReply {
  readonly status: number;
  readonly headers: Pick<Headers, "get">;
  readonly body: Uint8Array;
}

/** Sends a request. Rejects when no whole answer came. */
export type SendHttp = (url: string, call: HttpCall) => Promise<HttpReply>;

/** Returns a sender that uses `fetch`. */
export function createFetchSender(fetch: Fetch): SendHttp {
  return async (url, { method, headers, body, expectsRedirect, signal }) => {
    const whole = typeof body === "object" ? Buffer.concat(body) : body;
    const answer = await fetch(url, {
      method,
      headers,
      ...(whole !== undefined && { body: whole }),
      ...(expectsRedirect && { redirect: "manual" }),
      signal,
    });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    return { status: answer.status, headers: answer.headers, body: bytes };
  };
}

/** A connection that nobody used for so long is closed, unless the server said that it closes it sooner. */
const IDLE_MS = 4000;

const MAX_REDIRECTS = 5;

/** Sends requests over connections of its own, as many as there are requests at once. */
export class HttpSender {
  readonly #http = new http.Agent(AGENT_OPTIONS);
  readonly #https = new https.Agent(AGENT_OPTIONS);

  readonly send: SendHttp = async (address, call) => {
    let url = new URL(address);
    let answer = await this.#request(url, call);
    for (let followed = 0; followed < MAX_REDIRECTS && !call.expectsRedirect; followed++) {
      const target = findRedirect(answer, url, call);
      if (target === undefined) break;
      url = target;
      answer = await this.#request(url, call);
    }
    const { status, headers } = answer;
    const body = headers["content-encoding"] === "gzip" ? await unzip(answer.body) : answer.body;
    const get = (name: string) => headers[name.toLowerCase()]?.toString() ?? null;
    return { status, headers: { get }, body };
  };

  /** Closes all connections. */
  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }

  #request(url: URL, { method, headers, body, signal }: HttpCall): Promise<RawAnswer> {
    return new Promise((resolve, reject) => {
      const [client, agent] = url.protocol === "https:" ? [https, this.#https] : [http, this.#http];
      const allHeaders = { ...DEFAULT_HEADERS, ...headers, ...lengthHeader(body) };
      const request = client.request(url, { method, agent, headers: allHeaders });
      const abort = () => request.destroy(new Error("the request was aborted"));
      const fail = (error: Error) => {
        signal.removeEventListener("abort", abort);
        reject(error);
      };
      request.on("error", fail);
      request.on("response", (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("error", fail);
        response.on("end", () => {
          signal.removeEventListener("abort", abort);
          const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
          resolve({ status: response.statusCode!, headers: response.headers, body: bytes });
        });
      });
      signal.addEventListener("abort", abort);
      if (signal.aborted) abort();
      if (typeof body === "object") for (const part of body) request.write(part);
      request.end(typeof body === "string" ? body : undefined);
    });
  }
}

interface RawAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

const AGENT_OPTIONS: http.AgentOptions = {
  keepAlive: true,
  timeout: IDLE_MS,
  maxFreeSockets: Number.POSITIVE_INFINITY,
};
const DEFAULT_HEADERS = { "Accept-Encoding": "gzip", "User-Agent": "bowline" };
const unzip = promisify(gunzip);

/**
 * Returns where the request is to be sent again, if the answer says so. Another host never gets the request, because
 * the API key is for this one.
 */
function findRedirect(answer: RawAnswer, from: URL, { method }: HttpCall): URL | undefined {
  const { location } = answer.headers;
  const keepsMethod = answer.status === 307 || answer.status === 308;
  const isRead = method === "GET" && [301, 302, 303].includes(answer.status);
  if (location === undefined || !(keepsMethod || isRead)) return undefined;
  const target = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  return target?.hostname === from.hostname && /^https?:$/.test(target.protocol)
    ? target
    : undefined;
}

function lengthHeader(body: HttpCall["body"]): { readonly "Content-Length"?: string } {
  if (body === undefined) return {};
  const length =
    typeof body === "string"
      ? Buffer.byteLength(body)
      : body.reduce((sum, { byteLength }) => sum + byteLength, 0);
  return { "Content-Length": `${length}` };
}
