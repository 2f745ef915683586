/**
 * A user's own agent, as it is passed to `train()`. It has a player, and conversations that a new model imitates first.
 * It knows nothing about engines. `trainAgent` makes one from the user's function.
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

/**
 * A user's own agent: the player of its episodes, the tasks that it plays, and the conversations that the warm start
 * imitates.
 */
export interface OwnAgent {
  /** Creates the player. `renderer` writes conversations in the model's chat template. */
  player(renderer: ConversationRenderer, config: Config): Player;
  /** True if no episodes are played, because recordings alone are learned from. */
  readonly neverPlays?: boolean;
  /** The user's own tasks, as a world that is closed with the run. By default the configuration names the world. */
  readonly world?: World;
  /** Returns `warm.demonstrations` conversations to imitate. The same configuration always gives the same ones. */
  conversations(
    config: Config,
    options: {
      readonly world: World;
      /** The tasks of the training split. */
      readonly tasks: readonly TaskInfo[];
      readonly onDone?: (count: number) => void;
      /** Is called with what the user should know about the conversations. */
      readonly onNote?: (text: string) => void;
      readonly signal?: AbortSignal | undefined;
    },
  ): Promise<readonly RecordedConversation[]>;
}

/**
 * Creates a placeholder where code expects a scaffold. A user's own agent writes its prompts itself and does not use
 * it.
 */
export function createAgentScaffold(limits: RolloutLimits): Scaffold {
  return {
    name: "agent",
    limits,
    start: ({ instruction }) => [{ role: "user", content: instruction }],
    observe: (_task, { text }) => ({ role: "environment", content: text }),
    extractCode: (message) => message,
  };
}

/** The player of runs that lack the user's agent. Each rollout fails with an error that says what is missing. */
export const ABSENT_PLAYER: Player = {
  play: async () => {
    throw new BowlineError(
      "config",
      'scaffold.name is "agent": rollouts are played by an agent of your own, which you pass to trainAgent()',
    );
  },
  maxFailed: 0,
};
