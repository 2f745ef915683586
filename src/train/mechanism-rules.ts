/** Where the fields of `config-mechanisms.ts` are read, and which of them contradict each other. */
import type { Config } from "./config.ts";

export interface Rule {
  /** A section (`tree.`) or one field. */
  readonly fields: readonly string[];
  readonly readWhere: (config: Config) => boolean;
  /** In words, after "is read only where". */
  readonly where: string;
}

/** The clipped objective with advantages of rollouts or turns: what most mechanisms change. */
const isSurrogate = ({ algo }: Config) => algo.learner === "surrogate";
const isCriticFree = (config: Config) => isSurrogate(config) && config.algo.baseline !== "value";
const CRITIC_FREE = "algo.learner is surrogate and algo.baseline is not value";

const hasTerm = ({ rewards }: Config, ...names: readonly string[]) =>
  rewards.terms.some(({ term }) => names.includes(term));
const isReplayed = ({ buffer }: Config) => buffer.replayWeight !== 0;
/** Whether tasks are told apart by how often they were passed. */
export const usesTaskTable = ({ tasks, algo }: Config) =>
  tasks.pruneAbove !== null ||
  tasks.minGroupSize !== null ||
  tasks.classes.length < 4 ||
  algo.taskSampling === "near-half" ||
  algo.taskSampling === "variance";

