/** Creates the renderer that writes chat conversations in the model's own chat template. */
import { type ConversationRenderer, conversationRenderer } from "../../agent/index.ts";
import { createBackgroundEncoder, type ModelText } from "../../text/index.ts";
import type { Config } from "../config/config.ts";
import { datedChatTemplate } from "./prompt-date.ts";

/**
 * Creates the renderer. The configuration decides the date. `thinking` tells a model that can think before it answers,
 * such as Qwen3, whether to do so. By default the template decides. Throws a `checkpoint` error when the model has no
 * template, or when its turns cannot be told apart.
 */
export function createConversationRenderer(
  text: ModelText,
  config: Pick<Config, "scaffold">,
  { thinking }: { readonly thinking?: boolean } = {},
): ConversationRenderer {
  return conversationRenderer({
    template: datedChatTemplate(text, config),
    tokenizer: text.tokenizer,
    stopIds: text.generation.stopIds,
    encodeInBackground: createBackgroundEncoder(text.tokenizerJson),
    ...(thinking !== undefined && { variables: { enable_thinking: thinking } }),
  });
}
