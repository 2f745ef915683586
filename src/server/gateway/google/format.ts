/**
 * The fields of a request in Google's `generateContent`, as its public reference names them. Google reads the name of a
 * field in two forms, `systemInstruction` and `system_instruction`, and so do these tables.
 */
import { z } from "zod";
import {
  computed,
  defineFormat,
  type FieldRule,
  type FormatTable,
  formatSchema,
  harmless,
  harmlessIf,
  isPlainObject,
  named,
  namedUnless,
  refused,
} from "../../../core/index.ts";
import {
  byProviderField,
  exactObject,
  isZero,
  jsonSchema,
  nonEmptyText,
  positiveInteger,
  providerTools,
  seedField,
  temperatureField,
  topKField,
  topPField,
} from "../shared-fields.ts";

const unknown = "named" as const;

/** Returns the schema of a table's objects, whose fields may also be written with underscores. */
function googleSchema<F extends Readonly<Record<string, FieldRule>>>(table: FormatTable<F>) {
  return z.preprocess((value) => {
    if (!isPlainObject(value)) return value;
    const entries = Object.entries(value).map(([name, field]): [string, unknown] => {
      const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      const isOther = Object.hasOwn(table.fields, camel) && !Object.hasOwn(value, camel);
      return [isOther ? camel : name, field];
    });
    return Object.fromEntries(entries);
  }, formatSchema(table));
}

const onlyText = refused("only texts and functions are supported");
const toolName = z
  .string()
  .regex(/^[A-Za-z0-9_.:-]{1,128}$/, "expected a name of letters, digits, _, ., : and -");

const callFormat = defineFormat({
  name: "Google's generateContent: a functionCall",
  unknown,
  fields: {
    id: computed(nonEmptyText.nullish(), "results refer to it; by default their order decides"),
    name: computed(z.string(), "the function"),
    args: computed(exactObject.nullish(), "the arguments"),
    partialArgs: refused("send the whole arguments"),
    willContinue: namedUnless(z.literal(false), "false", "send the whole call"),
  },
});
const resultFormat = defineFormat({
  name: "Google's generateContent: a functionResponse",
  unknown,
  fields: {
    id: computed(nonEmptyText.nullish(), "the call that it answers; by default the order decides"),
    name: computed(z.string().nullish(), "the function"),
    response: computed(
      exactObject.nullish(),
      "`output` is the result and `error` a failure; without them, the whole object is the result",
    ),
    parts: onlyText,
    willContinue: namedUnless(z.literal(false), "false", "a call has one result"),
    scheduling: named("results are read when they are sent"),
  },
});
const partFormat = defineFormat({
  name: "Google's generateContent: a part",
  unknown,
  fields: {
    text: computed(z.string().nullish(), "words"),
    thought: computed(z.boolean().nullish(), "the text is a thought"),
    thoughtSignature: computed(z.string().nullish(), "ours has the id of its answer"),
    functionCall: computed(googleSchema(callFormat).nullish(), "a call"),
    functionResponse: computed(googleSchema(resultFormat).nullish(), "the result of a call"),
    partMetadata: named("the model does not see it"),
    inlineData: onlyText,
    fileData: onlyText,
    videoMetadata: onlyText,
    executableCode: onlyText,
    codeExecutionResult: onlyText,
    toolCall: onlyText,
    toolResponse: onlyText,
    mediaResolution: named("there are no media"),
    mediaProcessing: named("there are no media"),
  },
});
const part = googleSchema(partFormat).refine(
  ({ text, functionCall, functionResponse }) =>
    [text, functionCall, functionResponse].filter((one) => one !== undefined && one !== null)
      .length === 1,
  "expected one of text, functionCall and functionResponse",
);
export type PartBody = z.output<typeof part>;

const contentFormat = defineFormat({
  name: "Google's generateContent: a content",
  unknown,
  fields: {
    role: computed(
      z.enum(["user", "model", "function"]).nullish(),
      "who speaks; by default the user",
    ),
    parts: computed(z.array(part), "texts, calls and results"),
  },
});
const instructionFormat = defineFormat({
  name: "Google's generateContent: systemInstruction",
  unknown,
  fields: {
    role: harmless("it is the system's in any case"),
    parts: computed(
      z
        .union([part.transform((one) => [one]), z.array(part)])
        .refine(
          (parts) => parts.every(({ text }) => typeof text === "string"),
          "expected parts with texts",
        ),
      "texts",
    ),
  },
});
const content = googleSchema(contentFormat);
const instruction = z.preprocess(
  (value) => (typeof value === "string" ? { parts: [{ text: value }] } : value),
  googleSchema(instructionFormat),
);
export type ContentBody = z.output<typeof content>;

