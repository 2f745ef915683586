/**
 * A scaffold of one's own: the compact one, which also tells the agent how many turns it has left. An agent that knows its
 * budget can stop looking and answer.
 *
 *     bowline train smoke --scaffold ./examples/my-scaffold.ts
 */
import { compactScaffold, type MakeScaffold } from "bowline";

/** `limits` are those of the configuration (`scaffold.maxTurns`, ...); they hold whatever the scaffold says. */
const makeScaffold: MakeScaffold = (limits) => {
  const compact = compactScaffold({ ...limits, maxObservationCharacters: 300 });
  return {
    ...compact,
    name: "turns-left",
    // Called for every step of a rollout, and for every step of a demonstration that the warm start imitates.
    observe(task, result, place) {
      const message = compact.observe(task, result, place);
      if (!place) return message;
      return { ...message, content: `${message.content}\n[${place.maxTurns - place.turn} left]` };
    },
  };
};

export default makeScaffold;
