/** The dialect of OpenAI's responses. */
import { buildError } from "../chat/answer.ts";
import type { Dialect } from "../dialect.ts";
import { buildAnswer, rememberAnswer, streamAnswer } from "./answer.ts";
import { parseRequest } from "./request.ts";

export const responses: Dialect = {
  name: "responses",
  parseRequest,
  buildAnswer,
  streamAnswer,
  rememberAnswer,
  buildError,
  keepAliveText: ": waiting\n\n",
};