export const MECHANISM_RULES: readonly Rule[] = [
  {
    fields: ["rewards."],
    readWhere: (config) =>
      isSurrogate(config) ||
      (config.algo.collect === "groups" && config.algo.learner === "preference") ||
      config.imitation.temperature !== null,
    where: "returns are: algo.learner surrogate, pairs of groups, or imitation.temperature",
  },
  {
    fields: ["rewards.headRate"],
    readWhere: (config) => hasTerm(config, "contribution", "ranking"),
    where: "rewards.terms has contribution or ranking",
  },
  {
    fields: [
      "credit.",
      "filter.voidTurns",
      "filter.overTurn",
      "filter.overLong",
      "filter.positiveOnly",
      "filter.saturatedAbove",
      "filter.entropyTurnShare",
      "filter.entropyTokenShare",
      "filter.protectFormat",
      "filter.covarianceShare",
      "imitation.mixWeight",
      "buffer.inject",
      "buffer.replayWeight",
    ],
    readWhere: isCriticFree,
    where: CRITIC_FREE,
  },
  {
    fields: ["filter.surpriseLow", "filter.surpriseHigh"],
    readWhere: (config) => isCriticFree(config) || config.algo.learner === "imitation",
    where: "algo.learner is surrogate (and algo.baseline is not value) or imitation",
  },
  {
    fields: ["imitation.target"],
    readWhere: ({ algo }) => algo.learner === "imitation" && algo.collect === "groups",
    where: "algo.learner is imitation and algo.collect is groups",
  },
  {
    fields: ["imitation.temperature", "buffer.imitate"],
    readWhere: ({ imitation }) => imitation.target === "actions",
    where: "imitation.target is actions",
  },
  {
    fields: ["credit.returns"],
    readWhere: ({ credit }) => credit.unit !== "rollout",
    where: "credit.unit is turn or both",
  },
  {
    fields: ["credit.discount", "credit.restart"],
    readWhere: ({ credit }) => credit.unit !== "rollout" && credit.returns === "to-go",
    where: "credit.unit is turn or both and credit.returns is to-go",
  },
  {
    fields: ["credit.episodeWeight", "credit.turnWeight"],
    readWhere: ({ credit }) => credit.unit === "both",
    where: "credit.unit is both",
  },
  {
    fields: ["credit.baselineDecay"],
    readWhere: ({ algo }) => algo.baseline === "running",
    where: "algo.baseline is running",
  },
  {
    fields: ["credit.branches"],
    readWhere: ({ shapes }) => shapes.branches > 0,
    where: "shapes.branches is above 0",
  },
  {
    fields: ["filter.covarianceLow", "filter.covarianceHigh"],
    readWhere: ({ filter }) => filter.covarianceShare > 0,
    where: "filter.covarianceShare is above 0",
  },
  {
    fields: ["buffer.perTask"],
    readWhere: (config) => config.buffer.inject || config.buffer.imitate || isReplayed(config),
    where: "buffer.inject or buffer.imitate is true or buffer.replayWeight is not 0",
  },
  {
    fields: ["buffer.capacity", "buffer.maxAge", "buffer.keep"],
    readWhere: ({ buffer }) => buffer.perTask > 0,
    where: "buffer.perTask is above 0",
  },
  {
    fields: ["buffer.inject", "buffer.imitate", "buffer.replayWeight"],
    readWhere: ({ buffer }) => buffer.perTask > 0,
    where: "buffer.perTask is above 0",
  },
  {
    fields: ["buffer.injectBelow", "buffer.injectSpread", "buffer.injectReward"],
    readWhere: ({ buffer }) => buffer.inject,
    where: "buffer.inject is true",
  },
  {
    fields: ["buffer.imitate", "imitation.temperature"],
    readWhere: ({ algo }) => algo.learner === "imitation" && algo.collect === "groups",
    where: "algo.learner is imitation and algo.collect is groups",
  },
  {
    fields: ["buffer.imitate"],
    readWhere: ({ imitation }) => imitation.temperature === null,
    where: "imitation.temperature is null (weights by return need this iteration's)",
  },
  {
    fields: ["buffer.replayQuantile", "buffer.replayGroups"],
    readWhere: isReplayed,
    where: "buffer.replayWeight is not 0",
  },
  {
    fields: ["tasks.pruneAfter"],
    readWhere: ({ tasks }) => tasks.pruneAbove !== null,
    where: "tasks.pruneAbove is not null",
  },
  { fields: ["tasks.memory"], readWhere: usesTaskTable, where: "tasks are told apart by success" },
  {
    fields: ["tasks.minGroupSize"],
    readWhere: ({ algo }) => algo.collect === "groups" && !algo.stragglers,
    where: "algo.collect is groups and algo.stragglers is false (its quotas need one K)",
  },
  {
    fields: ["algo.upperClip", "algo.keptShare", "algo.samplerCap"],
    readWhere: isSurrogate,
    where: "algo.learner is surrogate",
  },
  {
    fields: ["algo.upperClip"],
    readWhere: ({ algo }) => algo.ratio !== "none",
    where: "algo.ratio is not none",
  },
  {
    fields: ["algo.keptShare"],
    readWhere: (config) => isCriticFree(config) && config.algo.ratio === "token",
    where: "algo.ratio is token and algo.baseline is not value",
  },
  {
    fields: ["algo.klTurns"],
    readWhere: ({ algo }) => algo.klCoefficient > 0,
    where: "algo.klCoefficient is above 0",
  },
  {
    fields: ["algo.entropyBandCoefficient"],
    readWhere: isCriticFree,
    where: CRITIC_FREE,
  },
  {
    fields: ["algo.entropyBandLow", "algo.entropyBandHigh"],
    readWhere: ({ algo }) => algo.entropyBandCoefficient > 0,
    where: "algo.entropyBandCoefficient is above 0",
  },
  {
    fields: ["critic.lambda"],
    readWhere: ({ critic }) => critic.adaptiveLambda === 0,
    where: "critic.adaptiveLambda is 0",
  },
  {
    fields: ["preference.beta"],
    readWhere: ({ preference }) => preference.loss === "logistic",
    where: "preference.loss is logistic",
  },
  {
    fields: ["preference.eta"],
    readWhere: ({ preference }) => preference.loss === "squared",
    where: "preference.loss is squared",
  },
  {
    fields: ["preference.segmentTurns"],
    readWhere: ({ algo }) => algo.collect === "groups",
    where: "algo.collect is groups (pairs of a tree are single turns)",
  },
  {
    fields: ["preference.discount"],
    readWhere: ({ preference }) => preference.segmentTurns === null,
    where: "preference.segmentTurns is null",
  },
];

/** Whether some mechanism looks at the solutions of an iteration's tasks. */
export function usesSolutions(config: Config): boolean {
  return config.imitation.mixWeight !== 0 || hasTerm(config, "information-gain");
}

/** Whether some mechanism compares with the policy that the loop started from. */
export function usesReference(config: Config): boolean {
  return config.algo.klCoefficient > 0 || hasTerm(config, "kl");
}

