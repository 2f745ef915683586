/** The fields of a request in Anthropic's messages, as its public and beta references name them. */
import { z } from "zod";
import {
  computed,
  defineFormat,
  type FormatTable,
  formatSchema,
  harmless,
  named,
  namedUnless,
  refused,
  schemaByTag,
} from "../../../core/index.ts";
import {
  byProviderField,
  cacheField,
  emptyList,
  exactObject,
  isFalse,
  jsonSchema,
  nonEmptyText,
  positiveInteger,
  providerTools,
  strictField,
  temperatureField,
  templateVariablesField,
  textOrParts,
  toolName,
  topKField,
  topPField,
} from "../shared-fields.ts";

const unknown = "named" as const;

const textFormat = defineFormat({
  name: "Anthropic's messages: a text block",
  unknown,
  fields: {
    type: computed(z.literal("text"), "the kind of block"),
    text: computed(z.string(), "words"),
    cache_control: cacheField,
    citations: namedUnless(emptyList, "[]", "the model sees the text alone"),
  },
});
const thinkingFormat = defineFormat({
  name: "Anthropic's messages: a thinking block",
  unknown,
  fields: {
    type: computed(z.literal("thinking"), "the kind of block"),
    thinking: computed(z.string(), "thoughts, which the chat template may write"),
    signature: computed(z.string().nullish(), "ours has the id of its answer"),
    cache_control: cacheField,
  },
});
const redactedFormat = defineFormat({
  name: "Anthropic's messages: a redacted thinking block",
  unknown,
  fields: {
    type: computed(z.literal("redacted_thinking"), "the kind of block"),
    data: named("only its provider can read it"),
  },
});
const toolUseFormat = defineFormat({
  name: "Anthropic's messages: a tool_use block",
  unknown,
  fields: {
    type: computed(z.literal("tool_use"), "the kind of block"),
    id: computed(nonEmptyText, "results refer to it"),
    name: computed(z.string(), "the tool"),
    input: computed(exactObject, "the arguments"),
    cache_control: cacheField,
    caller: harmless("the client runs all tools"),
    toolset_name: named("tools have one name"),
  },
});
const text = formatSchema(textFormat);
const resultPart = schemaByTag(
  "type",
  { text },
  (got) => `expected a text block, got a block of type ${String(got)}`,
);
const toolResultFormat = defineFormat({
  name: "Anthropic's messages: a tool_result block",
  unknown,
  fields: {
    type: computed(z.literal("tool_result"), "the kind of block"),
    tool_use_id: computed(nonEmptyText, "the call that it answers"),
    content: computed(
      textOrParts(resultPart, "expected a text or a list of text blocks").nullish(),
      "a text, or a list of texts",
    ),
    is_error: computed(z.boolean().nullish(), "recorded as the status of the call"),
    cache_control: cacheField,
    toolset_name: named("tools have one name"),
  },
});
const block = schemaByTag(
  "type",
  {
    text,
    thinking: formatSchema(thinkingFormat),
    redacted_thinking: formatSchema(redactedFormat),
    tool_use: formatSchema(toolUseFormat),
    tool_result: formatSchema(toolResultFormat),
  },
  (got) =>
    `expected a text, thinking, tool_use or tool_result block, got a block of type ${String(got)}`,
);
export type Block = z.output<typeof block>;

