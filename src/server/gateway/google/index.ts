/** The dialect of Google's `generateContent`, for whole answers and for both forms of a stream. */
import type { AnswerMetadata, Dialect, ParsedCall } from "../dialect.ts";
import { buildAnswer, buildError, EVENT_FORM, LIST_FORM, streamAnswer } from "./answer.ts";
import { parseRequest } from "./request.ts";

export { parseCount } from "./request.ts";

/** Whether an answer is whole, a stream of events (`alt=sse`), or a JSON list that is sent piece by piece. */
export type GoogleForm = "whole" | "events" | "list";

function createDialect(form: GoogleForm): Dialect {
  const streamForm = form === "list" ? LIST_FORM : EVENT_FORM;
  return {
    name: "google",
    parseRequest: (body) => ({ ...parseRequest(body), isStream: form !== "whole" }),
    buildAnswer,
    streamAnswer: (parsed: ParsedCall, metadata: AnswerMetadata) =>
      streamAnswer(parsed, metadata, streamForm),
    buildError,
    keepAliveText: form === "list" ? "\n" : ": waiting\n\n",
    ...(form === "list" && { streamType: "application/json" }),
  };
}

/** The dialect by the form of its answers. */
export const google: Readonly<Record<GoogleForm, Dialect>> = {
  whole: createDialect("whole"),
  events: createDialect("events"),
  list: createDialect("list"),
};
