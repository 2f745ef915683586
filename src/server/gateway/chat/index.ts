/** The dialect of OpenAI's chat completions. */
import type { Dialect } from "../dialect.ts";
import { buildAnswer, buildError, streamAnswer } from "./answer.ts";
import { parseRequest } from "./request.ts";

export const chat: Dialect = {
  name: "chat",
  parseRequest,
  buildAnswer,
  streamAnswer,
  buildError,
  keepAliveText: ": waiting\n\n",
};
