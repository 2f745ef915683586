/** The dialect of Anthropic's messages. */
import { type Dialect, formatEvent } from "../dialect.ts";
import { buildAnswer, buildError, streamAnswer } from "./answer.ts";
import { parseRequest } from "./request.ts";

export { parsePrompt } from "./request.ts";

export const messages: Dialect = {
  name: "messages",
  parseRequest,
  buildAnswer,
  streamAnswer,
  buildError,
  keepAliveText: formatEvent({ type: "ping" }, "ping"),
};
