/**
 * Converts items to messages. An answer of the model is several items (reasoning, text, one for each call); the items
 * of one answer become one message again, which names the answer if an item's id is known.
 */
import { withoutUndefined } from "../../../core/index.ts";
import type { ChatPart, SessionMessage } from "../../../spec/index.ts";
import type { AnswerMemory } from "../answer-memory.ts";
import { GatewayError } from "../gateway-error.ts";
import { joinToolResults } from "../parse-body.ts";
import type { Item, ItemContent } from "./item-format.ts";

/** Returns the earlier messages followed by those of the input. Throws a 400 when a reference names an unknown item. */
export function toSessionMessages(
  items: readonly Item[],
  before: readonly SessionMessage[],
  memory: AnswerMemory,
): SessionMessage[] {
  const messages = [...before];
  // Items of the input never belong to the last answer of the earlier messages, because that answer is complete.
  for (const [i, said] of items.entries()) {
    const next = toSessionMessage(said, memory, `input.${i}`);
    const last = messages.length > before.length ? messages.at(-1) : undefined;
    if (last && belongToOneAnswer(last, next))
      messages[messages.length - 1] = joinMessages(last, next);
    else messages.push(next);
  }
  return joinToolResults(messages);
}

function belongToOneAnswer(last: SessionMessage, next: SessionMessage): boolean {
  if (last.role !== "assistant" || next.role !== "assistant") return false;
  const [a] = last.ids ?? [];
  const [b] = next.ids ?? [];
  return a === undefined || b === undefined || a === b;
}

function joinMessages(last: SessionMessage, next: SessionMessage): SessionMessage {
  return withoutUndefined<SessionMessage>({
    role: "assistant",
    parts: [...last.parts, ...next.parts],
    ids: last.ids ?? next.ids,
  });
}

function toSessionMessage(item: Item, memory: AnswerMemory, fieldPath: string): SessionMessage {
  switch (item.type) {
    case "message": {
      const { role } = item;
      const parts = readTextParts(item.content);
      if (role !== "assistant") return { role: role === "user" ? "user" : "system", parts };
      return createAssistantMessage(parts, item.id, memory);
    }
    case "function_call": {
      const { call_id: id, name, arguments: json } = item;
      return createAssistantMessage(
        [{ type: "tool-call", id, name, arguments: json }],
        item.id,
        memory,
      );
    }
    case "function_call_output": {
      const text = readTextParts(item.output)
        .map(({ text }) => text)
        .join("");
      return { role: "tool", parts: [{ type: "tool-result", callId: item.call_id, text }] };
    }
    case "reasoning": {
      const text = [...(item.content?.length ? item.content : (item.summary ?? []))]
        .map(({ text }) => text)
        .join("");
      return createAssistantMessage(text ? [{ type: "reasoning", text }] : [], item.id, memory);
    }
    case "item_reference": {
      const found = memory.findItem(item.id);
      if (found) return { role: "assistant", parts: [found.block], ids: [found.answer] };
      throw new GatewayError(
        400,
        "item_not_found",
        `${fieldPath}: ${item.id} is not an item of this session, or is too old and was dropped`,
        fieldPath,
      );
    }
  }
}

function createAssistantMessage(
  parts: readonly ChatPart[],
  id: string | null | undefined,
  memory: AnswerMemory,
): SessionMessage {
  const answer = id ? memory.findItem(id)?.answer : undefined;
  return withoutUndefined<SessionMessage>({
    role: "assistant",
    parts,
    ids: answer ? [answer] : undefined,
  });
}

function readTextParts(content: ItemContent) {
  return content.flatMap((part) => {
    const text = part.text ?? part.refusal;
    return text ? [{ type: "text" as const, text }] : [];
  });
}
