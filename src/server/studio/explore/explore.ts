/** Answers questions of the rollouts of several runs. */
import {
  compareRuns,
  compareUse,
  countValues,
  groupByTask,
  matchesFacts,
  parseQuery,
  QUERY_FIELDS,
  type Query,
  type QueryField,
  sortFacts,
} from "../../../algo/index.ts";
import { BowlineError } from "../../../core/index.ts";
import type { RolloutFacts } from "../../../spec/index.ts";
import {
  type ExploredAnswer,
  type ExploredRollouts,
  type ExploredTasks,
  type ExploredUse,
  type Facet,
  ROLLOUT_SORTS,
  TASK_SORTS,
} from "../../../spec/studio/index.ts";
import { readPage, requestsHiddenChecks } from "../request-parameters.ts";
import type { Route } from "../routes.ts";
import type { Runs } from "../runs/index.ts";
import { StudioError } from "../studio-error.ts";
import { hidesChecks } from "../world-views.ts";
import { createFactsLoader, type LoadFacts, type PlacedFacts } from "./load-facts.ts";
import { searchText } from "./search-text.ts";

/** The fields that stand beside the table, in this order. */
const FACETS = [
  "outcome",
  "passed",
  "phase",
  "iteration",
  "split",
  "difficulty",
  "signature",
  "check",
  "api",
  "status",
  "differs",
] as const;
const MAX_FACET_VALUES = 12;
const MAX_RUNS = 32;

export function exploreRoutes(runs: Runs): Route[] {
  const loadFacts = createFactsLoader(runs);
  const ask = (search: URLSearchParams) => findMatching(runs, loadFacts, search);
  return [
    {
      method: "GET",
      pattern: "explore",
      answer: async ({ query }) => ({ json: pageOfRollouts(await ask(query), query) }),
    },
    {
      method: "GET",
      pattern: "explore/use",
      answer: async ({ query }) => ({ json: describeUse(await ask(query)) }),
    },
    {
      method: "GET",
      pattern: "explore/tasks",
      answer: async ({ query }) => ({ json: pageOfTasks(await ask(query), query) }),
    },
  ];
}

interface Found {
  readonly runs: readonly string[];
  readonly total: number;
  readonly hidden: boolean;
  /** The rollouts that match, in the order of time. */
  readonly rollouts: readonly RolloutFacts[];
}

async function findMatching(
  runs: Runs,
  loadFacts: LoadFacts,
  search: URLSearchParams,
): Promise<Found> {
  const query = parseQueryOrRefuse(search.get("q") ?? "");
  const showsHidden = requestsHiddenChecks({ query: search });
  const ids = [...new Set(search.getAll("run"))];
  if (ids.length === 0 || ids.length > MAX_RUNS)
    throw new StudioError(400, `run: expected 1 to ${MAX_RUNS} runs, got ${ids.length}`);
  const rollouts: RolloutFacts[] = [];
  let [total, hidden] = [0, false];
  for (const id of ids) {
    const location = await runs.locate(id);
    for (const file of await runs.listFiles(location)) {
      const all = (await loadFacts(location, file)).map((placed) => {
        if (showsHidden || !hidesChecks(placed.facts.task.split)) return placed;
        hidden = true;
        return withoutChecks(placed);
      });
      total += all.length;
      const matching = all.filter(({ facts }) => matchesFacts(query, facts));
      for (const { facts } of await searchText(runs, file, query, matching)) rollouts.push(facts);
    }
  }
  return { runs: ids, total, hidden, rollouts };
}

function withoutChecks({ facts, at }: PlacedFacts): PlacedFacts {
  return { at, facts: { ...facts, failedChecks: [], passedChecks: [] } };
}

function parseQueryOrRefuse(text: string): Query {
  try {
    return parseQuery(text);
  } catch (error) {
    if (BowlineError.is(error)) throw new StudioError(400, error.message);
    throw error;
  }
}

