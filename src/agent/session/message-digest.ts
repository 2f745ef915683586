/**
 * When two messages are the same message.
 *
 * A conversation comes back with every request, and clients print it anew: arguments are parsed and printed again, null
 * becomes "", parts are joined, thoughts are dropped, names and marks are added. So messages are compared by what they say:
 * role, text, calls as name and arguments with sorted keys, results by the call that they are of. Ids of calls are
 * compared apart (`tree.ts`), for there they decide more.
 */
import { createHash } from "node:crypto";
import type { ChatPart, SessionMessage, ToolSpec } from "../../spec/index.ts";
import { joinTexts } from "../tools/chat-messages.ts";

/** A message of a request, and what it says. */
export interface DigestedMessage {
  readonly message: SessionMessage;
  /** Equal for messages that say the same. */
  readonly digest: string;
}

/** The messages of a request, the results of tools one by one however they were sent. */
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

/** Messages of an assistant in a row, as one: clients differ in how they cut an answer. None are one without words. */
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
      // White space around an answer is lost by some clients; it says nothing.
      return [role, joinTexts(parts, "").trim(), ...parts.flatMap(comparableCall)];
    default:
      return [role, joinTexts(parts, "\n")];
  }
}

function comparableCall(part: ChatPart): [string, unknown][] {
  return part.type === "tool-call" ? [[part.name, parseArguments(part.arguments)]] : [];
}

function parseArguments(json: string): unknown {
  try {
    return sortKeys(JSON.parse(json === "" ? "{}" : json));
  } catch {
    return json;
  }
}

/** What a conversation begins with beside its messages: whose it is, and what tools it has, in whatever order. */
export function digestHead(tools: readonly ToolSpec[], role: string | undefined): string {
  const listed = tools
    .map(({ name, description = "", parameters }) => [name, description, sortKeys(parameters)])
    .map((tool) => JSON.stringify(tool));
  return digestJson([role ?? "", listed.sort()]);
}

/** The ids of calls in a message, in order. */
export function toolCallIds({ parts }: SessionMessage): string[] {
  return parts.flatMap((part) => (part.type === "tool-call" ? [part.id] : []));
}

/** JSON with its keys sorted at every depth. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sortKeys(item)]));
}

/** 128 bits of a value's JSON, as 32 hexadecimal digits. */
export function digestJson(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 32);
}
