/**
 * Turns a call of the AI SDK into a session's request, and lists warnings for the settings that a session ignores.
 *
 * The ids of answers come back as `providerOptions` on the parts that the model wrote. Tool calls keep their own ids.
 */
import { withoutUndefined } from "../../core/index.ts";
import type {
  ChatPart,
  SessionMessage,
  SessionRequest,
  ToolChoice,
  ToolSpec,
} from "../../spec/index.ts";
import { SessionError } from "../session/session-error.ts";
import type {
  V3CallOptions,
  V3Message,
  V3Metadata,
  V3OtherPart,
  V3TextPart,
  V3Tool,
  V3ToolCallPart,
  V3ToolChoice,
  V3ToolOutput,
  V3ToolResultPart,
  V3Warning,
} from "./language-model-v3.ts";

/** A part carries the id of its answer under this name: `{ bowline: { answer: id } }`. */
export const PROVIDER = "bowline";

export function answerMetadata(answer: string): V3Metadata {
  return { [PROVIDER]: { answer } };
}

/**
 * Turns a call into a request. Throws a `SessionError` (`invalid`) for files and for tools that a provider runs, which
 * no session accepts.
 */
export function toSessionRequest(options: V3CallOptions): SessionRequest {
  const { responseFormat, toolChoice, tools } = options;
  return withoutUndefined<SessionRequest>({
    messages: options.prompt.map(toSessionMessage),
    tools: tools?.length ? tools.map(toToolSpec) : undefined,
    toolChoice: toolChoice && toToolChoice(toolChoice),
    parallelToolCalls: undefined,
    maxTokens: options.maxOutputTokens,
    stop: options.stopSequences?.length ? options.stopSequences : undefined,
    temperature: options.temperature,
    topP: options.topP,
    topK: options.topK,
    seed: options.seed,
    json:
      responseFormat?.type === "json"
        ? withoutUndefined<NonNullable<SessionRequest["json"]>>({
            schema: responseFormat.schema as Record<string, unknown> | undefined,
          })
        : undefined,
    role: options.headers?.["x-bowline-role"],
    retryKey: undefined,
  });
}

type PromptPart = V3TextPart | V3ToolCallPart | V3ToolResultPart | V3OtherPart;

function toSessionMessage(message: V3Message): SessionMessage {
  if (message.role === "system") {
    return { role: "system", parts: [{ type: "text", text: message.content }] };
  }
  const content: readonly PromptPart[] = message.content;
  const ids = new Set(content.flatMap(listAnswerIds));
  return withoutUndefined<SessionMessage>({
    role: message.role,
    parts: content.map(toChatPart),
    ids: ids.size > 0 ? [...ids] : undefined,
  });
}

function listAnswerIds(part: PromptPart): string[] {
  const answer = "providerOptions" in part && part.providerOptions?.[PROVIDER]?.["answer"];
  return typeof answer === "string" ? [answer] : [];
}

function toChatPart(part: PromptPart): ChatPart {
  switch (part.type) {
    case "text":
    case "reasoning":
      return { type: part.type, text: part.text };
    case "tool-call": {
      const { toolCallId: id, toolName: name, input } = part;
      return { type: "tool-call", id, name, arguments: toArgumentsJson(input) };
    }
    case "tool-result":
      return toToolResultPart(part);
    default:
      throw new SessionError("invalid", `this model does not accept a part of type ${part.type}`);
  }
}

/**
 * Returns the arguments as JSON. The SDK parses what the model wrote; where it could not, the input is the text itself.
 */
function toArgumentsJson(input: unknown): string {
  return typeof input === "string" ? input : JSON.stringify(input ?? {});
}

function toToolResultPart({ toolCallId, toolName, output }: V3ToolResultPart): ChatPart {
  const part = {
    type: "tool-result",
    callId: toolCallId,
    name: toolName,
    text: outputText(output),
  } as const;
  return output.type.startsWith("error") ? { ...part, isError: true } : part;
}

function outputText(output: V3ToolOutput): string {
  switch (output.type) {
    case "text":
    case "error-text":
      return output.value;
    case "json":
    case "error-json":
      return JSON.stringify(output.value) ?? "null";
    case "execution-denied":
      return output.reason ?? "the call was denied";
    case "content":
      return output.value.map(({ type, text }) => text ?? `[${type}]`).join("\n");
  }
}

function toToolSpec(tool: V3Tool): ToolSpec {
  if (tool.type !== "function") {
    throw new SessionError(
      "invalid",
      `tool ${tool.name}: expected a function tool, got a tool that a provider runs (${tool.id})`,
    );
  }
  return withoutUndefined<ToolSpec>({
    name: tool.name,
    description: tool.description,
    parameters: tool.inputSchema as Record<string, unknown>,
  });
}

function toToolChoice(choice: V3ToolChoice): ToolChoice {
  return choice.type === "tool" ? { name: choice.toolName } : choice.type;
}

/** Settings that no session supports. */
const UNSUPPORTED_SETTINGS = ["presencePenalty", "frequencyPenalty"] as const;

/** The names of a session's settings in the SDK, where the two differ. */
const SETTING_NAMES: Readonly<Record<string, string>> = { json: "responseFormat" };

/** Says why a session does not obey a setting. */
const DETAILS: Readonly<Record<string, string>> = {
  json: "the model is told to answer in JSON, but nothing enforces it",
};
const RECORDED =
  "the session does not sample with this value, which is only recorded; during training, the training method decides how to sample";

/** Returns a warning for every setting of the call that has no effect. `ignored` are the session's own names. */
export function listSettingWarnings(
  options: V3CallOptions,
  ignored: readonly string[],
): V3Warning[] {
  const unsupported = UNSUPPORTED_SETTINGS.filter((name) => options[name] !== undefined);
  return [
    ...unsupported.map((feature) => ({ type: "unsupported" as const, feature })),
    ...ignored.map((name) => ({
      type: "unsupported" as const,
      feature: SETTING_NAMES[name] ?? name,
      details: DETAILS[name] ?? RECORDED,
    })),
  ];
}
