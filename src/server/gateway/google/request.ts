/**
 * Parses the requests of Google's `generateContent`. `format.ts` says what each field does.
 *
 * Results of functions are parts of a user's content; here they become a message of their own before its texts. An id
 * of a call may be missing: then a result belongs to the first call of its name that has none yet, and the place of the
 * call in the conversation gives the id.
 */
import {
  type ExactJson,
  parseExactJson,
  printExactJson,
  toPlainJson,
  withoutUndefined,
} from "../../../core/index.ts";
import type {
  ChatPart,
  PromptRequest,
  SessionMessage,
  SessionRequest,
  ToolChoice,
  ToolSpec,
} from "../../../spec/index.ts";
import type { ParsedCall, ParsedPrompt } from "../dialect.ts";
import { GatewayError, invalidField } from "../gateway-error.ts";
import { parseBody, toToolSpec } from "../parse-body.ts";
import {
  collectVariables,
  effortVariables,
  type RequestedVariables,
  readFilters,
  thinkingVariables,
} from "../request-settings.ts";
import { readAnswerId } from "../signature.ts";
import {
  type ContentBody,
  type GoogleRequestBody,
  googleCountSchema,
  googleRequestSchema,
  type PartBody,
} from "./format.ts";
import { toJsonSchema } from "./function-schema.ts";

export function parseRequest(raw: unknown): Omit<ParsedCall, "isStream"> {
  const body = parseBody(googleRequestSchema, raw);
  const config = body.generationConfig ?? {};
  const { variables, fields } = readVariables(body);
  const request = withoutUndefined<SessionRequest>({
    ...toConversation(body),
    toolChoice: readToolChoice(body),
    parallelToolCalls: undefined,
    maxTokens: config.maxOutputTokens ?? undefined,
    stop: config.stopSequences?.length ? config.stopSequences : undefined,
    temperature: config.temperature ?? undefined,
    ...readFilters({ top_p: config.topP, top_k: config.topK }),
    seed: config.seed ?? undefined,
    templateVariables: variables,
    json: readJsonFormat(config),
    role: undefined,
    retryKey: undefined,
  });
  return { request, settingFields: { ...SETTINGS, ...fields }, body };
}

const SETTINGS = {
  temperature: "generationConfig.temperature",
  topP: "generationConfig.topP",
  topK: "generationConfig.topK",
  seed: "generationConfig.seed",
  json: "generationConfig.responseMimeType",
};

/** Parses the body of `countTokens`. A request that forbids calls has a prompt without tools. */
export function parseCount(raw: unknown): ParsedPrompt {
  const body = parseBody(googleCountSchema, raw);
  const { contents, generateContentRequest: whole } = body;
  if (Boolean(contents) === Boolean(whole)) {
    throw new GatewayError(
      400,
      "invalid_request",
      `the body: expected either contents or generateContentRequest, got ${contents ? "both" : "neither"}`,
    );
  }
  const asked: GoogleRequestBody = whole ?? { contents: contents! };
  const { messages, tools } = toConversation(asked);
  const { variables, fields } = readVariables(asked);
  const request = withoutUndefined<PromptRequest>({
    messages,
    tools: readToolChoice(asked) === "none" ? undefined : tools,
    templateVariables: variables,
  });
  return { request, settingFields: fields, body };
}

function readVariables({ generationConfig }: GoogleRequestBody): RequestedVariables {
  const { thinkingBudget: budget, thinkingLevel: level } = generationConfig?.thinkingConfig ?? {};
  const field = "generationConfig.thinkingConfig";
  const effort = level?.replace(/^THINKING_LEVEL_UNSPECIFIED$/, "").toLowerCase();
  return collectVariables([
    { field: `${field}.thinkingLevel`, variables: effortVariables(effort) },
    {
      field: `${field}.thinkingBudget`,
      variables: typeof budget === "number" ? thinkingVariables(budget !== 0) : undefined,
    },
  ]);
}

function readJsonFormat({
  responseMimeType,
  responseSchema,
  responseJsonSchema,
}: NonNullable<GoogleRequestBody["generationConfig"]>): SessionRequest["json"] {
  if (responseMimeType !== "application/json") return undefined;
  const schema = responseJsonSchema ?? (responseSchema ? toPlainSchema(responseSchema) : undefined);
  return withoutUndefined<NonNullable<SessionRequest["json"]>>({ schema });
}

function toPlainSchema(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const exact = parseExactJson(JSON.stringify(schema)) as Map<string, ExactJson>;
  return toPlainJson(toJsonSchema(exact)) as Record<string, unknown>;
}

function readToolChoice({ toolConfig }: GoogleRequestBody): ToolChoice | undefined {
  const { mode, allowedFunctionNames } = toolConfig?.functionCallingConfig ?? {};
  if (mode === "NONE") return "none";
  if (mode !== "ANY") return mode === "AUTO" ? "auto" : undefined;
  const name = allowedFunctionNames?.[0];
  return name === undefined ? "required" : { name };
}

