/** Turns messages of a session into the messages that chat templates take. */
import { parseExactJson } from "../../core/index.ts";
import type { ChatMessage, ChatPart, SessionMessage, ToolSpec } from "../../spec/index.ts";

/** Returns a tool in the form that chat templates, and the models trained on them, expect. */
export function toTemplateTool({ name, description = "", parameters, parametersJson }: ToolSpec) {
  const schema = parametersJson === undefined ? parameters : parseExactJson(parametersJson);
  return { type: "function", function: { name, description, parameters: schema } };
}

/**
 * Turns a session message into template messages. Every tool result becomes a message of its own; other messages stay
 * one.
 */
export function toTemplateMessages(message: SessionMessage): ChatMessage[] {
  if (message.role === "tool") return message.parts.flatMap(toToolResultMessage);
  if (message.role === "assistant") return [toAssistantMessage(message.parts)];
  return [{ role: message.role, content: joinTexts(message.parts, "\n") }];
}

function toToolResultMessage(part: ChatPart): ChatMessage[] {
  if (part.type !== "tool-result") return [];
  const { callId, name, text } = part;
  return [{ role: "tool", content: text, tool_call_id: callId, ...(name && { name }) }];
}

function toAssistantMessage(parts: readonly ChatPart[]): ChatMessage {
  const reasoning = parts.flatMap((part) => (part.type === "reasoning" ? [part.text] : []));
  const calls = parts.flatMap((part) =>
    part.type === "tool-call"
      ? [
          {
            type: "function",
            id: part.id,
            function: { name: part.name, arguments: parseArguments(part.arguments) },
          },
        ]
      : [],
  );
  return {
    role: "assistant",
    content: joinTexts(parts, ""),
    ...(reasoning.length > 0 && { reasoning_content: reasoning.join("") }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

/**
 * Parses the arguments, because templates print objects and would quote a string once more. Numbers keep their source
 * and keys their order.
 */
function parseArguments(json: string): unknown {
  try {
    return json === "" ? {} : parseExactJson(json);
  } catch {
    return json;
  }
}

/** Joins the texts of a message. Several text parts that a user sends become several lines. */
export function joinTexts(parts: readonly ChatPart[], between: string): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(between);
}
