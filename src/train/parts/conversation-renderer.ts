/** Creates the renderer of chat conversations with a model, in the model's own chat template. */
import { type ConversationRenderer, conversationRenderer } from "../../agent/index.ts";
import type { ModelText } from "../../text/index.ts";

/**
 * Creates the renderer. `thinking` tells models that can think before they answer, such as Qwen3, whether to; by
 * default the template decides. Throws a `checkpoint` error when there is no template, or its turns cannot be told
 * apart.
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
