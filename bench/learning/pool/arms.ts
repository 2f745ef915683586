/**
 * The arms, cells and trials of the study "seventy-two tasks", as data. Everything here was fixed before the first
 * reported run (docs/log.md), but for the cell `hasty-85`, which was added after the primary cell and before its own runs.
 */

/** The worlds of the study by luck in percent: the share of tasks that the hasty program solves. */
export const WORLDS = {
  12: "./bench/learning/pool/luck-12.ts",
  40: "./bench/learning/pool/luck-40.ts",
} as const;

type Fields = Readonly<Record<string, unknown>>;

/** A way to learn, with the number besides the learning rate that its trials choose. */
export interface PoolArm {
  readonly label: string;
  readonly method: string;
  readonly fields: Fields;
  /** The field that is tuned, with its usual value in the middle and the values tried beyond the edges. */
  readonly knob: {
    readonly field: string;
    readonly values: readonly [number, number, number];
    /** An upper value is absent where the last of the three is the greatest possible. */
    readonly beyond: readonly [number, number?];
  };
  /** The arm whose tuned values this arm takes; its own if absent. */
  readonly tunedAs?: string;
}

/** LOOP's epochs and minibatch, so that RLOO and GRPO make as many updates as LOOP. */
const MINIBATCHES = { "algo.epochs": 2, "algo.minibatch": 32 };
const CLIP = { field: "algo.clip", values: [0.1, 0.2, 0.4], beyond: [0.05, 0.8] } as const;
const MINIBATCH = { field: "algo.minibatch", values: [16, 32, 64], beyond: [8, 128] } as const;

export const ARMS: { readonly [name: string]: PoolArm } = {
  loop: { label: "LOOP", method: "loop", fields: {}, knob: CLIP },
  "ei-2": { label: "EI, 2 epochs", method: "ei", fields: { "algo.epochs": 2 }, knob: MINIBATCH },
  "ei-4": { label: "EI, 4 epochs", method: "ei", fields: { "algo.epochs": 4 }, knob: MINIBATCH },
  rloo: {
    label: "RLOO, minibatches",
    method: "on-policy",
    fields: { ...MINIBATCHES, "algo.ratio": "none" },
    knob: { field: "optimizer.finalRate", values: [0.05, 0.2, 1], beyond: [0.01] },
  },
  grpo: {
    label: "GRPO, minibatches",
    method: "grpo",
    fields: { ...MINIBATCHES, "algo.clip": 0.2 },
    knob: {
      field: "algo.kl.coefficient",
      values: [0.0004, 0.004, 0.04],
      beyond: [0.00004, 0.4],
    },
  },
  "loop-strict": {
    label: "LOOP, strict reward",
    method: "loop",
    fields: { "algo.reward": "strict" },
    knob: CLIP,
    tunedAs: "loop",
  },
  "loop-positive": {
    label: "LOOP, positive advantages alone",
    method: "on-policy",
    fields: { "filter.positiveOnly": true },
    knob: CLIP,
    tunedAs: "loop",
  },
  "ppo-critic": {
    label: "PPO with a critic",
    method: "ppo-critic",
    fields: {},
    knob: { field: "critic.warmIterations", values: [1, 2, 4], beyond: [0, 6] },
  },
  rft: {
    label: "RFT",
    method: "rft",
    fields: {},
    knob: { field: "algo.epochs", values: [3, 6, 12], beyond: [2, 24] },
  },
};

/** A place where arms are compared. */
export interface Cell {
  readonly luck: keyof typeof WORLDS;
  /** How many training tasks repeat; null: every task is fresh. */
  readonly pool: number | null;
  /** The share of demonstrations of the warm start that are hasty; that of `starter` if absent. */
  readonly hastyShare?: number;
}

export const CELLS: { readonly [name: string]: Cell } = {
  primary: { luck: 40, pool: 72 },
  "luck-12": { luck: 12, pool: 72 },
  fresh: { luck: 40, pool: null },
  "hasty-85": { luck: 40, pool: 72, hastyShare: 0.85 },
};

/** A training run of the study. Its name is the name of its file of results. */
export interface PlannedRun {
  readonly cell: string;
  readonly arm: string;
  readonly seed: number;
}

/** A job of the study: the trials of an arm, or a reported run. */
export type Job = { readonly tune: string } | { readonly run: PlannedRun };

const listRuns = (cell: string, arms: readonly string[], seeds: readonly number[]): Job[] =>
  seeds.flatMap((seed) => arms.map((arm): Job => ({ run: { cell, arm, seed } })));

const FIRST_ARMS = ["loop", "ei-4", "ei-2", "rloo"];
const PRIMARY_ARMS = [...FIRST_ARMS, "grpo"];
const COMPARED_ELSEWHERE = ["loop", "ei-4", "ei-2"];

/** All jobs in order of worth: when hours run out, the last ones are missing. */
export const JOBS: readonly Job[] = [
  ...FIRST_ARMS.map((tune): Job => ({ tune })),
  ...listRuns("primary", FIRST_ARMS, [1, 2]),
  { tune: "grpo" },
  ...listRuns("primary", ["grpo"], [1, 2]),
  ...listRuns("primary", PRIMARY_ARMS, [3, 4, 5]),
  ...listRuns("primary", ["loop-positive", "loop-strict"], [1, 2]),
  ...listRuns("fresh", COMPARED_ELSEWHERE, [1, 2, 3]),
  ...listRuns("hasty-85", COMPARED_ELSEWHERE, [1, 2, 3]),
  ...listRuns("luck-12", COMPARED_ELSEWHERE, [1, 2, 3]),
  { tune: "ppo-critic" },
  { tune: "rft" },
  ...listRuns("primary", ["ppo-critic", "rft"], [1, 2]),
];

/** The comparisons that are tested: greedy TGC on test-normal of the last checkpoint, primary cell, five pairs, Holm. */
export const PRIMARY_PAIRS = [
  ["loop", "ei-4"],
  ["loop", "ei-2"],
  ["loop", "rloo"],
  ["loop", "grpo"],
] as const;
