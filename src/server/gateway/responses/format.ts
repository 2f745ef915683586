/** The fields of a request in OpenAI's responses, and those that vLLM and other servers add. */
import { z } from "zod";
import {
  computed,
  defineFormat,
  type FormatTable,
  formatSchema,
  harmless,
  harmlessIf,
  named,
  namedUnless,
  refused,
} from "../../../core/index.ts";
import {
  answerSchemaFields,
  emptyList,
  exactObject,
  extendedSamplingFields,
  isFalse,
  positiveInteger,
  providerFields,
  strictField,
  temperatureField,
  toolChoiceSchema,
  toolName,
  topPField,
} from "../shared-fields.ts";
import { itemFormats, itemSchema } from "./item-format.ts";

const unknown = "named" as const;
const text = z.string().nullish();

const toolFormat = defineFormat({
  name: "OpenAI's responses: a tool",
  unknown,
  fields: {
    type: computed(
      z.literal("function", { error: "only function tools are supported" }),
      "the client runs all tools",
    ),
    name: computed(toolName, "the tool's name"),
    description: computed(text, "shown to the model"),
    parameters: computed(exactObject.nullish(), "the JSON Schema of the arguments"),
    strict: strictField,
    defer_loading: namedUnless(isFalse, "false", "the model sees all tools"),
    allowed_callers: namedUnless(
      z.tuple([z.literal("direct")]),
      '["direct"]',
      "only the model calls",
    ),
    output_schema: named("the model sees the arguments' schema alone"),
  },
});
const toolChoiceFormat = defineFormat({
  name: "OpenAI's responses: a tool choice",
  unknown,
  fields: {
    type: computed(z.literal("function"), "the other types are refused"),
    name: computed(z.string(), "the tool that must be called"),
  },
});
const toolChoice = toolChoiceSchema(formatSchema(toolChoiceFormat));
const answerFormat = defineFormat({
  name: "OpenAI's responses: the format of an answer",
  unknown,
  fields: {
    type: computed(z.enum(["text", "json_object", "json_schema"]), "the kind of answer"),
    ...answerSchemaFields,
    strict: harmless("text.format is named as a whole"),
  },
});
const textFormat = defineFormat({
  name: "OpenAI's responses: text",
  unknown,
  fields: {
    format: computed(
      formatSchema(answerFormat).nullish(),
      "the model is told; named unless its type is text, because nothing enforces it",
    ),
    verbosity: namedUnless(z.literal("medium"), "medium", "the model is not told"),
  },
});
const shown = harmless("thoughts are returned as their own summary");
const reasoningFormat = defineFormat({
  name: "OpenAI's responses: reasoning",
  unknown,
  fields: {
    effort: computed(
      text,
      "a variable of the chat template, and none turns thoughts off; named if it reads neither",
    ),
    summary: shown,
    generate_summary: shown,
    context: namedUnless(z.literal("auto"), "auto", "the chat template decides"),
    mode: namedUnless(z.literal("standard"), "standard", "there is one mode"),
  },
});
const streamOptionsFormat = defineFormat({
  name: "OpenAI's responses: stream_options",
  unknown,
  fields: { include_obfuscation: harmless("streams are not padded") },
});

const responsesFormat = defineFormat({
  name: "OpenAI's responses: a request",
  unknown,
  fields: {
    input: computed(
      z.preprocess(
        (input) => (typeof input === "string" ? [{ role: "user", content: input }] : input),
        z.array(itemSchema, { error: "expected a text or a list of items" }).min(1),
      ),
      "the conversation, or its new items",
    ),
    instructions: computed(text, "a system message for this call"),
    previous_response_id: computed(text, "the conversation that is continued"),
    tools: computed(z.array(formatSchema(toolFormat)).nullish(), "shown to the model"),
    tool_choice: computed(toolChoice.nullish(), "enforced"),
    parallel_tool_calls: computed(z.boolean().nullish(), "false: one call in an answer"),
    max_output_tokens: computed(positiveInteger.nullish(), "the most tokens of the answer"),
    temperature: temperatureField,
    top_p: topPField,
    ...extendedSamplingFields,
    text: computed(formatSchema(textFormat).nullish(), "the form of the answer"),
    reasoning: computed(formatSchema(reasoningFormat).nullish(), "thoughts"),
    store: computed(z.boolean().nullish(), "false: later calls cannot continue this one"),
    stream: computed(z.boolean().nullish(), "server-sent events"),
    stream_options: computed(formatSchema(streamOptionsFormat).nullish(), "about the stream"),
    metadata: computed(z.record(z.string(), z.unknown()).nullish(), "repeated in the answer"),
    ...providerFields,
    background: harmlessIf(isFalse, "false", "answers in the background are not supported"),
    conversation: refused("not supported; use previous_response_id"),
    prompt: refused("stored prompts belong to a provider; send instructions and input"),
    include: namedUnless(emptyList, "[]", "answers have what this page says"),
    truncation: namedUnless(z.literal("disabled"), "disabled", "a conversation is never cut"),
    max_tool_calls: harmless("it limits tools that a provider runs, and there are none"),
    context_management: named("the client manages its context"),
  },
});

export const responsesRequestSchema = formatSchema(responsesFormat);
export type ResponsesRequestBody = z.output<typeof responsesRequestSchema>;

/** The tables of this dialect, for the page about formats. */
export const responsesFormats: readonly FormatTable[] = [
  responsesFormat,
  ...itemFormats,
  toolFormat,
  toolChoiceFormat,
  textFormat,
  answerFormat,
  reasoningFormat,
  streamOptionsFormat,
];
