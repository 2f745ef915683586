/**
 * An agent that is not ours, as `train()` is handed it: who plays, and what a model made here imitates first. It knows
 * no engine; `trainAgent` makes one from a function of its owner's.
 */
import type { ConversationRenderer, Player } from "../../agent/index.ts";
import { BowlineError } from "../../core/index.ts";
import type {
  RecordedConversation,
  RolloutLimits,
  Scaffold,
  TaskInfo,
  World,
} from "../../spec/index.ts";
import type { Config } from "../config/config.ts";

/** Who plays, on which tasks, and what is imitated before. */
export interface OwnAgent {
  /** Its player, once it is known how the model's conversations are written. */
  player(renderer: ConversationRenderer, config: Config): Player;
  /** Tasks that are data of its owner's; it is closed with the run. Absent: those of the configuration's world. */
  readonly world?: World;
  /** What the warm start imitates, `warm.demonstrations` of them. The same for the same configuration. */
  conversations(
    config: Config,
    options: {
      readonly world: World;
      /** Those that are trained on. */
      readonly tasks: readonly TaskInfo[];
      readonly onDone?: (count: number) => void;
      readonly signal?: AbortSignal | undefined;
    },
  ): Promise<readonly RecordedConversation[]>;
}

/** Stands where a scaffold is looked at; such an agent has its own words. */
export function createAgentScaffold(limits: RolloutLimits): Scaffold {
  return {
    name: "agent",
    limits,
    start: ({ instruction }) => [{ role: "user", content: instruction }],
    observe: (_task, { text }) => ({ role: "environment", content: text }),
    extractCode: (message) => message,
  };
}

/** Where nobody handed one over: what asks for a rollout is told why there is none. */
export const ABSENT_PLAYER: Player = {
  play: async () => {
    throw new BowlineError(
      "config",
      'scaffold.name is "agent": rollouts are played by an agent of your own, which trainAgent() is handed',
    );
  },
  maxFailed: 0,
};
