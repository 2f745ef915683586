/** An answer as the blocks that dialects with blocks send, in order. */
import type { ChatPart, SessionAnswer } from "../../spec/index.ts";

export type Block = Exclude<ChatPart, { readonly type: "tool-result" }>;

/**
 * The answer's parts. Where text was told while it was made it is the first block, in one piece, for a stream cannot go
 * back; what the session writes before its text then follows it.
 */
export function answerBlocks({ parts }: SessionAnswer, streamedText = ""): Block[] {
  const blocks = parts.filter(
    (part): part is Block =>
      part.type !== "tool-result" && (part.type === "tool-call" || part.text !== ""),
  );
  if (streamedText === "") return blocks;
  return [{ type: "text", text: joinText(parts) }, ...blocks.filter(({ type }) => type !== "text")];
}

export function joinText(parts: readonly ChatPart[]): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

export function joinReasoning(parts: readonly ChatPart[]): string {
  return parts.map((part) => (part.type === "reasoning" ? part.text : "")).join("");
}

export type ToolCallPart = Extract<ChatPart, { readonly type: "tool-call" }>;

export function filterToolCalls(parts: readonly ChatPart[]): ToolCallPart[] {
  return parts.filter((part) => part.type === "tool-call");
}