const functionFormat = defineFormat({
  name: "Google's generateContent: a function",
  unknown,
  fields: {
    name: computed(toolName, "the function's name"),
    description: computed(z.string().nullish(), "shown to the model"),
    parameters: computed(exactObject.nullish(), "the schema of the arguments, in Google's form"),
    parametersJsonSchema: computed(exactObject.nullish(), "the JSON Schema of the arguments"),
    response: named("the model sees the schema of the arguments alone"),
    responseJsonSchema: named("the model sees the schema of the arguments alone"),
    behavior: namedUnless(z.literal("BLOCKING"), '"BLOCKING"', "the answer ends with the calls"),
  },
});
const toolFormat = defineFormat({
  name: "Google's generateContent: a tool",
  unknown,
  fields: {
    functionDeclarations: computed(
      z.array(googleSchema(functionFormat)).nullish(),
      "functions that the client runs",
    ),
    retrieval: providerTools,
    googleSearch: providerTools,
    googleSearchRetrieval: providerTools,
    googleMaps: providerTools,
    enterpriseWebSearch: providerTools,
    codeExecution: providerTools,
    computerUse: providerTools,
    urlContext: providerTools,
    fileSearch: providerTools,
    mcpServers: providerTools,
  },
});
const callingFormat = defineFormat({
  name: "Google's generateContent: functionCallingConfig",
  unknown,
  fields: {
    mode: computed(
      z
        .enum(["MODE_UNSPECIFIED", "AUTO", "ANY", "NONE"], {
          error: "expected AUTO, ANY or NONE; arguments are not constrained to a schema",
        })
        .nullish(),
      "enforced",
    ),
    allowedFunctionNames: computed(
      z.array(z.string()).max(1, "expected at most one name").nullish(),
      "the function that must be called",
    ),
    streamFunctionCallArguments: harmless("calls are sent whole"),
  },
});
const toolConfigFormat = defineFormat({
  name: "Google's generateContent: toolConfig",
  unknown,
  fields: {
    functionCallingConfig: computed(googleSchema(callingFormat).nullish(), "which calls"),
    retrievalConfig: named("nothing is retrieved"),
    includeServerSideToolInvocations: harmless("the client runs all tools"),
  },
});
const thinkingFormat = defineFormat({
  name: "Google's generateContent: thinkingConfig",
  unknown,
  fields: {
    includeThoughts: computed(z.boolean().nullish(), "true: answers have their thoughts"),
    thinkingBudget: computed(
      z.int().min(-1).nullish(),
      "0 turns thoughts off and others on, where the chat template has variables; not a limit",
    ),
    thinkingLevel: computed(
      z.string().nullish(),
      "an effort, which is a variable of the chat template; named if it does not read it",
    ),
  },
});
const noMedia = named("there are no media");
const generationFormat = defineFormat({
  name: "Google's generateContent: generationConfig",
  unknown,
  fields: {
    maxOutputTokens: computed(positiveInteger.nullish(), "the most tokens of the answer"),
    stopSequences: computed(z.array(nonEmptyText).nullish(), "texts that end the answer"),
    temperature: temperatureField,
    topP: topPField,
    topK: topKField,
    seed: seedField,
    candidateCount: computed(
      z.literal(1, { error: "only one candidate per answer is supported" }).nullish(),
      "1",
    ),
    responseMimeType: computed(
      z
        .enum(["text/plain", "application/json"], {
          error: 'expected "text/plain" or "application/json"',
        })
        .nullish(),
      "JSON: the model is told; named, because nothing enforces it",
    ),
    responseSchema: computed(jsonSchema.nullish(), "shown to the model, in Google's form"),
    responseJsonSchema: computed(jsonSchema.nullish(), "shown to the model"),
    thinkingConfig: computed(googleSchema(thinkingFormat).nullish(), "thoughts"),
    responseLogprobs: computed(z.boolean().nullish(), "ids and log-probs of the sampled tokens"),
    logprobs: namedUnless(isZero, "0", "only the sampled token's log-prob is known"),
    presencePenalty: namedUnless(isZero, "0", "no penalties are computed"),
    frequencyPenalty: namedUnless(isZero, "0", "no penalties are computed"),
    responseModalities: harmlessIf(
      z.array(z.string().regex(/^text$/i)),
      '["TEXT"]',
      "only texts are supported",
    ),
    speechConfig: refused("only texts are supported"),
    mediaResolution: noMedia,
    imageConfig: noMedia,
    audioTimestamp: noMedia,
    enableEnhancedCivicAnswers: named("nothing is moderated"),
    routingConfig: named("there is one model"),
    modelSelectionConfig: named("there is one model"),
  },
});

const promptFields = {
  contents: computed(z.array(content).min(1), "the conversation"),
  systemInstruction: computed(instruction.nullish(), "the system message"),
  tools: computed(z.array(googleSchema(toolFormat)).nullish(), "shown to the model"),
  toolConfig: computed(googleSchema(toolConfigFormat).nullish(), "enforced"),
} as const;
const requestFormat = defineFormat({
  name: "Google's generateContent: a request",
  unknown,
  fields: {
    ...promptFields,
    generationConfig: computed(googleSchema(generationFormat).nullish(), "the settings"),
    model: harmless("the model that is served answers, whatever it is called"),
    safetySettings: named("nothing is moderated"),
    cachedContent: refused("conversations are not stored; send the contents"),
    labels: byProviderField,
    serviceTier: byProviderField,
    store: byProviderField,
  },
});
const request = googleSchema(requestFormat);
const countFormat = defineFormat({
  name: "Google's generateContent: a request to count tokens",
  unknown,
  fields: {
    contents: computed(z.array(content).min(1).nullish(), "the conversation"),
    generateContentRequest: computed(request.nullish(), "a whole request, instead of contents"),
    model: harmless("the model that is served counts, whatever it is called"),
  },
});

export const googleRequestSchema = request;
export const googleCountSchema = googleSchema(countFormat);
export type GoogleRequestBody = z.output<typeof request>;

/** The tables of this dialect, for the page about formats. */
export const googleFormats: readonly FormatTable[] = [
  requestFormat,
  countFormat,
  contentFormat,
  instructionFormat,
  partFormat,
  callFormat,
  resultFormat,
  toolFormat,
  functionFormat,
  toolConfigFormat,
  callingFormat,
  generationFormat,
  thinkingFormat,
];
