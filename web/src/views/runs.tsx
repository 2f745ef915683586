/**
 * The table of runs, filtered and sorted by the address, with a selection for comparison. It is reloaded every 5
 * seconds.
 */
import type { RunList, RunRow } from "../../../src/spec/studio/index.ts";
import { buildAddress, replaceQuery, type ViewProps } from "../lib/address.ts";
import { pluralize } from "../lib/format.ts";
import { filterRuns, listChoices, listSplits, sortRuns } from "../lib/run-table.ts";
import { formatOrder, parseOrder, type SortOrder } from "../lib/sort.ts";
import { useApi } from "../lib/use-api.ts";
import { usePolling } from "../lib/use-visible.ts";
import { FilterSelect } from "../parts/filter-select.tsx";
import { LoadedContent } from "../parts/loaded-content.tsx";
import { RunTable } from "../parts/run-table.tsx";
import { SearchBox } from "../parts/search-box.tsx";
import { StartRun } from "../parts/start-run.tsx";
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
        {({ runs }) =>
          runs.length === 0 ? <NoRuns /> : <FilteredRuns all={runs} address={address} />
        }
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
  const order = parseOrder(query["sort"], NEWEST_FIRST);
  const { q, status, method } = query;
  const shown = sortRuns(filterRuns(all, { text: q, status, method }), order);
  const ids = new Set(all.map(({ id }) => id));
  const chosen = (queryValues["run"] ?? []).filter((id) => ids.has(id));
  const isSampledShown = query["sampled"] === "1";
  const allSplits = listSplits(all);
  const greedy = allSplits.filter((split) => !split.includes("@"));
  const splits = isSampledShown || greedy.length === 0 ? allSplits : greedy;
  const found =
    shown.length === all.length
      ? pluralize(all.length, "run")
      : `${shown.length} of ${pluralize(all.length, "run")}`;
  return (
    <>
      <div class="runs-tools">
        <SearchBox
          label="Filter"
          value={q ?? ""}
          found={found}
          onChange={(text) => replaceQuery({ q: text })}
        />
        <FilterSelect
          name="status"
          label="Status"
          value={status}
          choices={listChoices(all, "status")}
        />
        <FilterSelect
          name="method"
          label="Method"
          value={method}
          choices={listChoices(all, "method")}
        />
        <label>
          <input
            type="checkbox"
            checked={isSampledShown}
            onChange={(event) =>
              replaceQuery({ sampled: event.currentTarget.checked ? "1" : undefined })
            }
          />{" "}
          also show scores at T = 1
        </label>
        <ChosenLinks chosen={chosen} />
      </div>
      <RunTable
        runs={shown}
        splits={splits}
        order={order}
        chosen={chosen}
        onOrder={(next) => replaceQuery({ sort: formatOrder(next) })}
        onChosen={(run) => replaceQuery({ run })}
      />
    </>
  );
}

/** Links to the explorer and, for two runs and more, to the comparison. */
function ChosenLinks({ chosen }: { readonly chosen: readonly string[] }) {
  const [first] = chosen;
  if (first === undefined) return <span class="soft">Select runs to explore or compare them.</span>;
  return (
    <>
      <a class="button" href={buildAddress(["explore"], { run: chosen })}>
        Explore {pluralize(chosen.length, "run")}
      </a>
      {chosen.length > 1 && (
        <a class="button" href={buildAddress(["overlay"], { run: chosen })}>
          Compare {chosen.length} runs
        </a>
      )}
    </>
  );
}