function toConversation({ contents, systemInstruction, tools }: GoogleRequestBody) {
  const system = (systemInstruction?.parts ?? []).flatMap(({ text }) =>
    text ? [{ type: "text" as const, text }] : [],
  );
  const functions = (tools ?? []).flatMap((tool) => tool.functionDeclarations ?? []);
  return withoutUndefined<Pick<SessionRequest, "messages" | "tools">>({
    messages: [
      ...(system.length > 0 ? [{ role: "system" as const, parts: system }] : []),
      ...toMessages(contents),
    ],
    tools: functions.length > 0 ? functions.map(toTool) : undefined,
  });
}

type FunctionBody = NonNullable<
  NonNullable<GoogleRequestBody["tools"]>[number]["functionDeclarations"]
>[number];

function toTool({ name, description, parameters, parametersJsonSchema }: FunctionBody): ToolSpec {
  const own = parameters && toJsonSchema(toExactMap(parameters));
  return toToolSpec({ name, description, parameters: parametersJsonSchema ?? own });
}

/** A body that was not parsed from JSON text, as in tests, has plain objects. */
function toExactMap(value: Map<string, ExactJson> | Record<string, unknown>) {
  if (value instanceof Map) return value;
  return parseExactJson(JSON.stringify(value)) as Map<string, ExactJson>;
}

/** A call that has no result yet. */
interface OpenCall {
  readonly id: string;
  readonly name: string;
}

function toMessages(contents: readonly ContentBody[]): SessionMessage[] {
  let open: OpenCall[] = [];
  return contents.flatMap(({ role, parts }, at): SessionMessage[] => {
    requireOwnParts(role, parts, at);
    if (role !== "model") return toUserMessages(parts, open);
    const made = parts.flatMap((part, i) => toModelParts(part, `call-${at}-${i}`));
    const calls = made.filter((part) => part.type === "tool-call");
    // Several contents of the model in a row are one answer, so their calls stay open.
    open = contents[at - 1]?.role === "model" ? [...open, ...calls] : calls;
    const ids = [...new Set(parts.flatMap(readIds))];
    return [{ role: "assistant", parts: made, ...(ids.length > 0 && { ids }) }];
  });
}

/** Throws a 400 unless the calls are the model's and their results are the user's. */
function requireOwnParts(role: ContentBody["role"], parts: readonly PartBody[], at: number): void {
  const field = role === "model" ? "functionResponse" : "functionCall";
  const i = parts.findIndex((part) => part[field]);
  if (i < 0) return;
  const owner = role === "model" ? "user" : "model";
  throw invalidField(
    `contents.${at}.parts.${i}.${field}`,
    `expected it in a content of the role ${owner}, got the role ${role ?? "user"}`,
  );
}

function toUserMessages(parts: readonly PartBody[], open: OpenCall[]): SessionMessage[] {
  const results = parts.flatMap(({ functionResponse: result }) =>
    result ? [toResult(result, takeCall(open, result))] : [],
  );
  const texts = parts.flatMap(({ text }) => (text ? [{ type: "text" as const, text }] : []));
  return [
    ...(results.length > 0 ? [{ role: "tool" as const, parts: results }] : []),
    ...(texts.length > 0 || results.length === 0 ? [{ role: "user" as const, parts: texts }] : []),
  ];
}

function readIds({ thoughtSignature }: PartBody): string[] {
  const answer = readAnswerId(thoughtSignature ?? "");
  return answer === undefined ? [] : [answer];
}

function toModelParts({ text, thought, functionCall: call }: PartBody, place: string): ChatPart[] {
  if (call) {
    const json = printExactJson(call.args ?? {});
    return [{ type: "tool-call", id: call.id ?? place, name: call.name, arguments: json }];
  }
  if (!text) return [];
  return [{ type: thought ? "reasoning" : "text", text }];
}

type ResultBody = NonNullable<PartBody["functionResponse"]>;

/** Returns the id of the call that a result answers, and takes the call from the open ones. */
function takeCall(open: OpenCall[], { id, name }: ResultBody): string {
  const byId = open.findIndex((call) => call.id === id);
  const byName = open.findIndex((call) => call.name === name);
  const found = id ? byId : byName >= 0 ? byName : 0;
  const [call] = found >= 0 ? open.splice(found, 1) : [];
  return id ?? call?.id ?? "call-unknown";
}

function toResult({ response }: ResultBody, callId: string): ChatPart {
  const fields = response instanceof Map ? response : new Map(Object.entries(response ?? {}));
  const field = ["output", "error"].find((name) => fields.has(name));
  const value = field === undefined ? response : fields.get(field);
  const text = typeof value === "string" ? value : printExactJson(value ?? {});
  const part = { type: "tool-result", callId, text } as const;
  return field === "error" ? { ...part, isError: true } : part;
}
