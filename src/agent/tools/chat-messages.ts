/** Messages of a session in the words of chat templates. */
import type { ChatMessage, ChatPart, SessionMessage, ToolSpec } from "../../spec/index.ts";

/** A tool as templates, and the models trained on them, know it. */
export function templateTool({ name, description = "", parameters }: ToolSpec) {
  return { type: "function", function: { name, description, parameters } };
}

/** One message for each result of a tool; otherwise one. */
export function templateMessages(message: SessionMessage): ChatMessage[] {
  if (message.role === "tool") return message.parts.flatMap(resultOf);
  if (message.role === "assistant") return [answerOf(message.parts)];
  return [{ role: message.role, content: textOf(message.parts, "\n") }];
}

function resultOf(part: ChatPart): ChatMessage[] {
  if (part.type !== "tool-result") return [];
  const { callId, name, text } = part;
  return [{ role: "tool", content: text, tool_call_id: callId, ...(name && { name }) }];
}

function answerOf(parts: readonly ChatPart[]): ChatMessage {
  const reasoning = parts.flatMap((part) => (part.type === "reasoning" ? [part.text] : []));
  const calls = parts.flatMap((part) =>
    part.type === "tool-call"
      ? [
          {
            type: "function",
            id: part.id,
            function: { name: part.name, arguments: argumentsOf(part.arguments) },
          },
        ]
      : [],
  );
  return {
    role: "assistant",
    content: textOf(parts, ""),
    ...(reasoning.length > 0 && { reasoning_content: reasoning.join("") }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

/** Templates print objects; a text would be quoted once more. */
function argumentsOf(json: string): unknown {
  try {
    return JSON.parse(json === "" ? "{}" : json);
  } catch {
    return json;
  }
}

/** The texts of a message; what stands in several parts of what was said to a model is several lines. */
export function textOf(parts: readonly ChatPart[], between: string): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(between);
}
