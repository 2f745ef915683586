/**
 * A scaffold of your own. It extends the compact scaffold and also tells the agent how many turns are left, so that the
 * agent can stop searching and answer in time.
 *
 *     bowline train smoke --scaffold ./examples/my-scaffold.ts
 */
import { compactScaffold, type MakeScaffold } from "bowline";

/** Makes the scaffold. `limits` come from the configuration (`scaffold.maxTurns`, ...) and apply in any case. */
const makeScaffold: MakeScaffold = (limits) => {
  const compact = compactScaffold({ ...limits, maxObservationCharacters: 300 });
  return {
    ...compact,
    name: "turns-left",
    // This is called after every turn of a rollout, and of a demonstration that the warm start imitates.
    observe(task, result, place) {
      const message = compact.observe(task, result, place);
      if (!place) return message;
      return { ...message, content: `${message.content}\n[${place.maxTurns - place.turn} left]` };
    },
  };
};

export default makeScaffold;
