/** OpenAI's chat completions as a dialect. */
import type { Dialect } from "../dialect.ts";
import { error, tell, whole } from "./answer.ts";
import { ask } from "./request.ts";

export const chat: Dialect = { name: "chat", ask, whole, tell, error, filler: ": waiting\n\n" };
