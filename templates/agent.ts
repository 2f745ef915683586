/**
 * An agent: how a task becomes a prompt, and what the policy is shown after each of its turns. The weights are not in here;
 * training finds those.
 *
 * This one is the package's compact scaffold with one idea of its own: after a call that failed it says the task again, so
 * that the policy does not go on from its mistake alone.
 */
import { compactScaffold, type MakeScaffold } from "bowline";

/** `limits` are those of the configuration: how many turns, and how many tokens. */
const makeAgent: MakeScaffold = (limits) => {
  const compact = compactScaffold(limits);
  return {
    ...compact,
    name: "reminder",
    // Called for every turn of a rollout, and for every turn of a demonstration. It keeps nothing: rollouts run at once.
    observe(task, result, place) {
      const message = compact.observe(task, result, place);
      if (result.status === "ok") return message;
      return { ...message, content: `${message.content}\n${task.instruction}` };
    },
  };
};

export default makeAgent;
