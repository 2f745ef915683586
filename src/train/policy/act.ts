/**
 * One task done by a policy: the rollout that an evaluation would make of it, with what it earned. The same policy,
 * world, task and seed give the same tokens as `evaluate` does.
 */
import { enginePolicy } from "../../agent/index.ts";
import { isScored, rewardOf } from "../../algo/index.ts";
import { BowlineError, randomStreamId, requireKnownFields, requireSeed } from "../../core/index.ts";
import {
  asShapedConfig,
  createRolloutShaper,
  loadParticipants,
  NOBODY,
  rewardOptions,
  runAssignment,
} from "../../methods/index.ts";
import type { Rollout, TaskInfo, Turn, World } from "../../spec/index.ts";
import type { Config } from "../config/config.ts";
import type { EvaluatedPolicy } from "../evaluate/find-policy.ts";
import { defaultTemperature, type OpenedWeights } from "../evaluate/open-weights.ts";
import { requireTemperature } from "./generate.ts";

/** How one task is done, and who watches. */
export interface ActOptions {
  /** Of sampling. Default: the seed of the policy's run. */
  readonly seed?: number;
  /** 0 is greedy. Default: 0, of a model's folder what its `generation_config.json` asks for. */
  readonly temperature?: number;
  /** Aborted: the rollout's outcome is `cancelled`. */
  readonly signal?: AbortSignal;
  /** After every turn: its code, what came back, the calls that it made. */
  readonly onTurn?: (turn: Turn) => void;
}

/** What a policy did with a task. */
export interface Act {
  readonly rollout: Rollout;
  /**
   * In [0, 1], as the policy's run counts it; undefined where the rollout failed or was cancelled and has no checks.
   */
  readonly reward: number | undefined;
  /** Every check passed. */
  readonly passed: boolean;
  readonly checks: NonNullable<Rollout["evaluation"]>["checks"];
}

const OPTION_NAMES = ["seed", "temperature", "signal", "onTurn"] as const;

/** Rejects with a `config` error when the world has no such task. */
export async function solveTask(
  world: World,
  task: string | TaskInfo,
  { subject, weights }: { readonly subject: EvaluatedPolicy; readonly weights: OpenedWeights },
  options: ActOptions = {},
): Promise<Act> {
  requireKnownFields("the options of act()", options, OPTION_NAMES);
  const { config } = subject;
  const { seed = config.run.seed, temperature = defaultTemperature(subject) } = options;
  requireSeed("seed", seed);
  requireTemperature(temperature);
  const { signal, onTurn } = options;
  const shapes = asShapedConfig(config);
  const participants = shapes ? await loadParticipants(shapes) : NOBODY;
  const found = await findTask(world, task);
  const stream = randomStreamId(seed, "eval", found.id);
  const rollout = await runAssignment(
    { task: found, id: `act/${found.id}`, index: 0, stream },
    {
      world,
      policy: enginePolicy(weights.engine),
      agent: weights.agent,
      temperature,
      maxTurns: config.scaffold.evaluationTurns,
      episodes: 1,
      shape:
        shapes &&
        createRolloutShaper(shapes, { participants, mode: "evaluation", store: subject.memory }),
      signal,
      ...(onTurn && { onTurn: (_: TaskInfo, turn: Turn) => onTurn(turn) }),
    },
  );
  return createAct(rollout, config);
}

/** A rollout with what it earned, as the run counts it. */
export function createAct(rollout: Rollout, config: Config): Act {
  const { evaluation } = rollout;
  return {
    rollout,
    reward: isScored(rollout) ? rewardOf(rollout, rewardOptions(config)) : undefined,
    passed: evaluation?.passed === true && evaluation.finished,
    checks: evaluation?.checks ?? [],
  };
}

/** The world alone knows its tasks; what it says of a wrong id is a wrong argument here. */
async function findTask(world: World, task: string | TaskInfo): Promise<TaskInfo> {
  try {
    const episode = await world.open(typeof task === "string" ? task : task.id);
    await episode.close();
    return episode.task;
  } catch (cause) {
    if (!BowlineError.is(cause)) throw cause;
    throw new BowlineError("config", cause.message, { cause });
  }
}
