/** Tools in a model's own format: how a template writes them, and what a sampled answer says. */
export { toTemplateMessages, toTemplateTool } from "./chat-messages.ts";
export * from "./conversation-renderer.ts";
export type { EncodedTexts } from "./encoded-texts.ts";
export { CALL_STATUSES, type CallStatus, type ReadAnswer, type ReadPart } from "./read-answer.ts";
export type { ToolFormat } from "./tool-format.ts";
