/**
 * Requests to the server's API. The token comes once, after the `#` of the printed URL. It is saved for this host and
 * port and removed from the address bar, so that a copied link or a screenshot does not contain it.
 */
import { findAnswer, getReport } from "./report.ts";

const TOKEN_KEY = "bowline-studio-token";

/** Saves the token of the printed URL. Returns true if the page was opened with that URL. */
export function saveTokenFromUrl(): boolean {
  const given = /^#token=([\w-]+)$/.exec(location.hash)?.[1];
  if (given === undefined) return false;
  localStorage.setItem(TOKEN_KEY, given);
  history.replaceState(null, "", `${location.pathname}#/`);
  return true;
}

/** An error with which the server answered. The status is 0 if the server did not answer. */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export type Method = "GET" | "POST" | "DELETE";

export interface RequestOptions {
  readonly method?: Method;
  readonly query?: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** Sends a request and parses the answer as JSON. The path segments follow `/api/`, and each of them is encoded. */
export async function requestJson<T>(
  path: readonly string[],
  options: RequestOptions = {},
): Promise<T> {
  if (getReport() !== undefined) return answerFromReport(path, options) as T;
  const response = await sendRequest(path, options);
  return (await response.json()) as T;
}

function answerFromReport(path: readonly string[], { query = {} }: RequestOptions): unknown {
  const answer = findAnswer(buildUrl(path), query);
  if (answer !== undefined) return answer;
  throw new ApiError(404, "this report does not contain this page: open the run in the studio");
}

/** Calls `onEvent` with each event until the server ends the stream or `signal` is aborted. */
export async function streamEvents<T>(
  path: readonly string[],
  options: RequestOptions,
  onEvent: (event: T) => void,
): Promise<void> {
  const response = await sendRequest(path, options);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop()!;
    for (const block of blocks) {
      if (block.startsWith("data: ")) onEvent(JSON.parse(block.slice("data: ".length)) as T);
    }
  }
}

async function sendRequest(path: readonly string[], options: RequestOptions): Promise<Response> {
  const { method = "GET", body, signal } = options;
  const response = await fetch(buildUrl(path, options.query), {
    method,
    headers: {
      authorization: `Bearer ${localStorage.getItem(TOKEN_KEY) ?? ""}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause;
    throw new ApiError(0, "the studio's server does not answer: is it still running?");
  });
  if (response.ok) return response;
  const { error = response.statusText } = (await response.json().catch(() => ({}))) as {
    error?: string;
  };
  throw new ApiError(response.status, error);
}

function buildUrl(path: readonly string[], query: RequestOptions["query"] = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one));
  }
  const text = search.size === 0 ? "" : `?${search}`;
  return `/api/${path.map(encodeURIComponent).join("/")}${text}`;
}
