/** One answer of the API as a view's state: what came last stays shown while the next one is on its way. */
import { useEffect, useState } from "preact/hooks";
import { type ApiError, type RequestOptions, requestJson } from "./api.ts";

export interface Loaded<T> {
  readonly value: T | undefined;
  readonly error: ApiError | undefined;
  readonly loading: boolean;
  /** Asks again. */
  reload(): void;
}

/** Null asks for nothing yet. A changed path or query forgets the old answer only when the new one is there. */
export function useApi<T>(
  path: readonly string[] | null,
  query: RequestOptions["query"] = {},
): Loaded<T> {
  const key = path === null ? null : JSON.stringify([path, query]);
  const [round, setRound] = useState(0);
  const [state, set] = useState<{ value?: T; error?: ApiError; key?: string | null }>({});
  // The key is path and query.
  useEffect(() => {
    if (path === null) return;
    const gone = new AbortController();
    requestJson<T>(path, { query, signal: gone.signal }).then(
      (value) => set({ value, key }),
      (error: ApiError) => {
        if (gone.signal.aborted) return;
        // What was read before of the same thing stays, beside what went wrong now.
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