/** Says how many rollouts match, which values they have, and what can be asked. */
function describeAnswer({ total, hidden, rollouts }: Found): ExploredAnswer {
  return {
    total,
    matching: rollouts.length,
    hidden,
    facets: FACETS.map((field) => countFacet(rollouts, field)),
    fields: listFields(),
  };
}

function pageOfRollouts(found: Found, search: URLSearchParams): ExploredRollouts {
  const { rollouts } = found;
  const { key, descending } = readSort(search, ROLLOUT_SORTS);
  const sorted =
    key === "time" ? orderByTime(rollouts, descending) : sortFacts(rollouts, key, descending);
  const { offset, limit } = readPage(search);
  return { ...describeAnswer(found), rollouts: sorted.slice(offset, offset + limit) };
}

function listFields(): ExploredAnswer["fields"] {
  return Object.entries<QueryField>(QUERY_FIELDS).map(([name, { meaning, values }]) => ({
    name,
    meaning,
    ...(values && { values: [...values] }),
  }));
}

const orderByTime = (rollouts: readonly RolloutFacts[], descending: boolean) =>
  descending ? [...rollouts].reverse() : rollouts;

function countFacet(rollouts: readonly RolloutFacts[], field: (typeof FACETS)[number]): Facet {
  const counts = countValues(rollouts, field);
  const values = counts.slice(0, MAX_FACET_VALUES);
  // Iterations are read in their order.
  if (field === "iteration") values.sort((a, b) => Number(a.value) - Number(b.value));
  return { field, values, more: counts.length - values.length };
}

function pageOfTasks(found: Found, search: URLSearchParams): ExploredTasks {
  const { runs, rollouts } = found;
  const tasks = groupByTask(rollouts);
  const { key, descending } = readSort(search, TASK_SORTS);
  const sorted = sortTasks(tasks, key, runs);
  if (descending) sorted.reverse();
  const { offset, limit } = readPage(search);
  const difference = compareRuns(tasks, runs);
  return {
    ...describeAnswer(found),
    tasksInAll: tasks.length,
    tasks: sorted.slice(offset, offset + limit),
    ...(difference && { difference }),
  };
}

function describeUse(found: Found): ExploredUse {
  const comparison = compareUse(found.rollouts);
  return {
    ...describeAnswer(found),
    ...(comparison && { comparison }),
  };
}

type Task = ReturnType<typeof groupByTask>[number];

/** Returns the tasks in an order of `TASK_SORTS`. */
export function sortTasks(
  tasks: readonly Task[],
  key: string,
  [first, second]: readonly string[],
): Task[] {
  const share = (task: Task, run: string | undefined) => {
    const found = task.runs.find((one) => one.run === run);
    return found && found.passed / found.rollouts;
  };
  // A task that one of the runs did not play shows no difference between them.
  const difference = (task: Task) => {
    const [a, b] = [share(task, first), share(task, second)];
    return a === undefined || b === undefined ? -1 : Math.abs(a - b);
  };
  const keys: { readonly [name: string]: (task: Task) => number } = {
    time: () => 0,
    regressed: ({ regressed }) => (regressed ? 0 : 1),
    unsolved: ({ passed, rollouts }) => passed / rollouts,
    differs: (task) => -difference(task),
  };
  const keyOf = keys[key]!;
  return [...tasks].sort((a, b) => keyOf(a) - keyOf(b));
}

function readSort<Key extends string>(
  search: URLSearchParams,
  keys: readonly Key[],
): { readonly key: Key; readonly descending: boolean } {
  const text = search.get("sort") ?? keys[0]!;
  const descending = text.startsWith("-");
  const key = keys.find((known) => known === (descending ? text.slice(1) : text));
  if (key === undefined)
    throw new StudioError(
      400,
      `sort: expected one of ${keys.join(", ")}, got ${JSON.stringify(text)}`,
    );
  return { key, descending };
}
