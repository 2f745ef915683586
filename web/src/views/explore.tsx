/**
 * Questions of many rollouts, over one or several runs. The address holds the query, the order and what is open, so a
 * link shows the same answer.
 */
import { useRef } from "preact/hooks";
import type { ExploredRollouts, ExploredTasks } from "../../../src/spec/studio/index.ts";
import { type Address, buildAddress, replaceQuery, type ViewProps } from "../lib/address.ts";
import { pluralize } from "../lib/format.ts";
import { formatOrder, parseOrder, type SortOrder } from "../lib/sort.ts";
import { type Loaded, useApi } from "../lib/use-api.ts";
import { Crumbs } from "../parts/crumbs.tsx";
import { ErrorMessage, LoadedContent } from "../parts/loaded-content.tsx";
import { Facets } from "./explore/facets.tsx";
import { QueryBar } from "./explore/query-bar.tsx";
import { RolloutRows } from "./explore/rollout-rows.tsx";
import { TaskRows } from "./explore/task-rows.tsx";
import "../style/explore.css";

const PAGE_SIZE = 200;
const TIME_ORDER: SortOrder = { column: "time", direction: "ascending" };

export function ExplorePage({ address }: ViewProps) {
  const { query, queryValues } = address;
  const runs = [...new Set(queryValues["run"] ?? [])];
  const [q = "", byTask] = [query["q"], query["group"] === "task"];
  const order = parseOrder(query["sort"], TIME_ORDER);
  const limit = Number(query["limit"] ?? PAGE_SIZE) || PAGE_SIZE;
  const request = { run: runs, q, ...(query["checks"] === "1" && { checks: "1" }) };
  const hasRuns = runs.length > 0;
  const sort = byTask === order.column in TASK_ORDERS ? formatOrder(order) : "time";
  const rollouts = useApi<ExploredRollouts>(hasRuns ? ["explore"] : null, {
    ...request,
    limit: byTask ? 0 : limit,
    ...(!byTask && { sort }),
  });
  const tasks = useApi<ExploredTasks>(hasRuns && byTask ? ["explore", "tasks"] : null, {
    ...request,
    limit,
    sort,
  });
  const bar = useRef<HTMLInputElement>(null);
  if (!hasRuns) return <NoRuns />;
  return (
    <>
      <Crumbs crumbs={listCrumbs(runs)} />
      <h1 class="hidden-word">Rollouts of {runs.join(" and ")}</h1>
      <QueryBar bar={bar} query={q} answer={rollouts} />
      <Choices address={address} byTask={byTask} answer={rollouts} />
      {rollouts.error && <ErrorMessage text={rollouts.error.message} />}
      <div class="explore">
        {rollouts.value && <Facets query={q} facets={rollouts.value.facets} />}
        <div class="explore-answer">
          {byTask ? (
            <LoadedContent loaded={tasks}>
              {(tasks) => <TaskRows answer={tasks} runs={runs} query={q} />}
            </LoadedContent>
          ) : (
            <Answer loaded={rollouts}>
              {(answer) => (
                <RolloutRows
                  {...{ answer, order, bar }}
                  showRun={runs.length > 1}
                  open={queryValues["open"] ?? []}
                  showsChecks={query["checks"] === "1"}
                />
              )}
            </Answer>
          )}
          <MoreRows loaded={byTask ? tasks : rollouts} limit={limit} byTask={byTask} />
        </div>
      </div>
    </>
  );
}

/** The orders of tasks, with their names. Other orders are those of rollouts. */
const TASK_ORDERS: Readonly<Record<string, string>> = {
  regressed: "lost tasks first",
  unsolved: "never solved first",
  differs: "largest difference of runs first",
};

function NoRuns() {
  return (
    <>
      <h1>Rollouts</h1>
      <p class="note">
        Choose runs in the <a href="#/">table of runs</a>, and then “Explore”.
      </p>
    </>
  );
}

function listCrumbs(runs: readonly string[]) {
  const own = runs.map((run) => ({ name: run, href: buildAddress(["runs", run]) }));
  return [{ name: "Runs", href: "#/" }, ...own];
}

/** Shows the last answer while a query cannot be read, without repeating the error. */
function Answer({
  loaded: { value, error },
  children,
}: {
  readonly loaded: Loaded<ExploredRollouts>;
  readonly children: (value: ExploredRollouts) => preact.ComponentChildren;
}) {
  if (value !== undefined) return <>{children(value)}</>;
  if (error) return null;
  return (
    <p class="note" role="status">
      Loading …
    </p>
  );
}

function Choices({
  address: { query },
  byTask,
  answer: { value },
}: {
  readonly address: Address;
  readonly byTask: boolean;
  readonly answer: Loaded<ExploredRollouts>;
}) {
  return (
    <div class="explore-choices">
      <button
        type="button"
        aria-pressed={byTask}
        onClick={() => replaceQuery({ group: byTask ? undefined : "task", sort: undefined })}
      >
        By task
      </button>
      {byTask && (
        <label>
          Order{" "}
          <select
            value={query["sort"] ?? ""}
            onChange={(event) => replaceQuery({ sort: event.currentTarget.value || undefined })}
          >
            <option value="">by time</option>
            {Object.entries(TASK_ORDERS).map(([order, name]) => (
              <option key={order} value={order}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {(value?.hidden || query["checks"] === "1") && (
        <label>
          <input
            type="checkbox"
            checked={query["checks"] === "1"}
            onChange={(event) =>
              replaceQuery({ checks: event.currentTarget.checked ? "1" : undefined })
            }
          />{" "}
          Show checks of test splits
        </label>
      )}
      <span class="soft">
        <kbd>/</kbd> query, <kbd>j</kbd> <kbd>k</kbd> move, <kbd>Enter</kbd> open, <kbd>x</kbd> add
        beside, <kbd>Esc</kbd> close
      </span>
    </div>
  );
}

function MoreRows({
  loaded: { value },
  limit,
  byTask,
}: {
  readonly loaded: Loaded<ExploredRollouts> | Loaded<ExploredTasks>;
  readonly limit: number;
  readonly byTask: boolean;
}) {
  if (value === undefined) return null;
  const all = "tasksInAll" in value ? value.tasksInAll : value.matching;
  if (all <= limit) return null;
  return (
    <button type="button" onClick={() => replaceQuery({ limit: limit + PAGE_SIZE })}>
      Show more of the {pluralize(all, byTask ? "task" : "rollout")}
    </button>
  );
}
