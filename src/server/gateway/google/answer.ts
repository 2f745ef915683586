/**
 * Builds the answer of Google's `generateContent`: a candidate with parts, or the chunks of a stream. A stream is a
 * list of server-sent events for requests with `alt=sse`, and otherwise a JSON list. Thoughts are sent to clients that
 * ask for them. The signature of a part, which clients send back, has the id of the answer.
 */
import { parseExactJson, printExactJson } from "../../../core/index.ts";
import type { SessionAnswer } from "../../../spec/index.ts";
import { answerBlocks, type Block } from "../answer-blocks.ts";
import type { AnswerMetadata, AnswerStream, ParsedCall } from "../dialect.ts";
import type { GatewayError } from "../gateway-error.ts";
import { createSignature } from "../signature.ts";
import type { GoogleRequestBody } from "./format.ts";

export function buildAnswer(
  answer: SessionAnswer,
  parsed: ParsedCall,
  metadata: AnswerMetadata,
): object {
  const parts = toParts(answerBlocks(answer), answer, parsed);
  return buildChunk(parts, metadata, buildEnd(answer, parsed));
}

/** How a stream writes its chunks. */
export interface StreamForm {
  readonly writeChunk: (chunk: string, isFirst: boolean) => string;
  readonly end: string;
}

export const EVENT_FORM: StreamForm = { writeChunk: (chunk) => `data: ${chunk}\n\n`, end: "" };
export const LIST_FORM: StreamForm = {
  writeChunk: (chunk, isFirst) => `${isFirst ? "[" : ",\n"}${chunk}`,
  end: "]",
};

export function streamAnswer(
  parsed: ParsedCall,
  metadata: AnswerMetadata,
  { writeChunk, end }: StreamForm,
): AnswerStream {
  let streamedText = "";
  let isFirst = true;
  const write = (chunk: object) => {
    const text = writeChunk(printExactJson(chunk), isFirst);
    isFirst = false;
    return text;
  };
  return {
    writeText(delta) {
      streamedText += delta;
      return write(buildChunk([{ text: delta }], metadata));
    },
    finish(answer) {
      const blocks = answerBlocks(answer, streamedText).map((block, i) =>
        streamedText !== "" && i === 0 && block.type === "text"
          ? { ...block, text: block.text.slice(streamedText.length) }
          : block,
      );
      const parts = toParts(blocks, answer, parsed);
      return write(buildChunk(parts, metadata, buildEnd(answer, parsed))) + end;
    },
    writeError: (failure) => write(buildError(failure)) + end,
  };
}

const STATUS_NAMES: { readonly [status: number]: string } = {
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  408: "DEADLINE_EXCEEDED",
  500: "INTERNAL",
};

export function buildError({ status, message, code, param }: GatewayError): object {
  const info = {
    "@type": "type.googleapis.com/google.rpc.ErrorInfo",
    reason: code.toUpperCase(),
    domain: "bowline",
    ...(param !== undefined && { metadata: { field: param } }),
  };
  const name = STATUS_NAMES[status] ?? "INVALID_ARGUMENT";
  return { error: { code: status, message, status: name, details: [info] } };
}

interface ChunkEnd {
  readonly candidate?: object;
  readonly usageMetadata?: object;
}

function buildChunk(
  parts: readonly object[],
  { id, model, createdSeconds }: AnswerMetadata,
  { candidate, usageMetadata }: ChunkEnd = {},
): object {
  return {
    candidates: [{ content: { role: "model", parts }, index: 0, ...candidate }],
    ...(usageMetadata && { usageMetadata }),
    modelVersion: model,
    responseId: id,
    createTime: new Date(createdSeconds * 1000).toISOString(),
  };
}

/** Clients drop a content without parts, so an answer without words has an empty text. */
function toParts(blocks: readonly Block[], answer: SessionAnswer, parsed: ParsedCall): object[] {
  const hasThoughts = readConfig(parsed)?.thinkingConfig?.includeThoughts === true;
  const shown = blocks.filter(({ type }) => hasThoughts || type !== "reasoning");
  const kept = shown.length > 0 ? shown : [{ type: "text" as const, text: "" }];
  const firstCall = kept.findIndex(({ type }) => type === "tool-call");
  const signed = firstCall < 0 ? kept.length - 1 : firstCall;
  return kept.map((block, i) => ({
    ...toPart(block),
    ...(i === signed && { thoughtSignature: createSignature(answer.id) }),
  }));
}

function toPart(block: Block): object {
  if (block.type === "tool-call") {
    const { id, name } = block;
    return { functionCall: { id, name, args: parseArguments(block.arguments) } };
  }
  return { text: block.text, ...(block.type === "reasoning" && { thought: true }) };
}

/** Parses the arguments of a call. They stay a map, which keeps the source of numbers. */
function parseArguments(json: string): object {
  try {
    const args = parseExactJson(json);
    return args instanceof Map ? args : {};
  } catch {
    return {};
  }
}

function readConfig({ body }: ParsedCall): GoogleRequestBody["generationConfig"] {
  return (body as Partial<GoogleRequestBody>).generationConfig;
}

function buildEnd(answer: SessionAnswer, parsed: ParsedCall): Required<ChunkEnd> {
  const { promptTokens, cachedTokens, completionTokens, reasoningTokens } = answer.usage;
  return {
    candidate: {
      finishReason: answer.end === "length" ? "MAX_TOKENS" : "STOP",
      ...(readConfig(parsed)?.responseLogprobs && buildLogprobs(answer)),
    },
    usageMetadata: {
      promptTokenCount: promptTokens,
      cachedContentTokenCount: cachedTokens,
      candidatesTokenCount: completionTokens - reasoningTokens,
      thoughtsTokenCount: reasoningTokens,
      totalTokenCount: promptTokens + completionTokens,
    },
  };
}

/** Log-probs name ids, because a token is not always a text. */
function buildLogprobs({ tokens }: SessionAnswer): object {
  const { ids, logprobs } = tokens;
  const chosenCandidates = ids.map((id, i) => ({
    token: `token_id:${id}`,
    tokenId: id,
    logProbability: logprobs[i],
  }));
  const sum = logprobs.reduce((total, one) => total + one, 0);
  return { avgLogprobs: sum / Math.max(1, ids.length), logprobsResult: { chosenCandidates } };
}
