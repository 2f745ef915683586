/** Lets a policy solve one task. The same policy, world, task and seed give the same tokens as an evaluation does. */
import { enginePolicy } from "../../agent/index.ts";
import { isPassed, isScored, rewardOf } from "../../algo/index.ts";
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

/** The options of `act()`. */
export interface ActOptions {
  /** The seed of sampling. The default is the seed of the policy's run. */
  readonly seed?: number;
  /** The sampling temperature; 0 is greedy. The default is 0, or that of a model's `generation_config.json`. */
  readonly temperature?: number;
  /** When this signal is aborted, the rollout stops and its outcome is `cancelled`. */
  readonly signal?: AbortSignal;
  /** Called after every turn, with its code, observation and API calls. */
  readonly onTurn?: (turn: Turn) => void;
}

/** The result of a policy's attempt at a task. */
export interface Act {
  readonly rollout: Rollout;
  /** The reward in [0, 1] by the rules of the policy's run; undefined if the rollout failed or was cancelled. */
  readonly reward: number | undefined;
  /** True if every check passed. */
  readonly passed: boolean;
  readonly checks: NonNullable<Rollout["evaluation"]>["checks"];
}

const OPTION_NAMES = ["seed", "temperature", "signal", "onTurn"] as const;

/** Lets the policy solve a task. Rejects with a `config` error when the world does not have the task. */
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
  const participants = shapes ? await loadParticipants(shapes, subject.origin) : NOBODY;
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

/** Returns a rollout with its reward by the rules of the policy's run. */
export function createAct(rollout: Rollout, config: Config): Act {
  const { evaluation } = rollout;
  return {
    rollout,
    reward: isScored(rollout) ? rewardOf(rollout, rewardOptions(config)) : undefined,
    passed: isPassed(rollout),
    checks: evaluation?.checks ?? [],
  };
}

/** Finds a task in the world. When the world rejects an unknown id, the error becomes a `config` error. */
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
