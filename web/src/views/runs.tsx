/**
 * The table of runs, filtered, sorted, grouped and with columns by the address, with a selection for comparison. It is
 * reloaded every 5 seconds.
 */
import { useEffect, useMemo, useState } from "preact/hooks";
import type {
  AllNotes,
  ConfigFields,
  RunList,
  RunRow,
  ScoreGroups,
} from "../../../src/spec/studio/index.ts";
import { replaceQuery, type ViewProps } from "../lib/address.ts";
import { requestJson } from "../lib/api.ts";
import { configPath, createRunExtras, groupRuns, type RunGroup } from "../lib/run-extras.ts";
import { filterRuns, listSplits, sortRuns } from "../lib/run-table.ts";
import { formatOrder, parseOrder, type SortOrder } from "../lib/sort.ts";
import { useApi } from "../lib/use-api.ts";
import { usePolling } from "../lib/use-visible.ts";
import { LoadedContent } from "../parts/loaded-content.tsx";
import { RunTable } from "../parts/run-table.tsx";
import { RunsTools } from "../parts/runs-tools.tsx";
import { StartRun } from "../parts/start-run.tsx";
import { UnsearchedNote } from "../parts/unsearched-note.tsx";
import "../style/runs.css";

const REFRESH_MS = 5000;
const NEWEST_FIRST: SortOrder = { column: "changed", direction: "descending" };

export function RunsPage({ address }: ViewProps) {
  const runs = useApi<RunList>(["runs"]);
  usePolling(REFRESH_MS, runs.reload);
  return (
    <>
      <h1>Runs</h1>
      <LoadedContent loaded={runs}>
        {({ runs, unsearched }) => (
          <>
            {runs.length === 0 ? <NoRuns /> : <FilteredRuns all={runs} address={address} />}
            <UnsearchedNote unsearched={unsearched} />
          </>
        )}
      </LoadedContent>
      <StartRun known={runs.value?.runs ?? []} />
    </>
  );
}

function NoRuns() {
  return (
    <p class="note">
      There is no run in this folder yet. Start one with the form or the command below; it will
      appear here automatically.
    </p>
  );
}

function FilteredRuns({
  all,
  address: { query, queryValues },
}: {
  readonly all: readonly RunRow[];
  readonly address: ViewProps["address"];
}) {
  const fields = queryValues["column"] ?? [];
  const by = query["by"] ?? "";
  const { extras, paths, askForFields, reloadNotes } = useRunExtras(
    all,
    fields.length > 0 || configPath(by) !== undefined,
  );
  const order = parseOrder(query["sort"], NEWEST_FIRST);
  const { q, status, method, tag } = query;
  const shown = sortRuns(filterRuns(all, { text: q, status, method, tag }, extras), order, extras);
  const ids = new Set(all.map(({ id }) => id));
  const chosen = (queryValues["run"] ?? []).filter((id) => ids.has(id));
  const allSplits = listSplits(all);
  const greedy = allSplits.filter((split) => !split.includes("@"));
  const splits = query["sampled"] === "1" || greedy.length === 0 ? allSplits : greedy;
  const split = allSplits.find((one) => one === query["score"]) ?? splits[0];
  const groups = by === "" ? undefined : groupRuns(shown, by, extras);
  const summaries = useScoreGroups(groups, split);
  const grouping = groups && {
    ...{ groups, split, summaries, open: queryValues["open"] ?? [] },
    onOpen: (open: string[]) => replaceQuery({ open }),
  };
  return (
    <>
      <RunsTools
        {...{ all, shown, query, chosen, fields, paths, extras }}
        splits={allSplits}
        onColumns={askForFields}
        onTagged={reloadNotes}
      />
      <RunTable
        {...{ runs: shown, splits, fields, extras, grouping, order, chosen }}
        onOrder={(next) => replaceQuery({ sort: formatOrder(next) })}
        onChosen={(run) => replaceQuery({ run })}
      />
    </>
  );
}

/** Loads notes, and the fields in which runs differ once somebody asks for them. */
function useRunExtras(all: readonly RunRow[], needsFields: boolean) {
  const [isAsked, setAsked] = useState(false);
  const notes = useApi<AllNotes>(["notes"]);
  const config = useApi<ConfigFields>(needsFields || isAsked ? ["configurations"] : null);
  const names = all
    .map(({ id }) => id)
    .sort()
    .join("\n");
  const [known, setKnown] = useState(names);
  useEffect(() => {
    if (names === known) return;
    setKnown(names);
    config.reload();
    notes.reload();
  }, [names]);
  const extras = useMemo(
    () => createRunExtras(config.value, notes.value),
    [config.value, notes.value],
  );
  return {
    extras,
    paths: config.value?.fields.map(({ path }) => path),
    askForFields: () => setAsked(true),
    reloadNotes: notes.reload,
  };
}

/** Asks for the mean and the spread of a score in each group. */
function useScoreGroups(
  groups: readonly RunGroup[] | undefined,
  split: string | undefined,
): ScoreGroups["groups"] | undefined {
  const body = {
    split: split ?? "",
    groups: groups?.map(({ runs }) => runs.map(({ id }) => id)) ?? [],
  };
  const key = JSON.stringify(body);
  const [state, set] = useState<{ readonly key: string; readonly groups: ScoreGroups["groups"] }>();
  useEffect(() => {
    if (groups === undefined || split === undefined) return;
    const gone = new AbortController();
    requestJson<ScoreGroups>(["score-groups"], { method: "POST", body, signal: gone.signal }).then(
      ({ groups }) => set({ key, groups }),
      () => {},
    );
    return () => gone.abort();
  }, [key]);
  return state?.key === key ? state.groups : undefined;
}
