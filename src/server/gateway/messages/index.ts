/** Anthropic's messages as a dialect. */
import { type Dialect, formatEvent } from "../dialect.ts";
import { buildAnswer, error, streamAnswer } from "./answer.ts";
import { parseRequest } from "./request.ts";

export { parseConversation } from "./request.ts";

export const messages: Dialect = {
  name: "messages",
  parseRequest,
  buildAnswer,
  streamAnswer,
  buildError: error,
  keepAliveText: formatEvent({ type: "ping" }, "ping"),
};
