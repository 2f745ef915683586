/** Scores a policy with a user's own agent: the agent plays the tasks of a split, and its rewards are the score. */
import { type EvaluateOptions, type EvaluateResult, evaluate } from "../../train/index.ts";
import { openAgentConnections } from "./agent-connections.ts";
import type { TaskAgentOptions } from "./options.ts";
import { createTaskAgent } from "./train-agent.ts";

/** The policy to score, the tasks, and the agent that plays them. */
export interface EvaluateAgentOptions<T>
  extends Pick<TaskAgentOptions<T>, "tasks" | "run" | "passAt">,
    Pick<
      EvaluateOptions,
      | "policy"
      | "base"
      | "split"
      | "scenarios"
      | "seed"
      | "temperature"
      | "limits"
      | "engine"
      | "onEvent"
      | "signal"
    > {}

/** Evaluates a policy with weights. Rejects with a BowlineError as `evaluate` does, and when too many episodes fail. */
export async function evaluateAgent<T>(options: EvaluateAgentOptions<T>): Promise<EvaluateResult> {
  const { tasks, run, passAt, ...rest } = options;
  const connections = await openAgentConnections();
  try {
    const played = { tasks, run, ...(passAt !== undefined && { passAt }) };
    const { agent } = createTaskAgent(played as TaskAgentOptions<T>, connections, undefined);
    return await evaluate({ ...rest, agent });
  } finally {
    await run.settled?.();
    await connections.close();
  }
}
