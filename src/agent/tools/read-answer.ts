/**
 * What an answer's tokens say: text, thoughts, and calls of tools.
 *
 * A call is what the model wrote in the form that its template writes calls in, and no more is guessed. What nearly is a
 * call stays the text that it is, with a status, so that whoever counts them sees a model, or a parser, that goes wrong:
 * a wrong parser is invisible otherwise, because an agent without calls answers all the same.
 */

/** A piece of an answer. Calls have no id yet: the session gives them theirs. */
export type ReadPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  | {
      readonly type: "call";
      readonly name: string;
      /** JSON of an object, as it was written wherever that can be told. */
      readonly arguments: string;
    };

/** `not-offered`: a call where the request had no tools. */
export const CALL_STATUSES = [
  "ok",
  "unclosed",
  "invalid-json",
  "no-name",
  "no-object",
  "not-offered",
] as const;

/** What became of something that was written as a call. All but `ok` stand in the parts as text. */
export type CallStatus = (typeof CALL_STATUSES)[number];

export interface ReadAnswer {
  readonly parts: readonly ReadPart[];
  /** One for each call that was begun, in order. */
  readonly statuses: readonly CallStatus[];
  /** Tokens inside thoughts. */
  readonly reasoningTokens: number;
}

export interface ReadOptions {
  /** Whether the request offered tools. */
  readonly tools: boolean;
  /** True while more may come: what could still become a call, or be cut off at one, is left out. */
  readonly partial?: boolean;
}

type ParsedCall =
  | { readonly status: "ok"; readonly name: string; readonly arguments: string }
  | { readonly status: Exclude<CallStatus, "ok" | "unclosed" | "not-offered"> };

/** Reads `{"name": ..., "arguments": {...}}`; `keys` are the names that the arguments may have. No arguments are none. */
export function parseCallJson(json: string, keys: readonly string[]): ParsedCall {
  const call = parseJson(json);
  if (call === undefined) return { status: "invalid-json" };
  const name = isObject(call) ? call["name"] : undefined;
  if (!isObject(call) || typeof name !== "string" || name === "") return { status: "no-name" };
  const key = keys.find((wanted) => wanted in call);
  const value = key === undefined ? {} : call[key];
  if (!isObject(value)) return { status: "no-object" };
  return { status: "ok", name, arguments: originalArgumentsText(json, key, value) };
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Calls end with their arguments nearly always; then these are the rest of the text but for its last brace. */
function originalArgumentsText(json: string, key: string | undefined, value: object): string {
  const printed = JSON.stringify(value);
  if (key === undefined) return printed;
  const at = json.indexOf(`"${key}"`);
  const rest = json.slice(json.indexOf(":", at) + 1, json.lastIndexOf("}")).trim();
  return JSON.stringify(parseJson(rest)) === printed ? rest : printed;
}

/**
 * Neighbouring texts become one. White space next to a call or a thought is the form's, not the text's; parts that are empty
 * without it are left out.
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

/** What of a growing text will stay whatever comes: neither half a character nor space that a call would swallow. */
export function settledPrefix(text: string): string {
  return text.replace(/[\uFFFD\s]+$/, "");
}
