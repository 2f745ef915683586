/**
 * Reads recorded conversations in OpenAI's chat format, with their outcomes. `recording-format.ts` says what each field
 * does.
 */
import { readFileSync } from "node:fs";
import { BowlineError, errorMessage, formatValue, listNamedFields } from "../../core/index.ts";
import type {
  ChatPart,
  RecordedConversation,
  RecordedMessage,
  ToolSpec,
} from "../../spec/index.ts";
import {
  conversationSchema,
  type RecordedConversationBody,
  type RecordedMessageBody,
} from "./recording-format.ts";

/** A conversation in OpenAI's chat format, with its outcome: `{ messages, tools?, reward? or thumb?, edit? }`. */
export interface ChatRecording {
  readonly messages: readonly RecordedChatMessage[];
  readonly tools?: readonly RecordedTool[] | null;
  /** The outcome, from 0 to 1. */
  readonly reward?: number | null;
  /** A person's verdict. Up is the reward 1, and down is the reward 0. */
  readonly thumb?: "up" | "down" | null;
  /** A person's correction of the last answer: its text, or a message of the assistant. */
  readonly edit?: string | RecordedChatMessage | null;
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
 * Reads recorded conversations. A conversation with an edit is followed by a copy that ends with the edited answer and
 * has the reward 1. `onNote` gets one note about the fields that are not used. Throws a `config` error that names the
 * conversation and the field; `name` is what the list is called there.
 */
export function readRecordings(
  list: readonly ChatRecording[],
  onNote: (text: string) => void = () => {},
  name = "warmStart.conversations",
): RecordedConversation[] {
  const unused = new Map<string, number>();
  const conversations = list.flatMap((one, i) => {
    const place = `${name}[${i}]`;
    return toConversations(parseRecording(one, place, unused), place);
  });
  if (unused.size > 0) {
    const fields = [...unused].map(([field, count]) => `${field} (in ${count})`).join(", ");
    onNote(`fields of the ${list.length} recorded conversations that are not used: ${fields}`);
  }
  return conversations;
}

/**
 * Reads a file of recorded conversations, one JSON object on each line. Throws a `config` error that names the line
 * when the file cannot be read or a line is not an object. The fields are checked when the conversations are used.
 */
export function readRecordingFile(path: string): ChatRecording[] {
  const lines = readTextFile(path).split("\n");
  return lines.flatMap((line, i) =>
    line.trim() === "" ? [] : [parseLine(line, `${path}:${i + 1}`)],
  );
}

function readTextFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw configError(`recordings: cannot read ${path}: ${errorMessage(cause)}`, cause);
  }
}

function parseLine(line: string, place: string): ChatRecording {
  const expected =
    "expected a conversation as a JSON object, { messages, tools?, reward?, thumb?, edit? }";
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw configError(`${place}: ${expected}, got ${errorMessage(cause)}`, cause);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as ChatRecording;
  }
  throw configError(`${place}: ${expected}, got ${formatValue(value)}`);
}

const configError = (message: string, cause?: unknown) =>
  new BowlineError("config", message, cause === undefined ? {} : { cause });

/** Parses a conversation, and counts in `unused` the fields that are not used. */
function parseRecording(one: ChatRecording, place: string, unused: Map<string, number>) {
  const parsed = conversationSchema.safeParse(one);
  if (parsed.success) {
    const fields = listNamedFields(parsed.data).map((path) => path.replace(/\b\d+\b/g, "*"));
    for (const field of new Set(fields)) unused.set(field, (unused.get(field) ?? 0) + 1);
    return parsed.data;
  }
  const [issue] = parsed.error.issues;
  const at = issue?.path.join(".") ?? "";
  throw configError(
    `${place}${at && `.${at}`}: ${issue?.message ?? "not a conversation"}; expected OpenAI's chat format, { messages, tools? }`,
  );
}

/** Returns the conversation as it was, and the edited one if there is an edit. */
function toConversations(body: RecordedConversationBody, place: string): RecordedConversation[] {
  const { tools, edit } = body;
  const messages = body.messages.map(toRecordedMessage);
  const shared = { ...(tools && { tools: tools.map(({ function: tool }) => toToolSpec(tool)) }) };
  const reward = readOutcome(body, place);
  const recorded = { messages, ...shared, ...(reward !== undefined && { reward }) };
  if (edit === undefined || edit === null) return [recorded];
  if (messages.at(-1)?.role !== "assistant") {
    throw configError(
      `${place}.edit: expected a conversation that ends with the answer that the edit corrects; its last message has the role ${messages.at(-1)?.role}`,
    );
  }
  const correction = toEditedAnswer(edit, place);
  const edited = { messages: [...messages.slice(0, -1), correction], ...shared, reward: 1 };
  // An answer that somebody corrected was found wanting, unless another outcome is given.
  return [{ ...recorded, reward: reward ?? 0 }, edited];
}

function toEditedAnswer(edit: string | RecordedMessageBody, place: string): RecordedMessage {
  if (typeof edit === "string") return { role: "assistant", parts: [{ type: "text", text: edit }] };
  if (edit.role === "assistant") return toRecordedMessage(edit);
  throw configError(`${place}.edit.role: expected "assistant", got ${JSON.stringify(edit.role)}`);
}

function readOutcome({ reward, thumb }: RecordedConversationBody, place: string) {
  const verdict = thumb === "up" ? 1 : thumb === "down" ? 0 : undefined;
  if (typeof reward !== "number") return verdict;
  if (verdict === undefined) return reward;
  throw configError(
    `${place}.thumb: expected either a reward or a thumb, got the reward ${reward} and the thumb ${thumb}; leave one of them out`,
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
