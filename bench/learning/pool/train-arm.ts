/** Trains one arm of the study with one seed, and scores its policies. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describeMachine, readJson, readJsonLines, writeJson } from "../../../src/core/index.ts";
import type { MetricLine, Summary, TaskInfo } from "../../../src/spec/index.ts";
import { type EvaluateResult, evaluateWith } from "../../../src/train/evaluate/evaluate.ts";
import { type Config, evaluate, resolveConfig, train } from "../../../src/train/index.ts";
import { selectTasks } from "../../../src/train/iterate/task-rules.ts";
import { realMakers } from "../../../src/train/parts/makers.ts";
import type { TrainEvent } from "../../../src/train/run/events.ts";
import { ARMS, type Cell, WORLDS } from "./arms.ts";
import { type KeptScore, keepScore } from "./result-files.ts";

/** The rollouts of an iteration: 40 tasks of 6. */
const ROLLOUTS = 240;
export const THREADS = 2;
/** The training metrics that a file of results keeps. */
const KEPT_METRICS = [
  "reward/mean",
  "reward/pass_rate",
  "group/mixed",
  "kl/trajectory",
  "entropy/mean",
  "train/updates",
];

/** What is trained: an arm in a cell, with its tuned values, for a number of iterations. */
export interface Training {
  readonly arm: string;
  readonly cell: Cell;
  readonly seed: number;
  readonly iterations: number;
  readonly values: Readonly<Record<string, number>>;
  /** The evaluations of the run, and after how many iterations dev is evaluated; 0: never. */
  readonly evaluation: { readonly scores: readonly string[]; readonly every: number };
}

const sharedFields = ({ cell, seed, evaluation }: Training): Record<string, unknown> => ({
  "world.name": WORLDS[cell.luck],
  "warm.auto": false,
  ...(cell.hastyShare !== undefined && { "warm.hastyShare": cell.hastyShare }),
  "engine.threads": THREADS,
  "run.seed": seed,
  "run.gates": "note",
  "evaluation.scores": evaluation.scores,
  "evaluation.every": evaluation.every,
});

/**
 * Returns how an arm spends its budget. RFT spends it in one iteration. From a pool, it samples each task equally often
 * and at most once fewer than the budget allows; from fresh tasks, eight times.
 */
function budgetFields({ arm, cell, iterations }: Training): Record<string, number> {
  if (ARMS[arm]!.method !== "rft") return { "algo.iterations": iterations };
  const rollouts = iterations * ROLLOUTS;
  const groupSize = cell.pool === null ? 8 : Math.floor(rollouts / cell.pool);
  const tasksPerIteration = Math.floor(rollouts / groupSize);
  return {
    "algo.iterations": 1,
    "algo.groupSize": groupSize,
    "algo.tasksPerIteration": cell.pool === null ? tasksPerIteration : cell.pool,
  };
}

/** Returns the fields of an arm that are not shared with the other arms. */
export function ownFields(training: Training): Record<string, unknown> {
  return {
    "algo.taskSampling": "uniform",
    "tasks.pool": training.cell.pool,
    ...ARMS[training.arm]!.fields,
    ...budgetFields(training),
    ...training.values,
  };
}

export function configOf(training: Training): Config {
  const overrides = { ...sharedFields(training), ...ownFields(training) };
  return resolveConfig({ recipe: `starter/${ARMS[training.arm]!.method}`, overrides });
}

/** Returns the name of the folder of a warm start. Cells share it if they have one world and equal demonstrations. */
export function nameOfWarmStart({ luck, hastyShare }: Cell, seed: number): string {
  const hasty = hastyShare === undefined ? "" : `-hasty${Math.round(100 * hastyShare)}`;
  return `warm-luck${luck}${hasty}-seed${seed}`;
}

/** Makes the warm start that all arms of a cell and a seed share. Returns its folder. */
export async function makeWarmStart(training: Training, folder: string): Promise<string> {
  const { cell, seed } = training;
  const out = join(folder, nameOfWarmStart(cell, seed));
  const overrides = { ...sharedFields(training), "algo.iterations": 0 };
  await train(resolveConfig({ recipe: "starter", overrides }), { out });
  return out;
}

/**
 * Keeps a copy of the checkpoint that is best on dev. An evaluation comes before its checkpoint is saved, so the copy
 * is made when the next iteration ends, or after a restart.
 */
export class BestCheckpoint {
  readonly #run: string;
  readonly #copy: string;
  readonly #note: string;

