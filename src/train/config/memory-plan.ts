/**
 * Plans how many episodes a run may have open at once, so that it stays within `run.memory`.
 *
 * The numbers are upper estimates from measurements with the react prompt in `everyday` (docs/log.md, "A thousand
 * rollouts from one controller"). What a rollout samples does not depend on how many others run, so the plan changes no
 * result. The weights and caches of an engine in this process are not counted.
 */
import { getHeapStatistics } from "node:v8";
import { BowlineError, usableMemoryMb } from "../../core/index.ts";
import { type Config, readGroupSize, readStaleness } from "./config.ts";

/** What a run needs besides its engine, in MB. */
export interface MemoryPlan {
  readonly budgetMb: number;
  /** The program and its world workers. */
  readonly programMb: number;
  /** The rollouts that are kept until an iteration or an evaluation ends, with their number. */
  readonly rolloutsMb: number;
  readonly rollouts: number;
  readonly episodeMb: number;
  /** How many episodes fit at once, at most `world.episodes`; 0 when not even one fits. */
  readonly atOnce: number;
  /** The most memory that V8 lets the main thread's objects use, and what the rollouts need of it. */
  readonly heapLimitMb: number;
  readonly heapMb: number;
}

/** The memory of a machine, in MB. */
export interface MachineMemory {
  readonly usableMb: number;
  readonly heapLimitMb: number;
}

const PROGRAM_MB = 300;
const WORKER_MB = 120;
/** An open episode: the image of its REPL, its tables, its request and its connection. Measured: 0.43 MB with its row. */
const EPISODE_MB = 0.5;
/** Ids, log-probs and texts of a token. A row holds its own tokens; its prompt, about half of it, is shared. */
const BYTES_PER_TOKEN = 10;
const HEAP_PROGRAM_MB = 200;
/** The share of a rollout's memory that is in objects and not in arrays of numbers. */
const HEAP_SHARE = 0.6;
const DEFAULT_SHARE = 0.8;

export function planMemory(
  config: Config,
  { usableMb, heapLimitMb }: MachineMemory = readMachineMemory(),
): MemoryPlan {
  const { run, world, scaffold } = config;
  const budgetMb = run.memory ?? Math.floor(DEFAULT_SHARE * usableMb);
  const rollouts = countKeptRollouts(config);
  const rolloutsMb = Math.ceil((rollouts * scaffold.maxTokens * BYTES_PER_TOKEN) / 2 ** 20);
  const programMb = PROGRAM_MB + world.workers * WORKER_MB;
  const left = Math.max(0, budgetMb - programMb - rolloutsMb);
  return {
    budgetMb,
    programMb,
    rolloutsMb,
    rollouts,
    episodeMb: EPISODE_MB,
    atOnce: Math.min(world.episodes, Math.floor(left / EPISODE_MB)),
    heapLimitMb,
    heapMb: Math.ceil(HEAP_PROGRAM_MB + HEAP_SHARE * rolloutsMb),
  };
}

function readMachineMemory(): MachineMemory {
  const { heap_size_limit } = getHeapStatistics();
  return { usableMb: usableMemoryMb(), heapLimitMb: Math.floor(heap_size_limit / 2 ** 20) };
}

/** Returns the most rollouts that are kept at once: those of an iteration, or those of an evaluation. */
function countKeptRollouts(config: Config): number {
  const { algo, evaluation } = config;
  const ofIterations =
    algo.iterations === 0
      ? 0
      : algo.tasksPerIteration * readGroupSize(config) * (1 + readStaleness(config));
  const ofEvaluations = evaluation.scores.length === 0 ? 0 : 3 * evaluation.scenarios;
  return Math.max(ofIterations, ofEvaluations);
}

/** Returns how many episodes of the run are open at once. */
export function countEpisodesAtOnce(config: Config): number {
  return Math.max(1, planMemory(config).atOnce);
}

/** Throws a `config` error with the numbers when the run cannot fit into its memory. */
export function requireEnoughMemory(config: Config, machine = readMachineMemory()): void {
  const plan = planMemory(config, machine);
  const { memory } = config.run;
  if (memory !== null && memory > machine.usableMb) {
    throw new BowlineError(
      "config",
      `run.memory: expected at most ${machine.usableMb} MB, which is the memory of this machine, got ${memory}`,
    );
  }
  const needs = `${plan.programMb} MB for the program and ${config.world.workers} world workers, ${plan.rolloutsMb} MB for ${plan.rollouts} rollouts of up to ${config.scaffold.maxTokens} tokens, and ${plan.episodeMb} MB for each open episode`;
  if (plan.atOnce === 0) {
    const least = Math.ceil(plan.programMb + plan.rolloutsMb + plan.episodeMb);
    throw new BowlineError(
      "config",
      `run.memory: the run needs at least ${least} MB (${needs}), but it may use ${plan.budgetMb} MB; ${memory === null ? "use a machine with more memory" : "raise run.memory"}, or lower algo.tasksPerIteration, algo.groupSize or evaluation.scenarios`,
    );
  }
  if (plan.heapMb <= plan.heapLimitMb) return;
  throw new BowlineError(
    "config",
    `run.memory: the objects of ${plan.rollouts} rollouts need up to ${plan.heapMb} MB, but Node limits objects to ${plan.heapLimitMb} MB; set NODE_OPTIONS=--max-old-space-size=${plan.heapMb}, or lower algo.tasksPerIteration, algo.groupSize or evaluation.scenarios`,
  );
}

/** Says that fewer episodes run at once than the configuration allows, if so. */
export function describeFewerEpisodes(config: Config): string | undefined {
  const { atOnce, budgetMb } = planMemory(config);
  if (atOnce >= Math.min(config.world.episodes, countKeptRollouts(config))) return undefined;
  return `at most ${atOnce} episodes run at once instead of world.episodes (${config.world.episodes}), so that the run stays within ${budgetMb} MB (run.memory); the others wait for their turn`;
}
