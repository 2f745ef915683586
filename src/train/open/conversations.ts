/** The renderer by which a policy is talked to as a chat model: its own template, or the markers of a model made here. */
import {
  COMPACT_TEMPLATE,
  type ConversationRenderer,
  conversationRenderer,
} from "../../agent/index.ts";
import { compileTemplate, loadTokenizer } from "../../text/index.ts";
import { type ModelSource, textOf } from "./model-source.ts";

/** `tokenizerJson`: of the policy. Throws a `checkpoint` error where there is no template, or its turns cannot be told apart. */
export function conversationsOf(
  source: ModelSource,
  tokenizerJson: () => string,
): ConversationRenderer {
  const text = textOf(source);
  if (text !== undefined) {
    const { tokenizer, generation } = text;
    const template = text.chatTemplate();
    return conversationRenderer({ template, tokenizer, stopIds: generation.stopIds });
  }
  const tokenizer = loadTokenizer(tokenizerJson());
  const compiled = compileTemplate(COMPACT_TEMPLATE, "the template of models made here");
  const template = {
    render: (messages: readonly unknown[], { addGenerationPrompt = false } = {}) =>
      compiled.render({ messages, add_generation_prompt: addGenerationPrompt }),
  };
  return conversationRenderer({ template, tokenizer, stopIds: [] });
}
