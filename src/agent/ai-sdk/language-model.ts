/**
 * Wraps a session as a language model of the AI SDK, in the same process. An agent that takes a model object is trained
 * by being given this one. There is no HTTP, and nothing needs to be installed.
 *
 * The SDK keeps what a model puts on a part (`providerMetadata`) and sends it back with the part (`providerOptions`),
 * with and without streaming. So every part carries the id of its answer, and the next call finds its place in the
 * session by that id, whatever the SDK did to the text.
 */
import type {
  AgentSession,
  AnswerEndReason,
  ChatPart,
  SessionAnswer,
  SessionRequest,
} from "../../spec/index.ts";
import type {
  LanguageModelV3,
  V3CallOptions,
  V3Content,
  V3FinishReason,
  V3GenerateResult,
  V3Metadata,
  V3StreamPart,
  V3Usage,
  V3Warning,
} from "./language-model-v3.ts";
import {
  answerMetadata,
  listSettingWarnings,
  PROVIDER,
  toSessionRequest,
} from "./session-request.ts";

/** Options of the language model that wraps a session. */
export interface LanguageModelOptions {
  /** The name of the model in the SDK. The default is "policy". */
  readonly modelId?: string;
  /**
   * True when the session is used for training. Then a stream arrives all at once. When false, text streams while it is
   * sampled. The default is true. An agent that sets what its session does not obey, as sampling settings during
   * training, gets a warning either way.
   */
  readonly training?: boolean;
}

/**
 * Wraps a session as a model for `generateText`, `streamText` and everything else that takes a `LanguageModelV3`. Calls
 * may overlap.
 */
export function languageModel(
  session: AgentSession,
  { modelId = "policy", training = true }: LanguageModelOptions = {},
): LanguageModelV3 {
  // The SDK prints every warning that it gets, so each model warns only once about a setting.
  const warned = new Set<string>();
  const listNewWarnings = (options: V3CallOptions, request: SessionRequest): V3Warning[] => {
    const ignored = session.listIgnoredSettings(request);
    return listSettingWarnings(options, ignored).filter(({ feature }) => {
      const isNew = !warned.has(feature);
      warned.add(feature);
      return isNew;
    });
  };
  const requestAnswer = async (
    request: SessionRequest,
    signal: AbortSignal | undefined,
    onText?: (text: string) => void,
  ) => {
    signal?.throwIfAborted();
    const answer = await session.respond(request, {
      ...(signal && { signal }),
      ...(onText && { onText }),
    });
    if (answer.end === "cancelled") throw createCancellationError(signal);
    return answer;
  };
  return {
    specificationVersion: "v3",
    provider: PROVIDER,
    modelId,
    supportedUrls: {},
    doGenerate: async (options) => {
      options.abortSignal?.throwIfAborted();
      const request = toSessionRequest(options);
      const answer = await requestAnswer(request, options.abortSignal);
      return createGenerateResult(answer, listNewWarnings(options, request), modelId);
    },
    doStream: async (options) => {
      const request = toSessionRequest(options);
      const head = { type: "stream-start", warnings: listNewWarnings(options, request) } as const;
      if (training) {
        return {
          stream: streamAtOnce([
            head,
            ...listStreamParts(await requestAnswer(request, options.abortSignal), modelId, ""),
          ]),
        };
      }
      const answerUntilClosed = (readerGone: AbortSignal, onText: (text: string) => void) =>
        requestAnswer(
          request,
          AbortSignal.any([readerGone, options.abortSignal ?? readerGone]),
          onText,
        );
      return { stream: streamWhileSampling(head, answerUntilClosed, modelId) };
    },
  };
}

function createCancellationError(signal: AbortSignal | undefined): unknown {
  return signal?.reason ?? new DOMException("the call was cancelled", "AbortError");
}

function createGenerateResult(
  answer: SessionAnswer,
  warnings: V3Warning[],
  modelId: string,
): V3GenerateResult {
  const mark = answerMetadata(answer.id);
  return {
    content: answer.parts.flatMap((part) => toV3Content(part, mark)),
    finishReason: toFinishReason(answer.end),
    usage: toV3Usage(answer),
    warnings,
    providerMetadata: mark,
    response: { id: answer.id, timestamp: new Date(), modelId },
  };
}

