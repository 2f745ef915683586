/** Splits an answer into blocks, and joins the text of its parts. */
import type { ChatPart, SessionAnswer } from "../../spec/index.ts";

export type Block = Exclude<ChatPart, { readonly type: "tool-result" }>;

/**
 * Returns the answer's parts as blocks, in order. If text was streamed while it was sampled, all text is the first
 * block, because a stream cannot go back; the parts before the text then follow it.
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
