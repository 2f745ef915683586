/**
 * Items as messages. What the model said stands in several items (a thought, a text, one for each call); those of one answer
 * become one message again, which names the answer wherever an item's id is known.
 */
import { z } from "zod";
import { withoutUndefined } from "../../../core/index.ts";
import type { ChatPart, SessionMessage } from "../../../spec/index.ts";
import type { AnswerMemory } from "../answer-memory.ts";
import { GatewayError, invalidField } from "../gateway-error.ts";
import { joinToolResults } from "../parse-body.ts";

const content = z.looseObject({
  type: z.string(),
  text: z.string().nullish(),
  refusal: z.string().nullish(),
});
const summary = z.array(z.looseObject({ text: z.string() }));
const texts = z.union([z.string(), z.array(content)], {
  error: "expected a text or a list of parts",
});
const id = z.string().nullish();

const message = z.looseObject({
  type: z.literal("message"),
  id,
  role: z.enum(["system", "developer", "user", "assistant"]),
  content: texts,
});
const call = z.looseObject({
  type: z.literal("function_call"),
  id,
  call_id: z.string().min(1),
  name: z.string(),
  arguments: z.string(),
});
const output = z.looseObject({
  type: z.literal("function_call_output"),
  call_id: z.string().min(1),
  output: texts,
});
const reasoning = z.looseObject({
  type: z.literal("reasoning"),
  id,
  summary: summary.nullish(),
  content: summary.nullish(),
});
const reference = z.looseObject({ type: z.literal("item_reference"), id: z.string() });

/** A message may leave its type out. */
export const itemSchema = z.preprocess(
  (raw) =>
    typeof raw === "object" && raw !== null && "role" in raw && !("type" in raw)
      ? { ...raw, type: "message" }
      : raw,
  z.discriminatedUnion("type", [message, call, output, reasoning, reference], {
    error: ({ code }) =>
      code === "invalid_union"
        ? "expected a message, function_call, function_call_output, reasoning or item_reference"
        : undefined,
  }),
);
type Item = z.output<typeof itemSchema>;

/** The messages that were there before, and the input's behind them. Throws a 400 on a reference to nothing. */
export function toSessionMessages(
  input: string | readonly Item[],
  before: readonly SessionMessage[],
  memory: AnswerMemory,
): SessionMessage[] {
  const items: readonly Item[] =
    typeof input === "string" ? [{ type: "message", role: "user", content: input }] : input;
  const messages = [...before];
  // What came before is an answer that is over: no item of the input belongs to it.
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
      const parts = readTextParts(item.content, `${fieldPath}.content`);
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
      const text = readTextParts(item.output, `${fieldPath}.output`)
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
        `${fieldPath}: ${item.id} is no item of this session, or one of long ago`,
        fieldPath,
      );
    }
  }
}

function createAssistantMessage(
  parts: readonly ChatPart[],
  id: string | null | undefined,
  kept: AnswerMemory,
): SessionMessage {
  const answer = id ? kept.findItem(id)?.answer : undefined;
  return withoutUndefined<SessionMessage>({
    role: "assistant",
    parts,
    ids: answer ? [answer] : undefined,
  });
}

const TEXT_TYPES = ["input_text", "output_text", "text", "refusal"];

function readTextParts(content: z.output<typeof texts>, fieldPath: string) {
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : content;
  return parts.flatMap((part, i) => {
    if (!TEXT_TYPES.includes(part.type)) {
      throw invalidField(
        `${fieldPath}.${i}.type`,
        `only text is read here, and a part of type ${part.type} came`,
      );
    }
    const text = part.text ?? ("refusal" in part ? part.refusal : undefined);
    return text ? [{ type: "text" as const, text }] : [];
  });
}
