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
import { textOf } from "../tools/chat-messages.ts";

/** A message of a request, and what it says. */
export interface Said {
  readonly message: SessionMessage;
  /** Equal for messages that say the same. */
  readonly digest: string;
}

/** The messages of a request, the results of tools one by one however they were sent. */
export function saidOf(messages: readonly SessionMessage[]): Said[] {
  return messages.flatMap((message) =>
    message.role === "tool"
      ? message.parts
          .filter(({ type }) => type === "tool-result")
          .map((part) => said({ role: "tool", parts: [part] }))
      : [said(message)],
  );
}

function said(message: SessionMessage): Said {
  return { message, digest: digestOf(sayingOf(message)) };
}

/** Messages of an assistant in a row, as one: clients differ in how they cut an answer. None are one without words. */
export function joinedSaid(parts: readonly Said[]): Said {
  if (parts.length === 1) return parts[0]!;
  return said({
    role: "assistant",
    parts: parts.flatMap(({ message }) => message.parts),
    ids: parts.flatMap(({ message }) => message.ids ?? []),
  });
}

function sayingOf({ role, parts }: SessionMessage): unknown {
  switch (role) {
    case "tool":
      return [
        role,
        ...parts.map((part) => (part.type === "tool-result" ? [part.callId, part.text] : [])),
      ];
    case "assistant":
      // White space around an answer is lost by some clients; it says nothing.
      return [role, textOf(parts, "").trim(), ...parts.flatMap(callOf)];
    default:
      return [role, textOf(parts, "\n")];
  }
}

function callOf(part: ChatPart): [string, unknown][] {
  return part.type === "tool-call" ? [[part.name, argumentsOf(part.arguments)]] : [];
}

function argumentsOf(json: string): unknown {
  try {
    return sorted(JSON.parse(json === "" ? "{}" : json));
  } catch {
    return json;
  }
}

/** What a conversation begins with beside its messages: whose it is, and what tools it has, in whatever order. */
export function headOf(tools: readonly ToolSpec[], role: string | undefined): string {
  const listed = tools
    .map(({ name, description = "", parameters }) => [name, description, sorted(parameters)])
    .map((tool) => JSON.stringify(tool));
  return digestOf([role ?? "", listed.sort()]);
}

/** The ids of calls in a message, in order. */
export function callIdsOf({ parts }: SessionMessage): string[] {
  return parts.flatMap((part) => (part.type === "tool-call" ? [part.id] : []));
}

/** JSON with its keys sorted at every depth. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}

/** 128 bits of a value's JSON, as 32 hexadecimal digits. */
export function digestOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 32);
}
