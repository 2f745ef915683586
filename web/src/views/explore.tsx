/**
 * Questions of many rollouts, over one or several runs. The address holds the query, the order and what is open, so a
 * link shows the same answer.
 */
import type { RefObject } from "preact";
import { useRef } from "preact/hooks";
import type {
  ExploredRollouts,
  ExploredTasks,
  ExploredUse,
} from "../../../src/spec/studio/index.ts";
import { type Address, buildAddress, replaceQuery, type ViewProps } from "../lib/address.ts";
import { pluralize } from "../lib/format.ts";
import { formatOrder, parseOrder, type SortOrder } from "../lib/sort.ts";
import { type Loaded, useApi } from "../lib/use-api.ts";
import { Crumbs } from "../parts/crumbs.tsx";
import { ErrorMessage } from "../parts/loaded-content.tsx";
import { Facets } from "./explore/facets.tsx";
import { QueryBar } from "./explore/query-bar.tsx";
import { ColumnChoice, chooseColumns } from "./explore/rollout-columns.tsx";
import { RolloutRows } from "./explore/rollout-rows.tsx";
import { TaskRows } from "./explore/task-rows.tsx";
import { UseRows } from "./explore/use-rows.tsx";
import "../style/explore.css";

const PAGE_SIZE = 200;
const TIME_ORDER: SortOrder = { column: "time", direction: "ascending" };

export function ExplorePage({ address }: ViewProps) {
  const { query, queryValues } = address;
  const runs = [...new Set(queryValues["run"] ?? [])];
  const q = query["q"] ?? "";
  const kind: Kind =
    query["group"] === "task" || query["group"] === "use" ? query["group"] : "rollouts";
  const limit = Number(query["limit"] ?? PAGE_SIZE) || PAGE_SIZE;
  const order = parseOrder(query["sort"], TIME_ORDER);
  const taskOrder = TASK_ORDERS.find(({ sort }) => sort === query["sort"]) ?? firstTaskOrder(runs);
  const rolloutOrder = TASK_ORDERS.some(({ sort }) => sort === order.column) ? TIME_ORDER : order;
  const sort = kind === "task" ? taskOrder.sort : formatOrder(rolloutOrder);
  const latest = useApi<Answer>(runs.length > 0 ? PATHS[kind] : null, {
    run: runs,
    q,
    ...(query["checks"] === "1" && { checks: "1" }),
    ...(kind !== "use" && { limit, sort }),
  });
  // While a query cannot be read, as in the middle of a word, the last answer stays.
  const lastValue = useRef<Answer | undefined>(undefined);
  lastValue.current = latest.value ?? lastValue.current;
  const answer = { ...latest, value: lastValue.current };
  const bar = useRef<HTMLInputElement>(null);
  if (runs.length === 0) return <NoRuns />;
  const { value, error } = answer;
  return (
    <>
      <Crumbs crumbs={listCrumbs(runs)} />
      <h1 class="hidden-word">Rollouts of {runs.join(" and ")}</h1>
      <QueryBar bar={bar} query={q} answer={answer} />
      <Choices {...{ address, kind, answer }} taskOrder={taskOrder.sort} />
      {error && <ErrorMessage text={error.message} />}
      {value === undefined && !error && (
        <p class="note" role="status">
          Loading …
        </p>
      )}
      {value && (
        <div class="explore">
          <Facets query={q} facets={value.facets} />
          <div class="explore-answer">
            {"tasks" in value && <TaskAnswer {...{ runs, q, limit }} answer={value} />}
            {"rollouts" in value && (
              <RolloutAnswer {...{ bar, address, limit }} order={rolloutOrder} answer={value} />
            )}
            {!("tasks" in value || "rollouts" in value) && (
              <UseRows answer={value} runs={runs} query={q} />
            )}
          </div>
        </div>
      )}
    </>
  );
}

const KINDS = { rollouts: "Rollouts", task: "By task", use: "What changed" } as const;
type Kind = keyof typeof KINDS;
type Answer = ExploredRollouts | ExploredTasks | ExploredUse;

const PATHS: { readonly [K in Kind]: readonly string[] } = {
  rollouts: ["explore"],
  task: ["explore", "tasks"],
  use: ["explore", "use"],
};

function TaskAnswer({
  answer,
  runs,
  q,
  limit,
}: {
  readonly answer: ExploredTasks;
  readonly runs: readonly string[];
  readonly q: string;
  readonly limit: number;
}) {
  return (
    <>
      <TaskRows answer={answer} runs={runs} query={q} />
      <MoreRows all={answer.tasksInAll} limit={limit} noun="task" />
    </>
  );
}

function RolloutAnswer({
  answer,
  order,
  bar,
  address: { query, queryValues },
  limit,
}: {
  readonly answer: ExploredRollouts;
  readonly order: SortOrder;
  readonly bar: RefObject<HTMLInputElement>;
  readonly address: Address;
  readonly limit: number;
}) {
  return (
    <>
      <RolloutRows
        {...{ answer, order, bar }}
        columns={chooseColumns(query["columns"])}
        showRun={(queryValues["run"] ?? []).length > 1}
        open={queryValues["open"] ?? []}
        showsChecks={query["checks"] === "1"}
      />
      <MoreRows all={answer.matching} limit={limit} noun="rollout" />
    </>
  );
}

/** The orders of tasks, with their names. Other orders, and that by time, are also those of rollouts. */
const TASK_ORDERS = [
  { sort: "unsolved", name: "never solved first" },
  { sort: "differs", name: "largest difference of runs first" },
  { sort: "regressed", name: "lost tasks first" },
  { sort: "time", name: "by time" },
] as const;

/** One run is asked what still fails, and several are asked where they differ. */
const firstTaskOrder = (runs: readonly string[]) => TASK_ORDERS[runs.length > 1 ? 1 : 0];

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

function Choices({
  address: { query },
  kind,
  taskOrder,
  answer: { value },
}: {
  readonly address: Address;
  readonly kind: Kind;
  readonly taskOrder: string;
  readonly answer: Loaded<Answer>;
}) {
  return (
    <div class="explore-choices">
      {Object.entries(KINDS).map(([name, title]) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === kind}
          onClick={() =>
            replaceQuery({
              group: name === "rollouts" ? undefined : name,
              sort: undefined,
              open: undefined,
            })
          }
        >
          {title}
        </button>
      ))}
      {kind === "task" && (
        <label>
          Order{" "}
          <select
            value={taskOrder}
            onChange={(event) => replaceQuery({ sort: event.currentTarget.value })}
          >
            {TASK_ORDERS.map(({ sort, name }) => (
              <option key={sort} value={sort}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {kind === "rollouts" && <ColumnChoice shown={chooseColumns(query["columns"])} />}
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
      <span class="soft keys-hint">
        <kbd>/</kbd> query, <kbd>j</kbd> <kbd>k</kbd> move, <kbd>Enter</kbd> open, <kbd>x</kbd> add
        beside, <kbd>Esc</kbd> close
      </span>
    </div>
  );
}

function MoreRows({
  all,
  limit,
  noun,
}: {
  readonly all: number;
  readonly limit: number;
  readonly noun: string;
}) {
  if (all <= limit) return null;
  return (
    <button type="button" onClick={() => replaceQuery({ limit: limit + PAGE_SIZE })}>
      Show more of the {pluralize(all, noun)}
    </button>
  );
}
