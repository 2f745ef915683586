/** Loads all groups of a file page by page. The first page is shown while the others are loaded. */
import { useEffect, useState } from "preact/hooks";
import type { GroupList, GroupRow } from "../../../src/spec/studio/index.ts";
import { type ApiError, requestJson } from "./api.ts";

const PAGE_SIZE = 200;
/**
 * The largest number of groups that are loaded, because more rows would make the page slow. If a file has more groups,
 * the view says so.
 */
const MAX_GROUPS = 4000;

export interface LoadedGroups {
  readonly groups: readonly GroupRow[];
  readonly total: number | undefined;
  readonly error: ApiError | undefined;
}

const NOTHING_LOADED: LoadedGroups = { groups: [], total: undefined, error: undefined };

/** Loads the groups again whenever `version` changes, which means that the file has grown. */
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
