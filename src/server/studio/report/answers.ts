/** Collects answers of the studio's API without a server, under the paths by which the page requests them. */
import type { StudioApi } from "../http.ts";

export interface AnswerCollector {
  /** The answers so far, by path. */
  readonly answers: Record<string, unknown>;
  /** Requests an answer, keeps it, and returns it. */
  request<T>(path: readonly string[], query?: Readonly<Record<string, string>>): Promise<T>;
}

export function createAnswerCollector(api: StudioApi): AnswerCollector {
  const answers: Record<string, unknown> = {};
  return {
    answers,
    async request<T>(path: readonly string[], query: Readonly<Record<string, string>> = {}) {
      const reply = await api({
        ...{ method: "GET", path, query: new URLSearchParams(query) },
        signal: new AbortController().signal,
        json: async () => undefined,
      });
      const json = "json" in reply ? reply.json : undefined;
      answers[answerPath(path)] = json;
      return json as T;
    },
  };
}

/** Returns the path of an answer, such as `/api/runs/a/metrics`. */
export function answerPath(path: readonly string[]): string {
  return `/api/${path.map(encodeURIComponent).join("/")}`;
}
