/** Which fields of shapes, participants and memory are read where, and which of them cannot go together. */
import type { Config } from "../config.ts";
import type { Rule } from "../mechanism-rules.ts";
import { companyConflict } from "./company.ts";
import { isLinear } from "./linear.ts";

const hasItems = ({ memory }: Config) =>
  memory.kind === "q-values" || memory.kind === "success-counts";

export const SHAPE_RULES: readonly Rule[] = [
  {
    fields: ["shapes.branchAt", "shapes.sharedPrefix"],
    readWhere: ({ shapes }) => shapes.branches > 0,
    where: "shapes.branches is above 0",
  },
  {
    fields: ["shapes.branchEvery"],
    readWhere: ({ shapes }) => shapes.branches > 0 && shapes.branchAt === "every",
    where: "shapes.branches is above 0 and shapes.branchAt is every",
  },
  {
    fields: ["shapes.branchTokens"],
    readWhere: ({ shapes }) => shapes.branches > 0 && shapes.branchAt === "entropy",
    where: "shapes.branches is above 0 and shapes.branchAt is entropy",
  },
  {
    fields: ["shapes.restartPool"],
    readWhere: ({ shapes }) => shapes.restartShare > 0,
    where: "shapes.restartShare is above 0",
  },
  {
    fields: ["shapes.windowTurns", "shapes.windowDrops"],
    readWhere: ({ shapes }) => shapes.context === "window",
    where: "shapes.context is window",
  },
  {
    fields: ["shapes.contextTokens", "shapes.maxSummaries"],
    readWhere: ({ shapes }) => shapes.context === "summary",
    where: "shapes.context is summary",
  },
  {
    fields: ["shapes.chunkCharacters"],
    readWhere: ({ shapes }) => shapes.context === "state",
    where: "shapes.context is state",
  },
  {
    fields: ["shapes.carry"],
    readWhere: ({ shapes }) => shapes.chainLength > 1,
    where: "shapes.chainLength is above 1",
  },
  {
    fields: ["shapes.feedback"],
    readWhere: ({ shapes }) => shapes.attempts > 1,
    where: "shapes.attempts is above 1",
  },
  {
    fields: ["participants.trainUser"],
    readWhere: ({ participants }) => participants.user === "policy",
    where: "participants.user is policy",
  },
  {
    fields: ["participants.opposed"],
    readWhere: ({ participants }) => participants.trainUser,
    where: "participants.trainUser is true",
  },
  {
    fields: ["participants.planEvery", "participants.trained"],
    readWhere: ({ participants }) => participants.planner,
    where: "participants.planner is true",
  },
  {
    fields: [
      "memory.author",
      "memory.items",
      "memory.candidates",
      "memory.minimumSimilarity",
      "memory.capacity",
      "memory.exploration",
    ],
    readWhere: hasItems,
    where: "memory.kind is q-values or success-counts",
  },
  {
    fields: ["memory.learningRate"],
    readWhere: ({ memory }) => memory.kind === "q-values",
    where: "memory.kind is q-values",
  },
  {
    fields: ["memory.minimumUses", "memory.minimumShare"],
    readWhere: ({ memory }) => memory.kind === "success-counts",
    where: "memory.kind is success-counts",
  },
  {
    fields: ["memory.rewrites"],
    readWhere: ({ memory }) => memory.kind === "texts",
    where: "memory.kind is texts",
  },
  {
    fields: ["memory.characters"],
    readWhere: ({ memory, shapes }) => memory.kind !== "none" || shapes.chainLength > 1,
    where: "memory.kind is not none or shapes.chainLength is above 1",
  },
];

/** Two fields that are set, and why one of them would be silently wrong beside the other. */
interface Clash {
  readonly when: (config: Config) => boolean;
  readonly says: string;
}

const branches = ({ shapes }: Config) => shapes.branches > 0;
const restarts = ({ shapes }: Config) => shapes.restartShare > 0;
const chains = ({ shapes }: Config) => shapes.chainLength > 1;
const attempts = ({ shapes }: Config) => shapes.attempts > 1;

