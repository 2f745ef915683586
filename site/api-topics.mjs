/**
 * The topics of the API reference, in the order of a page. Each topic lists the sources whose exports belong to it, as
 * beginnings of paths below `src/`. The first topic that matches a source has it.
 */
export const API_TOPICS = [
  [
    "Train and score",
    ["train/train", "train/open/", "train/evaluate/evaluate", "train/run/", "train/diagnosis/"],
  ],
  ["Train an agent of your own", ["server/agent/", "agent/player", "train/parts/own-agent"]],
  ["Environments of other people", ["server/environment/"]],
  ["Use a trained policy", ["train/policy/"]],
  ["Hosted models", ["train/evaluate/hosted/"]],
  [
    "Sessions of agents",
    ["server/gateway/", "server/openenv/", "agent/ai-sdk/", "agent/session/", "spec/session"],
  ],
  ["Configuration, settings and recipes", ["train/config/", "train/settings/", "core/fields/"]],
  ["Own parts of a run", ["train/parts/"]],
  ["Reports and queries over rollouts", ["report/", "server/studio/report/"]],
  ["The studio", ["server/studio/"]],

  ["Define a world", ["world/define", "world/kit", "world/api/", "world/owner/owner-app"]],
  [
    "Open and check a world",
    ["world/pool/", "world/opened-world", "world/check/", "world/inspect/", "world/episode/"],
  ],
  ["People and time in a world", ["world/actors/", "world/owner/"]],
  ["Worlds of other people", ["world/foreign/", "world/appworld/"]],
  ["Worlds on other machines", ["world/remote/"]],
  ["The sandbox", ["world/sandbox/"]],
  ["Dials and comparisons", ["world/dials/", "world/checks/"]],

  ["Tables and columns", ["world/resources/column-types"]],
  [
    "A resource",
    ["world/resources/resource", "world/resources/options", "world/resources/refuse-unless"],
  ],
  ["Items and fields", ["world/resources/item", "world/resources/fields", "world/resources/facts"]],
  ["Lists, filters and order", ["world/resources/list", "world/resources/order"]],
  ["Parameters of APIs", ["world/resources/params"]],
  ["Rows", ["world/resources/rows"]],

  [
    "Collections and columns",
    ["goals/kit/collection", "goals/kit/columns", "goals/kit/row-condition"],
  ],
  [
    "Clauses",
    ["goals/kit/clauses", "goals/kit/at-least-or-at-most", "goals/kit/bounds", "goals/drawn-set"],
  ],
  [
    "Actions and deeds",
    [
      "goals/kit/action",
      "goals/kit/drawn-actions",
      "goals/kit/draw-then-make",
      "goals/kit/findable-things",
    ],
  ],
  ["Ingredients", ["goals/kit/ingredients"]],
  ["Relations, sources, facts and deeds", ["goals/kit/parts-without-set", "goals/parts"]],
  ["Phrases and language", ["goals/kit/phrases", "goals/language", "goals/words"]],
  ["Code of solutions", ["goals/kit/code", "goals/kit/paging"]],
  [
    "Composing and drawing goals",
    [
      "goals/compose",
      "goals/scenario",
      "goals/draw",
      "goals/schedule",
      "goals/shapes",
      "goals/signatures",
    ],
  ],

  [
    "Methods as values",
    [
      "methods/loop",
      "methods/on-policy",
      "methods/methods-by-name",
      "methods/define-method",
      "methods/method",
    ],
  ],
  ["Rollouts of an iteration", ["methods/rollouts/", "methods/extensions"]],
  ["Learning from an iteration", ["methods/learning/"]],
  ["Fields that methods share", ["methods/sections/"]],

  ["LOOP as the paper has it", ["algo/loop"]],
  ["Rewards", ["algo/reward", "algo/scored-checks", "algo/ranking", "algo/redistribution"]],
  [
    "Returns, baselines and advantages",
    [
      "algo/returns",
      "algo/advantage",
      "algo/credit",
      "algo/turn-credit",
      "algo/branch-credit",
      "algo/gae",
      "algo/grade",
      "algo/group-statistics",
    ],
  ],
  [
    "Policy objectives",
    ["algo/objective", "algo/ratio", "algo/kl", "algo/regularisers", "algo/sampled-entropy"],
  ],
  [
    "Imitation, preferences and values",
    ["algo/imitation", "algo/pref", "algo/pair-regression", "algo/value-objective"],
  ],
  [
    "What is learned from",
    [
      "algo/rollout-filters",
      "algo/token-weights",
      "algo/rollout-buffer",
      "algo/action-row",
      "algo/minibatch",
      "algo/stragglers",
    ],
  ],
  ["Tasks and schedules", ["algo/task-statistics", "algo/schedule"]],
  [
    "Scores and statistics",
    ["algo/score", "algo/intervals", "algo/student-t", "algo/behaviour", "core/group-by"],
  ],
  ["Queries over rollouts", ["algo/query/"]],
  ["Diagnosis", ["algo/diagnosis/"]],

  ["Scaffolds and rollouts", ["agent/"]],
  ["The embedded engine", ["engine/onnx/"]],
  ["Engines over the Tinker protocol", ["engine/tinker/"]],

  [
    "Fake worlds, episodes and rollouts",
    ["testing/fake-world", "testing/fake-epi", "testing/fake-ro", "testing/fake-m"],
  ],
  [
    "Scripted policies and engines",
    ["testing/scripted", "testing/table-engine", "testing/byte-tok", "testing/finite"],
  ],
  ["A fake Tinker server", ["testing/fake-tinker"]],
  ["Worlds and apps under test", ["world/testing/"]],

  ["Worlds, tasks and episodes", ["spec/world", "spec/dials"]],
  ["Agents and conversations", ["spec/agent", "spec/chat-template"]],
  ["Engines, samples and updates", ["spec/engine", "spec/lora", "spec/sampling-fields"]],
  ["Rollouts and runs", ["spec/rollout", "spec/run", "spec/facts"]],
  ["Answers: runs and training", ["spec/studio/runs", "spec/studio/training"]],
  ["Answers: rollouts", ["spec/studio/rollouts", "spec/studio/explore"]],
  ["Answers: worlds", ["spec/studio/worlds"]],
  ["Answers: reports and documents", ["spec/studio/"]],
  ["Errors, random numbers and concurrency", ["core/", "index", "exports/"]],
];

/** Returns the topic of a source, such as `algo/loop.ts`. Throws where no topic has it, so that the build fails. */
export function topicOfSource(source) {
  const found = API_TOPICS.find(([, beginnings]) =>
    beginnings.some((start) => source.startsWith(start)),
  );
  if (found === undefined)
    throw new Error(
      `no topic of the API reference has src/${source}; add it to site/api-topics.mjs`,
    );
  return found[0];
}
