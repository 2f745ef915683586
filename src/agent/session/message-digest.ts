/**
 * Decides when two messages are the same message.
 *
 * A conversation comes back with every request, and clients print it again: arguments are parsed and printed again,
 * null becomes "", parts are joined, thoughts are dropped, names and marks are added. So messages are compared by their
 * content: role, text, calls as name and arguments with sorted keys, and tool results by the call that they answer. Ids
 * of calls are compared separately (`session-tree.ts`), because they decide more there.
 */
import { createHash } from "node:crypto";
import type { ChatPart, SessionMessage, ToolSpec } from "../../spec/index.ts";
import { joinTexts } from "../tools/chat-messages.ts";

/** A message of a request with the digest of its content. */
export interface DigestedMessage {
  readonly message: SessionMessage;
  /** The digest is equal for messages with the same content. */
  readonly digest: string;
}

/** Returns the messages of a request with their digests. Every tool result becomes a message of its own. */
export function digestMessages(messages: readonly SessionMessage[]): DigestedMessage[] {
  return messages.flatMap((message) =>
    message.role === "tool"
      ? message.parts
          .filter(({ type }) => type === "tool-result")
          .map((part) => digestMessage({ role: "tool", parts: [part] }))
      : [digestMessage(message)],
  );
}

function digestMessage(message: SessionMessage): DigestedMessage {
  return { message, digest: digestJson(comparableContent(message)) };
}

/**
 * Joins consecutive messages of the assistant into one, because clients split answers in different ways. No messages
 * give an empty answer.
 */
export function joinAssistantMessages(parts: readonly DigestedMessage[]): DigestedMessage {
  if (parts.length === 1) return parts[0]!;
  return digestMessage({
    role: "assistant",
    parts: parts.flatMap(({ message }) => message.parts),
    ids: parts.flatMap(({ message }) => message.ids ?? []),
  });
}

function comparableContent({ role, parts }: SessionMessage): unknown {
  switch (role) {
    case "tool":
      return [
        role,
        ...parts.map((part) => (part.type === "tool-result" ? [part.callId, part.text] : [])),
      ];
    case "assistant":
      // Some clients lose white space around an answer, so it is ignored.
      return [role, joinTexts(parts, "").trim(), ...parts.flatMap(comparableCall)];
    default:
      return [role, joinTexts(parts, "\n")];
  }
}

function comparableCall(part: ChatPart): [string, unknown][] {
  return part.type === "tool-call" ? [[part.name, parseArguments(part.arguments)]] : [];
}

/**
 * Tells whether two texts are the same arguments for a client that parses and prints JSON: numbers are compared as
 * JavaScript reads them, and the order of keys does not matter.
 */
export function areSameArguments(a: string, b: string): boolean {
  return JSON.stringify(parseArguments(a)) === JSON.stringify(parseArguments(b));
}

function parseArguments(json: string): unknown {
  try {
    return sortKeys(JSON.parse(json === "" ? "{}" : json));
  } catch {
    return json;
  }
}

/**
 * Returns the digest of a conversation's role, tools and template variables. The order of the tools does not matter. A
 * template may write the whole conversation in another way because of a variable, so other variables begin another
 * conversation.
 */
export function digestHead(
  tools: readonly ToolSpec[],
  role: string | undefined,
  variables?: Readonly<Record<string, unknown>>,
): string {
  const listed = tools
    .map(({ name, description = "", parameters }) => [name, description, sortKeys(parameters)])
    .map((tool) => JSON.stringify(tool));
  return digestJson([role ?? "", listed.sort(), ...(variables ? [sortKeys(variables)] : [])]);
}

/** Returns the ids of the calls in a message, in order. */
export function toolCallIds({ parts }: SessionMessage): string[] {
  return parts.flatMap((part) => (part.type === "tool-call" ? [part.id] : []));
}

/** Returns a JSON value with its keys sorted at every depth. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sortKeys(item)]));
}

/** Returns 128 bits of the hash of a value's JSON, as 32 hexadecimal digits. */
export function digestJson(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 32);
}
