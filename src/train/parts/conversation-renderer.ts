/**
 * The renderer by which a policy is talked to as a chat model: in its own template, that of a model made here included.
 */
import { type ConversationRenderer, conversationRenderer } from "../../agent/index.ts";
import type { ModelText } from "../../text/index.ts";

/**
 * `thinking`: of models that may think before they answer (Qwen3); absent: as the template has it. Throws a
 * `checkpoint` error where there is no template, or its turns cannot be told apart.
 */
export function createConversationRenderer(
  { chatTemplate, tokenizer, generation }: ModelText,
  { thinking }: { readonly thinking?: boolean } = {},
): ConversationRenderer {
  return conversationRenderer({
    template: chatTemplate(),
    tokenizer,
    stopIds: generation.stopIds,
    ...(thinking !== undefined && { variables: { enable_thinking: thinking } }),
  });
}
