/**
 * A scaffold: it decides how a task becomes a prompt and what the policy sees after each turn.
 *
 * This scaffold extends the package's compact scaffold. After a call that failed it repeats the task, so that the policy
 * sees more than its own mistake.
 */
import { compactScaffold, type MakeScaffold } from "bowline";

/** Makes the scaffold. `limits` come from the configuration: the most turns and tokens of a rollout. */
const makeScaffold: MakeScaffold = (limits) => {
  const compact = compactScaffold(limits);
  return {
    ...compact,
    name: "reminder",
    // This is called after every turn of a rollout or demonstration. It keeps no state, as rollouts run concurrently.
    observe(task, result, place) {
      const message = compact.observe(task, result, place);
      if (result.status === "ok") return message;
      return { ...message, content: `${message.content}\n${task.instruction}` };
    },
  };
};

export default makeScaffold;
