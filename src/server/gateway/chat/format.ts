/**
 * The fields of a chat completion's request: those of OpenAI's reference, and those that vLLM and other servers add.
 *
 * Clients differ in how they send an answer back. Content may be a string, null or a list of parts; a part may repeat
 * the whole message besides its text (the Agents SDK); reasoning may be there or not.
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
  namedUnless,
  refused,
  schemaByTag,
} from "../../../core/index.ts";
import {
  answerSchemaFields,
  byProviderField,
  cacheField,
  emptyList,
  exactObject,
  extendedSamplingFields,
  isFalse,
  isZero,
  nonEmptyText,
  positiveInteger,
  providerFields,
  providerTools,
  seedField,
  strictField,
  temperatureField,
  textOrParts,
  toolChoiceSchema,
  toolName,
  topPField,
} from "../shared-fields.ts";

const unknown = "named" as const;
const repeated = harmless("the Agents SDK repeats the message in its parts");
const text = z.string().nullish();

const textPartFormat = defineFormat({
  name: "OpenAI's chat completions: a part of a message",
  unknown,
  fields: {
    type: computed(z.enum(["text", "input_text", "output_text"]), "only texts are read"),
    text: computed(text, "words"),
    prompt_cache_breakpoint: cacheField,
    cache_control: cacheField,
    annotations: harmless("answers have none"),
    logprobs: harmless("they belong to an answer"),
    role: repeated,
    content: repeated,
    tool_calls: repeated,
    refusal: repeated,
    audio: repeated,
    function_call: repeated,
    reasoning_content: repeated,
    reasoning: repeated,
  },
});
const refusalPartFormat = defineFormat({
  name: "OpenAI's chat completions: a refusal",
  unknown,
  fields: {
    type: computed(z.literal("refusal"), "the kind of part"),
    refusal: computed(text, "read as text"),
  },
});
const textPart = formatSchema(textPartFormat);
const part = schemaByTag(
  "type",
  {
    text: textPart,
    input_text: textPart,
    output_text: textPart,
    refusal: formatSchema(refusalPartFormat),
  },
  (got) => `expected a text part, got a part of type ${String(got)}`,
);
const content = computed(
  textOrParts(part, "expected a string or a list of parts").nullish(),
  "a text, or a list of texts",
);

const functionFormat = defineFormat({
  name: "OpenAI's chat completions: the function of a call",
  unknown,
  fields: {
    name: computed(z.string(), "the tool"),
    arguments: computed(z.string(), "JSON"),
  },
});
const callFormat = defineFormat({
  name: "OpenAI's chat completions: a call",
  unknown,
  fields: {
    id: computed(nonEmptyText, "tool messages refer to it"),
    type: computed(z.literal("function").nullish(), "only functions are called"),
    function: computed(formatSchema(functionFormat), "the call"),
    index: harmless("calls are in order"),
  },
});

const roleOf = <R extends string>(role: R) => computed(z.literal(role), "who speaks");
const speakerName = named("the conversation names no speakers within a role");
const systemFormat = defineFormat({
  name: "OpenAI's chat completions: a system message",
  unknown,
  fields: {
    role: computed(z.enum(["system", "developer"]), "developers are read as the system"),
    content,
    name: speakerName,
  },
});
const userFormat = defineFormat({
  name: "OpenAI's chat completions: a message of the user",
  unknown,
  fields: { role: roleOf("user"), content, name: speakerName },
});
const assistantFormat = defineFormat({
  name: "OpenAI's chat completions: a message of the assistant",
  unknown,
  fields: {
    role: roleOf("assistant"),
    content,
    refusal: computed(text, "read as text"),
    reasoning_content: computed(text, "thoughts, which the chat template may write"),
    reasoning: computed(text, "another name of reasoning_content"),
    tool_calls: computed(z.array(formatSchema(callFormat)).nullish(), "the calls of the answer"),
    function_call: refused("use tool_calls"),
    name: harmless("there is one assistant"),
    annotations: harmless("answers have none"),
    audio: refused("answers are text"),
  },
});
const toolMessageFormat = defineFormat({
  name: "OpenAI's chat completions: a result of a call",
  unknown,
  fields: {
    role: roleOf("tool"),
    content,
    tool_call_id: computed(
      z.string({ error: "a tool message must name its call" }).min(1, {
        error: "a tool message must name its call",
      }),
      "the call that it answers",
    ),
    name: harmless("the call names the tool"),
  },
});
const system = formatSchema(systemFormat);
const message = schemaByTag(
  "role",
  {
    system,
    developer: system,
    user: formatSchema(userFormat),
    assistant: formatSchema(assistantFormat),
    tool: formatSchema(toolMessageFormat),
  },
  (got) => `expected system, developer, user, assistant or tool, got ${JSON.stringify(got)}`,
);
export type ChatMessageBody = z.output<typeof message>;

const toolFunctionFormat = defineFormat({
  name: "OpenAI's chat completions: the function of a tool",
  unknown,
  fields: {
    name: computed(toolName, "the tool's name"),
    description: computed(text, "shown to the model"),
    parameters: computed(exactObject.nullish(), "the JSON Schema of the arguments"),
    strict: strictField,
  },
});
const toolFormat = defineFormat({
  name: "OpenAI's chat completions: a tool",
  unknown,
  fields: {
    type: computed(
      z.literal("function", { error: "only function tools are supported" }),
      "the client runs all tools",
    ),
    function: computed(formatSchema(toolFunctionFormat), "the function"),
    cache_control: cacheField,
  },
});

const chosenFunctionFormat = defineFormat({
  name: "OpenAI's chat completions: the function of a tool choice",
  unknown,
  fields: { name: computed(z.string(), "the tool that must be called") },
});
const toolChoiceFormat = defineFormat({
  name: "OpenAI's chat completions: a tool choice",
  unknown,
  fields: {
    type: computed(z.literal("function"), "allowed_tools and custom are refused"),
    function: computed(formatSchema(chosenFunctionFormat), "the function"),
  },
});
const toolChoice = toolChoiceSchema(formatSchema(toolChoiceFormat));

const jsonSchemaFormat = defineFormat({
  name: "OpenAI's chat completions: the schema of an answer",
  unknown,
  fields: {
    ...answerSchemaFields,
    strict: harmless("response_format is named as a whole"),
  },
});
const responseFormat = defineFormat({
  name: "OpenAI's chat completions: the format of an answer",
  unknown,
  fields: {
    type: computed(z.enum(["text", "json_object", "json_schema"]), "the kind of answer"),
    json_schema: computed(formatSchema(jsonSchemaFormat).nullish(), "the schema"),
  },
});
const streamOptionsFormat = defineFormat({
  name: "OpenAI's chat completions: stream_options",
  unknown,
  fields: {
    include_usage: computed(z.boolean().nullish(), "the last chunk has the usage"),
    include_obfuscation: harmless("streams are not padded"),
    continuous_usage_stats: namedUnless(isFalse, "false", "only the last chunk has the usage"),
  },
});

const penalty = namedUnless(isZero, "0", "no penalties are computed");
const always = (values: string, schema: z.ZodType) =>
  namedUnless(schema, values, "answers are always written so");

const chatFormat = defineFormat({
  name: "OpenAI's chat completions: a request",
  unknown,
  fields: {
    messages: computed(z.array(message).min(1), "the conversation"),
    tools: computed(z.array(formatSchema(toolFormat)).nullish(), "shown to the model"),
    tool_choice: computed(toolChoice.nullish(), "enforced"),
    parallel_tool_calls: computed(z.boolean().nullish(), "false: one call in an answer"),
    max_completion_tokens: computed(positiveInteger.nullish(), "the most tokens of the answer"),
    max_tokens: computed(positiveInteger.nullish(), "the same, if the other is absent"),
    stop: computed(
      z
        .union([nonEmptyText, z.array(nonEmptyText).max(16)], {
          error: "expected a text, or a list of at most 16",
        })
        .nullish(),
      "texts that end the answer",
    ),
    temperature: temperatureField,
    top_p: topPField,
    seed: seedField,
    ...extendedSamplingFields,
    n: computed(z.literal(1, { error: "only one choice per answer is supported" }).nullish(), "1"),
    reasoning_effort: computed(
      text,
      "a variable of the chat template, and none turns thoughts off; named if it reads neither",
    ),
    response_format: computed(
      formatSchema(responseFormat).nullish(),
      "the model is told; named unless its type is text, because nothing enforces it",
    ),
    stream: computed(z.boolean().nullish(), "server-sent events"),
    stream_options: computed(formatSchema(streamOptionsFormat).nullish(), "about the stream"),
    logprobs: computed(z.boolean().nullish(), "log-probs of the sampled tokens"),
    return_token_ids: computed(z.boolean().nullish(), "the ids of prompt and answer, as in vLLM"),
    ...providerFields,
    metadata: byProviderField,
    store: byProviderField,
    prediction: harmless("it only makes a provider faster"),
    return_tokens_as_token_ids: harmless("log-probs always name ids"),
    frequency_penalty: penalty,
    presence_penalty: penalty,
    logit_bias: namedUnless(z.record(z.string(), z.never()), "{}", "logits are not changed"),
    verbosity: namedUnless(z.literal("medium"), "medium", "the model is not told"),
    min_tokens: namedUnless(isZero, "0", "an answer may be short"),
    stop_token_ids: namedUnless(emptyList, "[]", "use stop"),
    ignore_eos: always("false", isFalse),
    include_stop_str_in_output: always("false", isFalse),
    continue_final_message: always("false", isFalse),
    skip_special_tokens: always("true", z.literal(true)),
    add_generation_prompt: always("true", z.literal(true)),
    modalities: harmlessIf(z.tuple([z.literal("text")]), '["text"]', "answers are text"),
    audio: refused("answers are text"),
    web_search_options: providerTools,
    functions: refused("use tools"),
    function_call: refused("use tool_choice"),
  },
});

export const chatRequestSchema = formatSchema(chatFormat);
export type ChatRequestBody = z.output<typeof chatRequestSchema>;

/** The tables of this dialect, for the page about formats. */
export const chatFormats: readonly FormatTable[] = [
  chatFormat,
  systemFormat,
  userFormat,
  assistantFormat,
  toolMessageFormat,
  textPartFormat,
  refusalPartFormat,
  callFormat,
  functionFormat,
  toolFormat,
  toolFunctionFormat,
  toolChoiceFormat,
  chosenFunctionFormat,
  responseFormat,
  jsonSchemaFormat,
  streamOptionsFormat,
];