  constructor(run: string) {
    this.#run = run;
    this.#copy = `${run}-best`;
    this.#note = `${run}-best.json`;
    this.copyPending();
  }

  get note(): { iteration: number; dev: number; copied: boolean } | undefined {
    return existsSync(this.#note)
      ? (readJson(this.#note) as { iteration: number; dev: number; copied: boolean })
      : undefined;
  }

  get folder(): string {
    return this.#copy;
  }

  onEvent = (event: TrainEvent): void => {
    if (event.type === "progress" && event.phase === "loop") this.copyPending();
    if (event.type !== "score" || event.split !== "dev" || event.mode !== "greedy") return;
    const iteration = Number(/^iteration (\d+)$/.exec(event.when)?.[1] ?? Number.NaN);
    if (Number.isNaN(iteration) || event.score.tgc <= (this.note?.dev ?? -1)) return;
    writeJson(this.#note, { iteration, dev: event.score.tgc, copied: false });
  };

  /** Copies the newest checkpoint if it is the one that the note waits for. */
  copyPending(): void {
    const { note } = this;
    const newest = join(this.#run, "checkpoints", "latest");
    if (!note || note.copied || !existsSync(join(newest, "trainer.json"))) return;
    const { state } = readJson(join(newest, "trainer.json")) as { state: { iteration: number } };
    if (state.iteration !== note.iteration) return;
    rmSync(this.#copy, { recursive: true, force: true });
    cpSync(newest, this.#copy, { recursive: true });
    writeJson(this.#note, { ...note, copied: true });
  }
}

/** Scores a checkpoint or run on test-normal of a world. `temperature` 0 is greedy. */
export async function scorePolicy(
  policy: string,
  world: string,
  temperature: number,
): Promise<KeptScore> {
  const split = "test-normal";
  const { score } = await evaluate({ policy, world, split, temperature, scenarios: 60 });
  return keepScore(score);
}

/** Scores a run greedily on the tasks of its pool. */
export async function scoreOnPool(policy: string, config: Config): Promise<KeptScore> {
  const { score } = await playPool(policy, config, 0);
  return keepScore(score);
}

/** Plays a policy on the tasks of the pool that a configuration draws. */
export function playPool(
  policy: string,
  config: Config,
  temperature: number,
): Promise<EvaluateResult> {
  const makers = {
    ...realMakers,
    openWorld: async (...request: Parameters<typeof realMakers.openWorld>) => {
      const world = await realMakers.openWorld(...request);
      const declared = world.tasks("train", config.world.trainScenarios);
      const pool = selectTasks(declared, {}, config);
      const tasks = (): readonly TaskInfo[] => pool;
      return new Proxy(world, {
        get(target, name) {
          if (name === "tasks") return tasks;
          const value = Reflect.get(target, name, target) as unknown;
          return typeof value === "function" ? value.bind(target) : value;
        },
      });
    },
  };
  return evaluateWith(makers, {
    ...{ policy, world: config.world.name, split: "train" as const, temperature },
  });
}

/** Reads the training metrics of a run from its folder, by name, and its greedy scores on dev during training. */
export function readTraining(run: string) {
  const lines = readJsonLines(join(run, "metrics.jsonl")) as MetricLine[];
  const iterations = lines.filter(({ phase }) => phase === "loop");
  const read = (name: string) =>
    iterations.map((line) =>
      typeof line[name] === "number" ? Number(line[name].toPrecision(4)) : null,
    );
  const training = Object.fromEntries(KEPT_METRICS.map((name) => [name, read(name)]));
  const updates = training["train/updates"]!.reduce<number>((sum, n) => sum + (n ?? 0), 0);
  const dev = lines.flatMap(({ phase, when, step, "tgc/dev": tgc }) =>
    phase === "eval" && String(when).startsWith("iteration") ? [[step, Number(tgc)] as const] : [],
  );
  return { training, updates, dev };
}

/** Returns what every file of results says about where a run was made. */
export function describeMaking(summary: Summary) {
  const { cpu, cores } = describeMachine();
  const code = ["src", "worlds", "bench/learning/pool/*.ts"];
  const newest = ["log", "-1", "--abbrev=10", "--format=%h", "--", ...code];
  const commit = execFileSync("git", newest, { encoding: "utf8" });
  return {
    commit: commit.trim(),
    machine: `${cores} cores of ${cpu}`,
    threads: THREADS,
    rollouts: summary.rollouts,
    seconds: Math.round(summary.seconds),
  };
}
