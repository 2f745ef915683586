/**
 * Calls a language model object of the AI SDK directly. The types declare only the fields that are read, so models of
 * specification 2, 3 and 4 fit, and the AI SDK is not imported.
 */
import { errorMessage } from "../../../core/index.ts";
import type { Message } from "../../../spec/index.ts";
import {
  ChatFailure,
  type ChatModel,
  chatFailureOfStatus,
  type HostedUsage,
} from "./chat-model.ts";

/** The parts of a model object, such as `openai("...")` or `anthropic("...")`, that an evaluation needs. */
export interface LanguageModelLike {
  readonly specificationVersion: string;
  readonly modelId: string;
  doGenerate(options: {
    readonly prompt: readonly unknown[];
    readonly maxOutputTokens?: number;
    readonly temperature?: number;
    readonly abortSignal?: AbortSignal;
  }): PromiseLike<{
    readonly content: readonly { readonly type: string; readonly text?: string }[];
    readonly usage?: unknown;
  }>;
}

export function isLanguageModel(value: unknown): value is LanguageModelLike {
  return typeof value === "object" && value !== null && "doGenerate" in value && "modelId" in value;
}

export function createLanguageModelChat(model: LanguageModelLike): ChatModel {
  return {
    name: model.modelId,
    async reply({ messages, maxTokens, temperature, signal }) {
      try {
        const { content, usage } = await model.doGenerate({
          prompt: messages.map(toPromptMessage),
          maxOutputTokens: maxTokens,
          temperature,
          ...(signal && { abortSignal: signal }),
        });
        const texts = content.filter(({ type }) => type === "text").map(({ text }) => text ?? "");
        return { text: texts.join(""), usage: readUsage(usage) };
      } catch (error) {
        signal?.throwIfAborted();
        throw toChatFailure(error);
      }
    },
  };
}

function toPromptMessage({ role, content }: Message) {
  if (role === "system") return { role, content };
  return {
    role: role === "assistant" ? "assistant" : "user",
    content: [{ type: "text", text: content }],
  };
}

/** Reads the token counts. They are numbers in specification 2, and objects with a `total` since specification 3. */
function readUsage(usage: unknown): HostedUsage {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens } = (usage ?? {}) as {
    [name: string]: number | { [part: string]: number | undefined } | undefined;
  };
  const part = (value: typeof inputTokens, name: string) =>
    typeof value === "object" ? (value[name] ?? 0) : 0;
  const whole = (value: typeof inputTokens) =>
    typeof value === "number" ? value : part(value, "total");
  return {
    input: whole(inputTokens),
    cached: whole(cachedInputTokens) || part(inputTokens, "cacheRead"),
    output: whole(outputTokens),
    reasoning: whole(reasoningTokens) || part(outputTokens, "reasoning"),
  };
}

function toChatFailure(error: unknown): ChatFailure {
  const { statusCode, responseBody, isRetryable } = error as {
    statusCode?: unknown;
    responseBody?: unknown;
    isRetryable?: unknown;
  };
  if (typeof statusCode === "number") {
    const body = typeof responseBody === "string" ? responseBody : errorMessage(error);
    return chatFailureOfStatus(statusCode, body);
  }
  return new ChatFailure(isRetryable === true ? "busy" : "fatal", errorMessage(error));
}
