/** Messages of a session in the words of chat templates. */
import type { ChatMessage, ChatPart, SessionMessage, ToolSpec } from "../../spec/index.ts";

/** A tool as templates, and the models trained on them, know it. */
export function toTemplateTool({ name, description = "", parameters }: ToolSpec) {
  return { type: "function", function: { name, description, parameters } };
}

/** One message for each result of a tool; otherwise one. */
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

/** Templates print objects; a text would be quoted once more. */
function parseArguments(json: string): unknown {
  try {
    return JSON.parse(json === "" ? "{}" : json);
  } catch {
    return json;
  }
}

/** The texts of a message; what stands in several parts of what was said to a model is several lines. */
export function joinTexts(parts: readonly ChatPart[], between: string): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(between);
}
