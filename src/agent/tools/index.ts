/** Tools in the model's own words: what a template writes of them, and what a sampled answer says. */
export { toTemplateMessages, toTemplateTool } from "./chat-messages.ts";
export * from "./conversation-renderer.ts";
export { CALL_STATUSES, type CallStatus, type ReadAnswer, type ReadPart } from "./read-answer.ts";
export type { ToolFormat } from "./tool-format.ts";
