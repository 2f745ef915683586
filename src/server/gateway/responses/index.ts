/** OpenAI's responses as a dialect. */
import { error } from "../chat/answer.ts";
import type { Dialect } from "../dialect.ts";
import { keep, tell, whole } from "./answer.ts";
import { ask } from "./request.ts";

export const responses: Dialect = {
  name: "responses",
  ask,
  whole,
  tell,
  keep,
  error,
  filler: ": waiting\n\n",
};
