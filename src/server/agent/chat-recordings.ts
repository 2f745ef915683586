/** Reads recorded conversations in OpenAI's chat format. `recording-format.ts` says what each field does. */
import { BowlineError, listNamedFields } from "../../core/index.ts";
import type {
  ChatPart,
  RecordedConversation,
  RecordedMessage,
  ToolSpec,
} from "../../spec/index.ts";
import { conversationSchema, type RecordedMessageBody } from "./recording-format.ts";

/** A conversation in OpenAI's chat format: `{ messages, tools? }`. */
export interface ChatRecording {
  readonly messages: readonly RecordedChatMessage[];
  readonly tools?: readonly RecordedTool[] | null;
  readonly [field: string]: unknown;
}

/** A message of a recording. An answer may have thoughts, and with a weight of 0 it is not imitated. */
export interface RecordedChatMessage {
  readonly role: "system" | "developer" | "user" | "assistant" | "tool";
  readonly content?: string | readonly { readonly type: "text"; readonly text: string }[] | null;
  readonly reasoning_content?: string | null;
  readonly tool_calls?: readonly RecordedCall[] | null;
  readonly tool_call_id?: string;
  readonly weight?: 0 | 1 | null;
  readonly [field: string]: unknown;
}

/** A call of a tool in a recording. */
export interface RecordedCall {
  readonly id: string;
  readonly function: {
    readonly name: string;
    readonly arguments: string | Readonly<Record<string, unknown>>;
  };
  readonly [field: string]: unknown;
}

/** A tool of a recording. */
export interface RecordedTool {
  readonly function: {
    readonly name: string;
    readonly description?: string;
    readonly parameters?: Readonly<Record<string, unknown>>;
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
}

/**
 * Reads recorded conversations. `onNote` gets one note about the fields that are not used. Throws a `config` error that
 * names the conversation and the field.
 */
export function readRecordings(
  list: readonly ChatRecording[],
  onNote: (text: string) => void = () => {},
): RecordedConversation[] {
  const unused = new Map<string, number>();
  const conversations = list.map((one, i) => {
    const { messages, tools } = parseRecording(one, i, unused);
    return {
      messages: messages.map(toRecordedMessage),
      ...(tools && { tools: tools.map(({ function: tool }) => toToolSpec(tool)) }),
    };
  });
  if (unused.size > 0) {
    const fields = [...unused].map(([field, count]) => `${field} (in ${count})`).join(", ");
    onNote(`fields of the ${list.length} recorded conversations that are not used: ${fields}`);
  }
  return conversations;
}

/** Parses a conversation, and counts in `unused` the fields that are not used. */
function parseRecording(one: ChatRecording, i: number, unused: Map<string, number>) {
  const parsed = conversationSchema.safeParse(one);
  if (parsed.success) {
    const fields = listNamedFields(parsed.data).map((path) => path.replace(/\b\d+\b/g, "*"));
    for (const field of new Set(fields)) unused.set(field, (unused.get(field) ?? 0) + 1);
    return parsed.data;
  }
  const [issue] = parsed.error.issues;
  const at = issue?.path.join(".") ?? "";
  throw new BowlineError(
    "config",
    `warmStart.conversations[${i}]${at && `.${at}`}: ${issue?.message ?? "not a conversation"}; expected OpenAI's chat format, { messages, tools? }`,
  );
}

interface ToolBody extends Omit<ToolSpec, "description"> {
  readonly description?: string | undefined;
}

function toToolSpec({ name, description, parameters }: ToolBody): ToolSpec {
  return { name, parameters, ...(description !== undefined && { description }) };
}

function toRecordedMessage(message: RecordedMessageBody): RecordedMessage {
  const { role, content, tool_call_id: callId = "" } = message;
  const text =
    typeof content === "string" ? content : (content ?? []).map((part) => part.text).join("");
  if (role === "tool") return { role, parts: [{ type: "tool-result", callId, text }] };
  if (role === "assistant") {
    const parts = toAnswerParts(message, text + (message.refusal ?? ""));
    return { role, parts, ...(message.weight === 0 && { isImitated: false }) };
  }
  const parts: ChatPart[] = text === "" ? [] : [{ type: "text", text }];
  return { role: role === "developer" ? "system" : role, parts };
}

function toAnswerParts(message: RecordedMessageBody, text: string): ChatPart[] {
  const thoughts = message.reasoning_content ?? message.reasoning ?? "";
  return [
    ...(thoughts === "" ? [] : [{ type: "reasoning" as const, text: thoughts }]),
    ...(text === "" ? [] : [{ type: "text" as const, text }]),
    ...(message.tool_calls ?? []).map(({ id, function: { name, arguments: args } }) => ({
      type: "tool-call" as const,
      id,
      name,
      arguments: typeof args === "string" ? args : JSON.stringify(args),
    })),
  ];
}
