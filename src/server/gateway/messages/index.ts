/** Anthropic's messages as a dialect. */
import { type Dialect, event } from "../dialect.ts";
import { error, tell, whole } from "./answer.ts";
import { ask } from "./request.ts";

export { conversationAsked } from "./request.ts";

export const messages: Dialect = {
  name: "messages",
  ask,
  whole,
  tell,
  error,
  filler: event({ type: "ping" }, "ping"),
};
