/** All groups of a file, read page by page: the first page is shown while the others come. */
import { useEffect, useState } from "preact/hooks";
import type { GroupList, GroupRow } from "../../../src/spec/studio/index.ts";
import { type ApiError, requestJson } from "./api.ts";

const PAGE = 200;
/** A page of a browser holds this many rows well; a file of more says so. */
const MOST = 4000;

export interface Groups {
  readonly groups: readonly GroupRow[];
  readonly total: number | undefined;
  readonly error: ApiError | undefined;
}

const NOTHING: Groups = { groups: [], total: undefined, error: undefined };

/** `version` counts up when the file has grown. */
export function useGroups(run: string, file: string, version: number): Groups {
  const [state, set] = useState<Groups>(NOTHING);
  useEffect(() => {
    const gone = new AbortController();
    read(run, file, gone.signal, set).catch((error: ApiError) => {
      if (!gone.signal.aborted) set({ ...NOTHING, error });
    });
    return () => gone.abort();
  }, [run, file, version]);
  return state;
}

async function read(
  run: string,
  file: string,
  signal: AbortSignal,
  onGroups: (groups: Groups) => void,
): Promise<void> {
  const groups: GroupRow[] = [];
  for (;;) {
    const query = { offset: groups.length, limit: PAGE };
    const page = await requestJson<GroupList>(["runs", run, "files", file], { query, signal });
    groups.push(...page.groups);
    onGroups({ groups: [...groups], total: page.total, error: undefined });
    if (page.groups.length === 0 || groups.length >= Math.min(page.total, MOST)) return;
  }
}