function toV3Content(part: ChatPart, providerMetadata: V3Metadata): V3Content[] {
  if (part.type === "tool-result") return [];
  if (part.type !== "tool-call") return [{ type: part.type, text: part.text, providerMetadata }];
  const { id, name, arguments: input } = part;
  return [{ type: "tool-call", toolCallId: id, toolName: name, input, providerMetadata }];
}

function toFinishReason(end: AnswerEndReason): V3FinishReason {
  return { unified: end === "cancelled" ? "stop" : end, raw: end };
}

function toV3Usage({ usage }: SessionAnswer): V3Usage {
  const { promptTokens, cachedTokens, completionTokens, reasoningTokens } = usage;
  return {
    inputTokens: {
      total: promptTokens,
      noCache: promptTokens - cachedTokens,
      cacheRead: cachedTokens,
      cacheWrite: undefined,
    },
    outputTokens: {
      total: completionTokens,
      text: completionTokens - reasoningTokens,
      reasoning: reasoningTokens,
    },
  };
}

/** The id of the text part that is streamed while it is sampled. */
const LIVE_PART_ID = "live";

/** Returns the answer as parts of a stream. `streamedText` is the text that was already streamed in the part `live`. */
function listStreamParts(
  answer: SessionAnswer,
  modelId: string,
  streamedText: string,
): V3StreamPart[] {
  const mark = answerMetadata(answer.id);
  const texts = answer.parts.filter((part) => part.type === "text").map(({ text }) => text);
  const rest = texts.join("").slice(streamedText.length);
  const opened: V3StreamPart[] =
    streamedText === ""
      ? []
      : [
          ...(rest === "" ? [] : [{ type: "text-delta" as const, id: LIVE_PART_ID, delta: rest }]),
          { type: "text-end", id: LIVE_PART_ID, providerMetadata: mark },
        ];
  const parts = answer.parts.filter((part) => streamedText === "" || part.type !== "text");
  return [
    { type: "response-metadata", id: answer.id, timestamp: new Date(), modelId },
    ...opened,
    ...parts.flatMap((part, i) => toStreamParts(part, String(i), mark)),
    {
      type: "finish",
      usage: toV3Usage(answer),
      finishReason: toFinishReason(answer.end),
      providerMetadata: mark,
    },
  ];
}

function toStreamParts(part: ChatPart, id: string, providerMetadata: V3Metadata): V3StreamPart[] {
  if (part.type === "tool-result") return [];
  if (part.type === "tool-call") {
    const { id: call, name, arguments: input } = part;
    return [
      { type: "tool-input-start", id: call, toolName: name },
      { type: "tool-input-delta", id: call, delta: input },
      { type: "tool-input-end", id: call },
      { type: "tool-call", toolCallId: call, toolName: name, input, providerMetadata },
    ];
  }
  return [
    { type: `${part.type}-start`, id, providerMetadata },
    { type: `${part.type}-delta`, id, delta: part.text },
    { type: `${part.type}-end`, id, providerMetadata },
  ];
}

function streamAtOnce(parts: V3StreamPart[]): ReadableStream<V3StreamPart> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

/**
 * Streams text while it is sampled. An error becomes the last part of the stream. When the reader cancels the stream,
 * sampling stops.
 */
function streamWhileSampling(
  head: V3StreamPart,
  answer: (signal: AbortSignal, onText: (text: string) => void) => Promise<SessionAnswer>,
  modelId: string,
): ReadableStream<V3StreamPart> {
  const readerGone = new AbortController();
  return new ReadableStream<V3StreamPart>({
    async start(controller) {
      const enqueuePart = (part: V3StreamPart) => {
        if (!readerGone.signal.aborted) controller.enqueue(part);
      };
      let streamedText = "";
      enqueuePart(head);
      try {
        const sessionAnswer = await answer(readerGone.signal, (delta) => {
          if (streamedText === "") enqueuePart({ type: "text-start", id: LIVE_PART_ID });
          streamedText += delta;
          enqueuePart({ type: "text-delta", id: LIVE_PART_ID, delta });
        });
        for (const part of listStreamParts(sessionAnswer, modelId, streamedText)) enqueuePart(part);
      } catch (error) {
        enqueuePart({ type: "error", error });
      }
      if (!readerGone.signal.aborted) controller.close();
    },
    cancel: (reason) => readerGone.abort(reason),
  });
}