const CLASHES: readonly Clash[] = [
  {
    when: (config) => config.algo.collect !== "groups" && !isLinear(config),
    says: "algo.collect: shapes, participants and memory are of groups of rollouts; with any of them set it must be groups",
  },
  {
    when: (config) => branches(config) && config.shapes.branches >= config.algo.groupSize,
    says: "shapes.branches: expected fewer than algo.groupSize, for a branch is forked from a rollout of its group",
  },
  {
    when: (config) => branches(config) && chains(config),
    says: "shapes.branches cannot go with shapes.chainLength above 1: links of a chain start from different prompts",
  },
  {
    when: (config) => branches(config) && attempts(config),
    says: "shapes.branches cannot go with shapes.attempts above 1: a fork knows one episode, not the ones after it",
  },
  {
    when: (config) => branches(config) && restarts(config),
    says: "shapes.branches cannot go with shapes.restartShare above 0: a rollout has one beginning to share",
  },
  {
    when: (config) => branches(config) && config.participants.user === "policy",
    says: "shapes.branches cannot go with participants.user policy: what it said before a fork would be said anew",
  },
  {
    when: (config) => restarts(config) && config.shapes.context !== "growing",
    says: "shapes.restartShare needs shapes.context growing: a stored beginning is one row",
  },
  {
    when: (config) => restarts(config) && (chains(config) || attempts(config)),
    says: "shapes.restartShare cannot go with shapes.chainLength or shapes.attempts above 1: a stored beginning is of one episode",
  },
  {
    when: (config) => restarts(config) && config.participants.planner,
    says: "shapes.restartShare cannot go with participants.planner: a stored beginning holds turns of the world alone",
  },
  {
    when: (config) => restarts(config) && config.participants.user !== "none",
    says: "shapes.restartShare cannot go with participants.user: a stored beginning holds turns of the world alone",
  },
  {
    when: (config) => restarts(config) && config.memory.kind !== "none",
    says: "shapes.restartShare cannot go with memory.kind: the beginning was sampled under another prompt",
  },
  {
    when: ({ shapes, scaffold }) =>
      shapes.context === "summary" && shapes.contextTokens >= scaffold.maxTokens,
    says: "shapes.contextTokens: expected fewer than scaffold.maxTokens, or a row is full before it is summed up",
  },
  {
    when: ({ shapes, scaffold }) =>
      shapes.chunkCharacters !== null &&
      shapes.chunkCharacters >= scaffold.maxObservationCharacters,
    says: "shapes.chunkCharacters: expected fewer than scaffold.maxObservationCharacters, for no observation is longer than that",
  },
  {
    when: ({ shapes, participants }) => participants.planEvery > 0 && shapes.context !== "growing",
    says: "participants.planEvery needs shapes.context growing: elsewhere a later plan would be dropped with the row that it is in",
  },
  {
    when: (config) => config.algo.stragglers && (branches(config) || chains(config)),
    says: "algo.stragglers: groups with shapes.branches or shapes.chainLength cannot be cut short; set it to false",
  },
  {
    when: ({ participants, credit }) => participants.trainUser && credit.key !== "role",
    says: "participants.trainUser needs credit.key role: a user's return says nothing about an agent's",
  },
  {
    when: ({ participants, algo }) => participants.trainUser && algo.learner !== "surrogate",
    says: "participants.trainUser needs algo.learner surrogate: a user's words are not imitated because the agent passed",
  },
  {
    when: ({ memory }) => memory.items > memory.candidates,
    says: "memory.items: expected at most memory.candidates",
  },
  {
    when: (config) =>
      config.algo.staleness > 0 && (config.memory.kind !== "none" || restarts(config)),
    says: "algo.staleness: an iteration that is collected ahead cannot remember the one before; with memory.kind or shapes.restartShare it must be 0",
  },
];

/** What cannot go together, naming both fields; undefined when all is well. */
export function shapeConflict(config: Config): string | undefined {
  return CLASHES.find(({ when }) => when(config))?.says ?? companyConflict(config);
}
