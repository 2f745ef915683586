/**
 * Reads answers in the form of Llama 3. A message that is one JSON object with a name is a call, and a message has at
 * most one call.
 *
 *     {"name": ..., "parameters": {...}}
 *
 * Only its form shows that a message is a call, so the whole message must have it. A message that begins like a call
 * but cannot be read is ill-formed. Other JSON is an ordinary answer.
 */
import { findJsonObject } from "./json-extent.ts";
import { parseCallJson, type ReadAnswer, type ReadOptions, settledPrefix } from "./read-answer.ts";

export interface LlamaOptions {
  /** Returns the text of ids without special tokens, such as `<|python_tag|>`. */
  text(ids: readonly number[]): string;
}

const LOOKS_LIKE_CALL = /^\{\s*"(?:name|type|function)"\s*:/;

export function createLlamaReader({ text }: LlamaOptions) {
  return (ids: readonly number[], { tools, partial = false }: ReadOptions): ReadAnswer => {
    const answer = text(ids);
    const trimmed = answer.trim();
    const nothing: ReadAnswer = { parts: [], statuses: [], reasoningTokens: 0 };
    if (partial) {
      const sure = tools && trimmed.startsWith("{") ? "" : settledPrefix(answer);
      return sure === "" ? nothing : { ...nothing, parts: [{ type: "text", text: sure }] };
    }
    if (answer === "") return nothing;
    const asText: ReadAnswer = { ...nothing, parts: [{ type: "text", text: answer }] };
    if (!trimmed.startsWith("{")) return asText;
    const call = parseCallJson(trimmed, ["parameters", "arguments"]);
    if (call.status === "ok" && tools) {
      const { name } = call;
      return {
        ...nothing,
        parts: [{ type: "call", name, arguments: call.arguments }],
        statuses: ["ok"],
      };
    }
    if (!LOOKS_LIKE_CALL.test(trimmed)) return asText;
    if (!tools) return call.status === "ok" ? { ...asText, statuses: ["not-offered"] } : asText;
    const isUnclosed = findJsonObject(trimmed)?.end === undefined;
    return { ...asText, statuses: [isUnclosed ? "unclosed" : call.status] };
  };
}

/** Returns the pieces of an answer before and after the object that may be a call. */
export function splitLlamaAnswer(answer: string): string[] {
  const json = findJsonObject(answer);
  if (json === undefined) return [answer];
  return [answer.slice(0, json.start), json.end === undefined ? "" : answer.slice(json.end)];
}