/** Fields that are each right and contradict one another; both are named. Undefined: none. */
export function mechanismConflict(config: Config): string | undefined {
  const { imitation, shapes } = config;
  if (imitation.target === "observations" && shapes.context !== "growing") {
    return `imitation.target observations needs shapes.context growing: with ${shapes.context} a row repeats what was seen before`;
  }
  return (
    termConflict(config) ??
    creditConflict(config) ??
    taskConflict(config) ??
    bandConflict(config) ??
    undefined
  );
}

function termConflict({ rewards, shapes, participants }: Config): string | undefined {
  const { terms } = rewards;
  for (const [i, { term, enough, estimator }] of terms.entries()) {
    const at = `rewards.terms.${i}`;
    if (enough !== undefined && term !== "tool-use") {
      return `${at}.enough is read by the term tool-use, not by ${term}`;
    }
    if (estimator !== undefined && term !== "kl") {
      return `${at}.estimator is read by the term kl, not by ${term}`;
    }
    if ((term === "attempt" || term === "improvement") && shapes.attempts < 2) {
      return `${at}.term ${term} pays for attempts, but shapes.attempts is ${shapes.attempts}`;
    }
    if (term === "judge" && participants.judge === "none") {
      return `${at}.term judge pays a judge's marks, but participants.judge is none`;
    }
  }
  if (terms.length > 0 && !terms.some(({ how }) => how === "add")) {
    return "rewards.terms: expected a term that is added, because penalties and factors only take away";
  }
  const outcome = terms.findIndex(({ term }) => term === "outcome");
  const parts = terms.findIndex(({ term }) => term === "contribution");
  if (outcome >= 0 && parts >= 0) {
    return `rewards.terms.${parts}.term contribution pays the outcome turn by turn, and rewards.terms.${outcome}.term pays it once more; keep one`;
  }
  return undefined;
}

function creditConflict({ algo, credit, shapes, participants }: Config): string | undefined {
  const { key, unit, branches } = credit;
  if (branches !== "own" && unit !== "rollout") {
    return `credit.branches ${branches} shares out advantages of rollouts, but credit.unit is ${unit}; set it to rollout`;
  }
  if (unit === "rollout" && (key === "task-turn" || key === "task-branch")) {
    return `credit.key ${key} compares turns, but credit.unit is rollout; set it to turn or both`;
  }
  if (key === "task-branch" && shapes.branches === 0) {
    return "credit.key task-branch compares turns at forks, but shapes.branches is 0";
  }
  if (key === "chain-position" && shapes.chainLength < 2) {
    return `credit.key chain-position compares links of chains, but shapes.chainLength is ${shapes.chainLength}`;
  }
  if (key === "role" && !participants.trainUser) {
    return "credit.key role compares roles, but participants.trainUser is false: there is one";
  }
  if (algo.baseline === "running" && unit !== "rollout") {
    return `algo.baseline running is kept for rollouts, but credit.unit is ${unit}`;
  }
  return undefined;
}

function taskConflict({ algo, tasks }: Config): string | undefined {
  if (tasks.minDifficulty > tasks.maxDifficulty) {
    return `tasks.minDifficulty: expected at most tasks.maxDifficulty (${tasks.maxDifficulty}), came ${tasks.minDifficulty}`;
  }
  if (tasks.minGroupSize !== null && tasks.minGroupSize > algo.groupSize) {
    return `tasks.minGroupSize: expected at most algo.groupSize (${algo.groupSize}), came ${tasks.minGroupSize}`;
  }
  return undefined;
}

function bandConflict({ algo, filter }: Config): string | undefined {
  if (algo.entropyBandLow > algo.entropyBandHigh) {
    return `algo.entropyBandLow: expected at most algo.entropyBandHigh (${algo.entropyBandHigh}), came ${algo.entropyBandLow}`;
  }
  if (filter.covarianceLow > filter.covarianceHigh) {
    return `filter.covarianceLow: expected at most filter.covarianceHigh (${filter.covarianceHigh}), came ${filter.covarianceLow}`;
  }
  if (filter.surpriseHigh !== null && filter.surpriseLow > filter.surpriseHigh) {
    return `filter.surpriseLow: expected at most filter.surpriseHigh (${filter.surpriseHigh}), came ${filter.surpriseLow}`;
  }
  return undefined;
}
