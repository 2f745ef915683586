/**
 * How each mechanism that changes rollouts, or the choice of tasks, is switched off, and how it stays on but says
 * nothing. Rollouts are collected again under the same random streams.
 */
import { WRITING_REQUESTS } from "../../../src/agent/index.ts";
import { readField } from "../../../src/methods/index.ts";
import type { OnPolicyState } from "../../../src/methods/on-policy/on-policy-state.ts";
import type { Participant } from "../../../src/spec/index.ts";
import type { Change, Counterfactual, Fields } from "./change.ts";
import { silenceLabels, silenceWriter } from "./dead-engines.ts";
import { shuffleTable } from "./shuffled-rollouts.ts";

const setFields = (fields: Fields): Change => ({ fields: () => fields });
const methodState = (state: { readonly method: object }) => state.method as OnPolicyState;

function onRollouts(off: Change, deadness: string, dead: Change = off): Counterfactual {
  return { compares: "rollouts", off, dead, deadness };
}

function onTasks(off: Change, deadness: string, dead: Change): Counterfactual {
  return { compares: "tasks", off, dead, deadness };
}

const silenceWriting = (request: string): Change => ({
  engine: (engine, _, renderer) => silenceWriter(engine, renderer, request),
});
const silenceText = (...labels: string[]): Change => ({
  renderer: (renderer) => silenceLabels(renderer, labels),
});

const speechless = (name: string) => (): Participant => ({ name, speak: async () => "go on" });
const NO_USER: Change = {
  ...setFields({ "participants.user": "none" }),
  participants: (others) => ({ ...others, user: undefined }),
};
const sameWords = (name: string): Change => ({
  participants: (others) => ({ ...others, user: speechless(name) }),
});

const GROUPS = setFields({ "collect.kind": "groups", "credit.branches": "own" });
const GROWING = setFields({ "context.kind": "growing" });

const shuffleItems: Change = {
  state: (state, { rng }) => {
    const { memory } = methodState(state);
    if (memory === undefined) return;
    const { items } = memory.items;
    const donors = rng.shuffle([...items]);
    const shuffled = items.map((item, i) => ({ ...item, text: donors[i]!.text }));
    methodState(state).memory = { ...memory, items: { ...memory.items, items: shuffled } };
  },
};
const shuffleUtilities: Change = {
  state: (state, { rng }) => {
    const { memory } = methodState(state);
    if (memory === undefined) return;
    const { items } = memory.items;
    const donors = rng.shuffle([...items]);
    const shuffled = items.map((item, i) => {
      const { value, uses, successes } = donors[i]!;
      return { ...item, value, uses, successes };
    });
    methodState(state).memory = { ...memory, items: { ...memory.items, items: shuffled } };
  },
};
const levelUtilities: Change = {
  state: (state) => {
    const { memory } = methodState(state);
    if (memory === undefined) return;
    const items = memory.items.items.map((one) => ({ ...one, value: 0, uses: 0, successes: 0 }));
    methodState(state).memory = { ...memory, items: { ...memory.items, items } };
  },
};

const shuffleHistory: Change = {
  state: (state, { rng }) => {
    if (state.tasks.table) state.tasks.table = shuffleTable(state.tasks.table, rng);
  },
};

/** Forks where the row does not: at random turns, or nowhere when the row itself forks at random. */
const deadForks: Change = {
  fields: ({ config }) =>
    readField(config, "collect.at") === "random"
      ? { "collect.at": "every", "collect.every": 1000 }
      : { "collect.at": "random" },
};

/** The counterfactuals of the mechanisms that change rollouts or tasks, by the mechanism's name. */
export const ROLLOUT_COUNTERFACTUALS: Readonly<Record<string, Counterfactual>> = {
  "warm start": onRollouts({ isUntrained: true }, "the weights are random"),
  forks: onRollouts(
    GROUPS,
    "rollouts fork at random turns (nowhere, where random is the rule)",
    deadForks,
  ),
  restarts: onRollouts(GROUPS, "stored beginnings are empty", {
    state: (state) => {
      const own = methodState(state);
      if (own.prefixes) own.prefixes = own.prefixes.map((one) => ({ ...one, turns: [] }));
    },
  }),
  segments: onRollouts(GROWING, "a summary or a state says nothing, and a window is never full", {
    ...silenceText("So far:", "You remember:"),
    fields: ({ config }) =>
      readField(config, "context.kind") === "window" ? { "context.turns": 1000 } : {},
  }),
  window: onRollouts(GROWING, "the window is never full", setFields({ "context.turns": 1000 })),
  summaries: onRollouts(GROWING, "summaries say nothing", silenceText("So far:")),
  states: onRollouts(GROWING, "states say nothing", silenceText("You remember:")),
  chunks: onRollouts(
    setFields({ "context.chunkCharacters": null }),
    "pieces are longer than any observation",
    setFields({ "context.chunkCharacters": 1_000_000 }),
  ),
  chains: onRollouts(
    setFields({ "collect.kind": "groups", "credit.key": "task" }),
    "what is carried says nothing",
    silenceText("From before:"),
  ),
  "carried skills": onRollouts(
    setFields({ "collect.carry": "notes" }),
    "the carried skill says nothing",
    silenceText("From before:"),
  ),
  attempts: onRollouts(
    setFields({ "collect.attempts": null }),
    "the agent is not told that it failed",
    silenceText("That is not right."),
  ),
  user: onRollouts(NO_USER, "the user always says the same", sameWords("user")),
  "errors repeated": onRollouts(
    NO_USER,
    "the same words instead of the errors",
    sameWords("failed so far"),
  ),
  planner: onRollouts(
    setFields({ "participants.planner": null }),
    "the plan is always the same",
    silenceWriting(WRITING_REQUESTS.plan),
  ),
  "memory of items": onRollouts(
    setFields({ "memory.kind": "none" }),
    "texts are shuffled among items",
    shuffleItems,
  ),
  "success counts": onRollouts(levelUtilities, "counts are shuffled among items", shuffleUtilities),
  "learned utility": onRollouts(
    levelUtilities,
    "values are shuffled among items",
    shuffleUtilities,
  ),
  "memory of texts": onRollouts(
    setFields({ "memory.kind": "none" }),
    "the texts say nothing",
    silenceText("Your rules:", "Your playbook:"),
  ),
  notes: onRollouts(
    setFields({ "memory.author": "record" }),
    "texts are shuffled among items",
    shuffleItems,
  ),
  "growing horizon": onRollouts(
    setFields({ "scaffold.maxTurns": 8 }),
    "the schedule runs backwards",
    { stage: (number) => 4 - number },
  ),
  pruning: onTasks(
    setFields({ "tasks.prune": null }),
    "the results of tasks are shuffled among tasks",
    shuffleHistory,
  ),
  difficulty: onTasks(
    setFields({
      "world.difficulties": [1, 2, 3],
      "tasks.classes": ["unseen", "easy", "medium", "hard"],
    }),
    "difficulties and results are shuffled among tasks",
    {
      ...shuffleHistory,
      tasks: (tasks, { rng }) => {
        const levels = rng.shuffle(tasks.map(({ difficulty }) => difficulty));
        return tasks.map((task, i) => ({ ...task, difficulty: levels[i]! }));
      },
    },
  ),
  "group size by success": onTasks(
    setFields({ "tasks.minGroupSize": null }),
    "the results of tasks are shuffled among tasks",
    shuffleHistory,
  ),
  "tasks that teach": onTasks(
    setFields({ "algo.taskSampling": "uniform" }),
    "the results of tasks are shuffled among tasks",
    shuffleHistory,
  ),
};
