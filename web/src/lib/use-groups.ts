/** All groups of a file, read page by page: the first page is shown while the others come. */
import { useEffect, useState } from "preact/hooks";
import type { GroupList, GroupRow } from "../../../src/spec/studio/index.ts";
import { type ApiError, requestJson } from "./api.ts";

const PAGE_SIZE = 200;
/** A page of a browser holds this many rows well; a file of more says so. */
const MAX_GROUPS = 4000;

export interface LoadedGroups {
  readonly groups: readonly GroupRow[];
  readonly total: number | undefined;
  readonly error: ApiError | undefined;
}

const NOTHING_LOADED: LoadedGroups = { groups: [], total: undefined, error: undefined };

/** `version` counts up when the file has grown. */
export function useGroups(run: string, file: string, version: number): LoadedGroups {
  const [state, set] = useState<LoadedGroups>(NOTHING_LOADED);
  useEffect(() => {
    const gone = new AbortController();
    readAllPages(run, file, gone.signal, set).catch((error: ApiError) => {
      if (!gone.signal.aborted) set({ ...NOTHING_LOADED, error });
    });
    return () => gone.abort();
  }, [run, file, version]);
  return state;
}

async function readAllPages(
  run: string,
  file: string,
  signal: AbortSignal,
  onGroups: (groups: LoadedGroups) => void,
): Promise<void> {
  const groups: GroupRow[] = [];
  for (;;) {
    const query = { offset: groups.length, limit: PAGE_SIZE };
    const page = await requestJson<GroupList>(["runs", run, "files", file], { query, signal });
    groups.push(...page.groups);
    onGroups({ groups: [...groups], total: page.total, error: undefined });
    if (page.groups.length === 0 || groups.length >= Math.min(page.total, MAX_GROUPS)) return;
  }
}
