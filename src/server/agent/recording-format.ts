/**
 * The fields of a recorded conversation in OpenAI's chat format, the usual format of recordings of hosted models: one
 * JSON per line of a file for fine-tuning.
 */
import { z } from "zod";
import {
  computed,
  defineFormat,
  type FormatTable,
  formatSchema,
  harmless,
  harmlessIf,
  named,
  refused,
} from "../../core/index.ts";

const unknown = "named" as const;
const text = z.string().nullish();

const partFormat = defineFormat({
  name: "Recorded conversations: a part of a message",
  unknown,
  fields: {
    type: computed(
      z.literal("text", { error: "expected a text part; images and audio are not imitated" }),
      "only texts are read",
    ),
    text: computed(z.string(), "words"),
  },
});
const functionFormat = defineFormat({
  name: "Recorded conversations: the function of a call",
  unknown,
  fields: {
    name: computed(z.string(), "the tool"),
    arguments: computed(
      z.union([z.string(), z.record(z.string(), z.unknown())]),
      "JSON, as text or as an object",
    ),
  },
});
const callFormat = defineFormat({
  name: "Recorded conversations: a call",
  unknown,
  fields: {
    id: computed(z.string(), "tool messages refer to it"),
    type: harmlessIf(z.literal("function"), "function", "only functions are called"),
    function: computed(formatSchema(functionFormat), "the call"),
    index: harmless("calls are in order"),
  },
});
const messageFormat = defineFormat({
  name: "Recorded conversations: a message",
  unknown,
  fields: {
    role: computed(
      z.enum(["system", "developer", "user", "assistant", "tool"]),
      "developers are read as the system",
    ),
    content: computed(
      z
        .union([z.string(), z.array(formatSchema(partFormat)), z.null()], {
          error: "expected a text or a list of text parts",
        })
        .optional(),
      "a text, or a list of texts",
    ),
    refusal: computed(text, "read as text"),
    reasoning_content: computed(
      text,
      "thoughts, which are imitated as the chat template writes them",
    ),
    reasoning: computed(text, "another name of reasoning_content"),
    tool_calls: computed(z.array(formatSchema(callFormat)).nullish(), "the calls of the answer"),
    tool_call_id: computed(z.string().optional(), "the call that a result answers"),
    weight: computed(
      z.union([z.literal(0), z.literal(1)], { error: "expected 0 or 1" }).nullish(),
      "0: the answer is context and not imitated",
    ),
    name: named("the conversation names no speakers within a role"),
    function_call: refused("use tool_calls"),
    audio: refused("answers are text"),
    annotations: harmless("they are about the text, not part of it"),
  },
});
const toolFunctionFormat = defineFormat({
  name: "Recorded conversations: the function of a tool",
  unknown,
  fields: {
    name: computed(z.string(), "the tool's name"),
    description: computed(z.string().optional(), "shown to the model"),
    parameters: computed(
      z.record(z.string(), z.unknown()).default({}),
      "the JSON Schema of the arguments",
    ),
    strict: harmless("recorded arguments are imitated as they are"),
  },
});
const toolFormat = defineFormat({
  name: "Recorded conversations: a tool",
  unknown,
  fields: {
    type: harmlessIf(z.literal("function"), "function", "only functions are called"),
    function: computed(formatSchema(toolFunctionFormat), "the function"),
  },
});
const OUTCOME_ERROR = { error: "expected a number from 0 to 1" };
const pairs = refused("pairs of answers are not imitated; send messages and an edit");
const conversationFormat = defineFormat({
  name: "Recorded conversations: a conversation",
  unknown,
  fields: {
    messages: computed(
      z.array(formatSchema(messageFormat)).min(2),
      "the conversation; its answers are imitated",
    ),
    tools: computed(z.array(formatSchema(toolFormat)).nullish(), "shown to the model"),
    reward: computed(
      z.number(OUTCOME_ERROR).min(0, OUTCOME_ERROR).max(1, OUTCOME_ERROR).nullish(),
      "the outcome: the weight in a warm start, and the return for methods that learn from recordings",
    ),
    thumb: computed(
      z.enum(["up", "down"], { error: 'expected "up" or "down"' }).nullish(),
      "a person's verdict: up is the reward 1, down is the reward 0",
    ),
    edit: computed(
      z
        .union([z.string(), formatSchema(messageFormat)], {
          error: "expected the corrected last answer, as a text or as a message of the assistant",
        })
        .nullish(),
      "a person's correction of the last answer: a second conversation with the reward 1",
    ),
    parallel_tool_calls: harmless("recorded calls are imitated as they are"),
    functions: refused("use tools"),
    input: pairs,
    preferred_output: pairs,
    non_preferred_output: pairs,
  },
});

export const conversationSchema = formatSchema(conversationFormat);
export type RecordedConversationBody = z.output<typeof conversationSchema>;
export type RecordedMessageBody = RecordedConversationBody["messages"][number];

/** The tables of recorded conversations, for the page about formats. */
export const recordingFormats: readonly FormatTable[] = [
  conversationFormat,
  messageFormat,
  partFormat,
  callFormat,
  functionFormat,
  toolFormat,
  toolFunctionFormat,
];