const messageFormat = defineFormat({
  name: "Anthropic's messages: a message",
  unknown,
  fields: {
    role: computed(z.enum(["user", "assistant", "system"]), "who speaks"),
    content: computed(
      textOrParts(block, "expected a text or a list of blocks"),
      "a text, or a list of blocks",
    ),
  },
});
const toolFormat = defineFormat({
  name: "Anthropic's messages: a tool",
  unknown,
  fields: {
    type: computed(
      z.literal("custom", { error: "tools that the provider runs are not supported" }).nullish(),
      "the client runs all tools",
    ),
    name: computed(toolName, "the tool's name"),
    description: computed(z.string().nullish(), "shown to the model"),
    input_schema: computed(exactObject.nullish(), "the JSON Schema of the arguments"),
    strict: strictField,
    cache_control: cacheField,
    eager_input_streaming: harmless("calls are streamed at once"),
    defer_loading: namedUnless(isFalse, "false", "the model sees all tools"),
    allowed_callers: namedUnless(
      z.tuple([z.literal("direct")]),
      '["direct"]',
      "only the model calls",
    ),
    input_examples: namedUnless(emptyList, "[]", "the model sees the schema alone"),
  },
});
const toolChoiceFormat = defineFormat({
  name: "Anthropic's messages: tool_choice",
  unknown,
  fields: {
    type: computed(z.enum(["auto", "any", "tool", "none"]), "enforced"),
    name: computed(z.string().nullish(), "the tool that must be called"),
    disable_parallel_tool_use: computed(z.boolean().nullish(), "true: one call in an answer"),
  },
});
const thinkingConfigFormat = defineFormat({
  name: "Anthropic's messages: thinking",
  unknown,
  fields: {
    type: computed(
      z.enum(["enabled", "adaptive", "disabled", "between_tools"]),
      "on or off, where the chat template has variables for it; otherwise named",
    ),
    budget_tokens: named("thoughts have no limit of their own"),
    display: named("thoughts are returned as they are"),
    block_binding: named("thoughts are returned as they are"),
  },
});
const answerFormat = defineFormat({
  name: "Anthropic's messages: the format of an answer",
  unknown,
  fields: {
    type: computed(z.literal("json_schema"), "the kind of answer"),
    schema: computed(jsonSchema.nullish(), "shown to the model, but not enforced"),
  },
});
const answerFormatSchema = formatSchema(answerFormat).nullish();
const outputConfigFormat = defineFormat({
  name: "Anthropic's messages: output_config",
  unknown,
  fields: {
    format: computed(answerFormatSchema, "the model is told; named, because nothing enforces it"),
    effort: computed(
      z.string().nullish(),
      "a variable of the chat template; named if it does not read it",
    ),
    task_budget: named("use max_tokens"),
  },
});

const conversationFields = {
  messages: computed(z.array(formatSchema(messageFormat)).min(1), "the conversation"),
  system: computed(
    textOrParts(text, "expected a text or a list of text blocks").nullish(),
    "the system message",
  ),
  tools: computed(z.array(formatSchema(toolFormat)).nullish(), "shown to the model"),
  tool_choice: computed(formatSchema(toolChoiceFormat).nullish(), "enforced"),
  thinking: computed(formatSchema(thinkingConfigFormat).nullish(), "thoughts, on or off"),
  output_config: computed(formatSchema(outputConfigFormat).nullish(), "format and effort"),
  output_format: computed(answerFormatSchema, "the earlier name of output_config.format"),
  chat_template_kwargs: templateVariablesField,
} as const;
const otherFields = {
  model: harmless("the model that is served answers, whatever it is called"),
  metadata: byProviderField,
  service_tier: byProviderField,
  inference_geo: byProviderField,
  speed: byProviderField,
  user_profile_id: byProviderField,
  workspace_id: byProviderField,
  billing_policy: byProviderField,
  diagnostics: byProviderField,
  betas: byProviderField,
  cache_control: cacheField,
  context_management: named("the client manages its context"),
  compaction: named("the client manages its context"),
  container: named("no containers are run"),
  fallbacks: named("there is one model"),
  fallback_credit_token: byProviderField,
  mcp_servers: providerTools,
  thread: refused("conversations are not stored; send the messages"),
} as const;

const messagesFormat = defineFormat({
  name: "Anthropic's messages: a request",
  unknown,
  fields: {
    ...conversationFields,
    max_tokens: computed(positiveInteger, "the most tokens of the answer"),
    stop_sequences: computed(z.array(nonEmptyText).nullish(), "texts that end the answer"),
    temperature: temperatureField,
    top_p: topPField,
    top_k: topKField,
    stream: computed(z.boolean().nullish(), "server-sent events"),
    ...otherFields,
  },
});
const notCounted = harmless("it does not change the prompt");
const countTokensFormat = defineFormat({
  name: "Anthropic's messages: a request to count tokens",
  unknown,
  fields: {
    ...conversationFields,
    max_tokens: notCounted,
    stop_sequences: notCounted,
    temperature: notCounted,
    top_p: notCounted,
    top_k: notCounted,
    stream: notCounted,
    ...otherFields,
  },
});

export const messagesRequestSchema = formatSchema(messagesFormat);
export const countTokensSchema = formatSchema(countTokensFormat);
export type MessagesRequestBody = z.output<typeof messagesRequestSchema>;
export type ConversationBody = z.output<typeof countTokensSchema>;

/** The tables of this dialect, for the page about formats. */
export const messagesFormats: readonly FormatTable[] = [
  messagesFormat,
  countTokensFormat,
  messageFormat,
  textFormat,
  thinkingFormat,
  redactedFormat,
  toolUseFormat,
  toolResultFormat,
  toolFormat,
  toolChoiceFormat,
  thinkingConfigFormat,
  outputConfigFormat,
  answerFormat,
];
