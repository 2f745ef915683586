/**
 * Reads conversations in OpenAI's chat format, the usual format of recordings of hosted models (one JSON per line of a
 * fine-tuning file).
 */
import { z } from "zod";
import { BowlineError } from "../../core/index.ts";
import type { ChatPart, RecordedConversation, SessionMessage, ToolSpec } from "../../spec/index.ts";

const textPart = z.looseObject({ type: z.literal("text"), text: z.string() });
const content = z.union([z.string(), z.array(textPart), z.null()]).optional();
const call = z.looseObject({
  id: z.string(),
  function: z.looseObject({
    name: z.string(),
    arguments: z.union([z.string(), z.record(z.string(), z.unknown())]),
  }),
});
const message = z.looseObject({
  role: z.enum(["system", "developer", "user", "assistant", "tool"]),
  content,
  tool_calls: z.array(call).nullish(),
  tool_call_id: z.string().optional(),
});
const tool = z.looseObject({
  function: z.looseObject({
    name: z.string(),
    description: z.string().optional(),
    parameters: z.record(z.string(), z.unknown()).default({}),
  }),
});
const conversation = z.looseObject({
  messages: z.array(message).min(2),
  tools: z.array(tool).nullish(),
});

/** A conversation in OpenAI's chat format: `{ messages, tools? }`. */
export type ChatRecording = z.input<typeof conversation>;

/** Parses recorded conversations. Throws a `config` error that names the conversation and the field. */
export function readRecordings(list: readonly ChatRecording[]): RecordedConversation[] {
  return list.map((one, i) => {
    const parsed = conversation.safeParse(one);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      const at = issue?.path.join(".") ?? "";
      throw new BowlineError(
        "config",
        `warmStart.conversations[${i}]${at && `.${at}`}: ${issue?.message ?? "not a conversation"}; expected OpenAI's chat format, { messages, tools? }`,
      );
    }
    const { messages, tools } = parsed.data;
    return {
      messages: messages.map(toSessionMessage),
      ...(tools && {
        tools: tools.map(
          ({ function: { name, description, parameters } }): ToolSpec => ({
            name,
            parameters,
            ...(description !== undefined && { description }),
          }),
        ),
      }),
    };
  });
}

function toSessionMessage({
  role,
  content,
  tool_calls,
  tool_call_id,
}: z.output<typeof message>): SessionMessage {
  const text =
    typeof content === "string" ? content : (content ?? []).map((part) => part.text).join("");
  if (role === "tool") {
    return { role, parts: [{ type: "tool-result", callId: tool_call_id ?? "", text }] };
  }
  const calls = (tool_calls ?? []).map(
    ({ id, function: { name, arguments: args } }): ChatPart => ({
      type: "tool-call",
      id,
      name,
      arguments: typeof args === "string" ? args : JSON.stringify(args),
    }),
  );
  const parts: ChatPart[] = [...(text === "" ? [] : [{ type: "text" as const, text }]), ...calls];
  return { role: role === "developer" ? "system" : role, parts };
}
