/**
 * Reads an answer of a model into text, thoughts and tool calls.
 *
 * A call is only what the model wrote in the form in which its template writes calls; nothing is guessed. What
 * resembles a call but is not one stays text and gets a status. These statuses are counted, so that a model or a parser
 * that goes wrong is noticed. Otherwise a wrong parser would be invisible, because an agent without calls still
 * answers.
 */

import { parseJsonMembers } from "../../core/index.ts";

/** A part of an answer. Calls have no id yet; the session assigns their ids. */
export type ReadPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  | {
      readonly type: "call";
      readonly name: string;
      /** The arguments as the JSON of an object, in the model's own spelling. */
      readonly arguments: string;
    };

/** The possible statuses of a call. `not-offered` means that the request had no tools. */
export const CALL_STATUSES = [
  "ok",
  "unclosed",
  "invalid-json",
  "no-name",
  "no-object",
  "not-offered",
] as const;

/**
 * Says how something that was written as a call was read. With every status except `ok`, it stays in the parts as text.
 */
export type CallStatus = (typeof CALL_STATUSES)[number];

export interface ReadAnswer {
  readonly parts: readonly ReadPart[];
  /** One status for each call that was begun, in order. */
  readonly statuses: readonly CallStatus[];
  /** The number of tokens inside thoughts. */
  readonly reasoningTokens: number;
}

export interface ReadOptions {
  /** True when the request offered tools. */
  readonly tools: boolean;
  /** True while more tokens may follow. Then text that could still become a call, or could be cut off, is left out. */
  readonly partial?: boolean;
}

type ParsedCall =
  | { readonly status: "ok"; readonly name: string; readonly arguments: string }
  | { readonly status: Exclude<CallStatus, "ok" | "unclosed" | "not-offered"> };

/**
 * Parses `{"name": ..., "arguments": {...}}`. `keys` are the accepted names of the arguments field. If it is missing,
 * the arguments are empty.
 */
export function parseCallJson(json: string, keys: readonly string[]): ParsedCall {
  const parsed = tryParseMembers(json);
  if (parsed === "invalid") return { status: "invalid-json" };
  const name = parsed?.get("name")?.value;
  if (parsed === undefined || typeof name !== "string" || name === "") return { status: "no-name" };
  const args = keys.map((key) => parsed.get(key)).find((member) => member !== undefined);
  if (args === undefined) return { status: "ok", name, arguments: "{}" };
  return args.value instanceof Map
    ? { status: "ok", name, arguments: args.source }
    : { status: "no-object" };
}

/** Tells whether a text is JSON. */
export function isJson(text: string): boolean {
  return tryParseMembers(text) !== "invalid";
}

function tryParseMembers(json: string): ReturnType<typeof parseJsonMembers> | "invalid" {
  try {
    return parseJsonMembers(json);
  } catch {
    return "invalid";
  }
}

/**
 * Joins neighbouring texts and trims white space next to a call or a thought, where it belongs to the form and not to
 * the text. Parts that become empty are removed.
 */
export function mergeAndTrimParts(parts: readonly ReadPart[]): ReadPart[] {
  const merged: ReadPart[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (part.type === "text" && last?.type === "text") {
      merged[merged.length - 1] = { type: "text", text: last.text + part.text };
    } else merged.push(part);
  }
  return merged
    .map((part, i): ReadPart => {
      if (part.type === "call") return part;
      if (part.type === "reasoning") return { type: "reasoning", text: part.text.trim() };
      const before = merged[i - 1] === undefined ? part.text : part.text.trimStart();
      return { type: "text", text: merged[i + 1] === undefined ? before : before.trimEnd() };
    })
    .filter((part) => part.type === "call" || part.text !== "");
}

/**
 * Returns the part of a growing text that can no longer change. It leaves out an incomplete character at the end and
 * white space that a following call would remove.
 */
export function settledPrefix(text: string): string {
  return text.replace(/[\uFFFD\s]+$/, "");
}
