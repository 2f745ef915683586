/** The fields of the items of a conversation in OpenAI's responses. */
import { z } from "zod";
import {
  computed,
  defineFormat,
  type FormatTable,
  formatSchema,
  harmless,
  named,
  schemaByTag,
} from "../../../core/index.ts";
import { cacheField, nonEmptyText, textOrParts } from "../shared-fields.ts";

const unknown = "named" as const;
const text = z.string().nullish();
const id = computed(text, "an item of ours names its answer");
const status = harmless("items are read as complete");
const caller = harmless("the client runs all tools");

const partFormat = defineFormat({
  name: "OpenAI's responses: a part of a message",
  unknown,
  fields: {
    type: computed(z.enum(["text", "input_text", "output_text", "refusal"]), "only texts are read"),
    text: computed(text, "words"),
    refusal: computed(text, "read as text"),
    prompt_cache_breakpoint: cacheField,
    annotations: harmless("answers have none"),
    logprobs: harmless("they belong to an answer"),
  },
});
const part = formatSchema(partFormat);
const content = textOrParts(
  schemaByTag(
    "type",
    { text: part, input_text: part, output_text: part, refusal: part },
    (got) => `expected a text part, got a part of type ${String(got)}`,
  ),
  "expected a text or a list of parts",
);

const messageFormat = defineFormat({
  name: "OpenAI's responses: a message",
  unknown,
  fields: {
    type: computed(z.literal("message"), "may be left out"),
    id,
    role: computed(z.enum(["system", "developer", "user", "assistant"]), "who speaks"),
    content: computed(content, "a text, or a list of texts"),
    status,
    phase: harmless("the model sees the text alone"),
  },
});
const callFormat = defineFormat({
  name: "OpenAI's responses: a function_call",
  unknown,
  fields: {
    type: computed(z.literal("function_call"), "the kind of item"),
    id,
    call_id: computed(nonEmptyText, "outputs refer to it"),
    name: computed(z.string(), "the tool"),
    arguments: computed(z.string(), "JSON"),
    status,
    caller,
    namespace: named("tools have one name"),
  },
});
const outputFormat = defineFormat({
  name: "OpenAI's responses: a function_call_output",
  unknown,
  fields: {
    type: computed(z.literal("function_call_output"), "the kind of item"),
    call_id: computed(nonEmptyText, "the call that it answers"),
    output: computed(content, "a text, or a list of texts"),
    id: harmless("the call's id says what it answers"),
    name: harmless("the call names the tool"),
    status,
    caller,
  },
});
const thoughtFormat = defineFormat({
  name: "OpenAI's responses: a part of reasoning",
  unknown,
  fields: {
    text: computed(z.string(), "thoughts"),
    type: harmless("summary_text and reasoning_text are read alike"),
  },
});
const thoughts = z.array(formatSchema(thoughtFormat)).nullish();
const reasoningFormat = defineFormat({
  name: "OpenAI's responses: a reasoning item",
  unknown,
  fields: {
    type: computed(z.literal("reasoning"), "the kind of item"),
    id,
    content: computed(thoughts, "thoughts, which the chat template may write"),
    summary: computed(thoughts, "read if there is no content"),
    encrypted_content: named("only its provider can read it"),
    status,
  },
});
const referenceFormat = defineFormat({
  name: "OpenAI's responses: an item_reference",
  unknown,
  fields: {
    type: computed(z.literal("item_reference"), "the kind of item"),
    id: computed(z.string(), "an item of an earlier answer"),
  },
});

/** The schema of an item. A message may leave out its type. */
export const itemSchema = z.preprocess(
  (raw) =>
    typeof raw === "object" && raw !== null && "role" in raw && !("type" in raw)
      ? { ...raw, type: "message" }
      : raw,
  schemaByTag(
    "type",
    {
      message: formatSchema(messageFormat),
      function_call: formatSchema(callFormat),
      function_call_output: formatSchema(outputFormat),
      reasoning: formatSchema(reasoningFormat),
      item_reference: formatSchema(referenceFormat),
    },
    () => "expected a message, function_call, function_call_output, reasoning or item_reference",
  ),
);
export type Item = z.output<typeof itemSchema>;
export type ItemContent = z.output<typeof content>;

export const itemFormats: readonly FormatTable[] = [
  messageFormat,
  partFormat,
  callFormat,
  outputFormat,
  reasoningFormat,
  thoughtFormat,
  referenceFormat,
];
