/**
 * An agent of the user, as it is passed to `train()`: its player, and the conversations that a new model imitates
 * first. It knows no engine. `trainAgent` makes one from the user's function.
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

/** An agent of the user: what plays, on which tasks, and what the warm start imitates. */
export interface OwnAgent {
  /** Returns the player. `renderer` writes the conversations in the model's chat template. */
  player(renderer: ConversationRenderer, config: Config): Player;
  /** The user's own tasks as a world, which is closed with the run. By default the configuration names the world. */
  readonly world?: World;
  /** Returns `warm.demonstrations` conversations to imitate, the same ones for the same configuration. */
  conversations(
    config: Config,
    options: {
      readonly world: World;
      /** The training tasks. */
      readonly tasks: readonly TaskInfo[];
      readonly onDone?: (count: number) => void;
      readonly signal?: AbortSignal | undefined;
    },
  ): Promise<readonly RecordedConversation[]>;
}

/** Creates a stand-in where a scaffold is needed. An agent of the user writes its own prompts and does not use it. */
export function createAgentScaffold(limits: RolloutLimits): Scaffold {
  return {
    name: "agent",
    limits,
    start: ({ instruction }) => [{ role: "user", content: instruction }],
    observe: (_task, { text }) => ({ role: "environment", content: text }),
    extractCode: (message) => message,
  };
}

/** A player for runs without the user's agent. Each rollout fails with an error that says what is missing. */
export const ABSENT_PLAYER: Player = {
  play: async () => {
    throw new BowlineError(
      "config",
      'scaffold.name is "agent": rollouts are played by an agent of your own, which you pass to trainAgent()',
    );
  },
  maxFailed: 0,
};
