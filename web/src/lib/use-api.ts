/** Loads an answer of the API as the state of a view. The last answer is kept until the next one arrives. */
import { useEffect, useState } from "preact/hooks";
import { type ApiError, type RequestOptions, requestJson } from "./api.ts";

export interface Loaded<T> {
  readonly value: T | undefined;
  readonly error: ApiError | undefined;
  readonly loading: boolean;
  /** Sends the request again. */
  reload(): void;
}

/**
 * Requests a path; null sends no request yet. When path or query change, the old answer is kept until the new one
 * arrives.
 */
export function useApi<T>(
  path: readonly string[] | null,
  query: RequestOptions["query"] = {},
): Loaded<T> {
  const key = path === null ? null : JSON.stringify([path, query]);
  const [round, setRound] = useState(0);
  const [state, set] = useState<{ value?: T; error?: ApiError; key?: string | null }>({});
  // The key contains path and query.
  useEffect(() => {
    if (path === null) return;
    const gone = new AbortController();
    requestJson<T>(path, { query, signal: gone.signal }).then(
      (value) => set({ value, key }),
      (error: ApiError) => {
        if (gone.signal.aborted) return;
        // An earlier answer to the same request is kept together with the error.
        set((before) => ({ ...(before.key === key && before), error, key }));
      },
    );
    return () => gone.abort();
  }, [key, round]);
  const { value, error } = state;
  return {
    value,
    error,
    loading: key !== null && state.key !== key,
    reload: () => setRound((before) => before + 1),
  };
}
