/**
 * The texts of a model that was made here, in the form of a published model's: its tokenizer, a chat template, where a
 * turn ends. A checkpoint and an export keep them as the files that other programs know.
 *
 * Tokenizers made here are over bytes, so any text can be sent to such a model; what was in no demonstration it has merely
 * never learned to read.
 */
import { formatJson } from "../../core/index.ts";
import type { ChatTemplate, Tokenizer } from "../../spec/index.ts";
import { compileTemplate } from "../jinja/index.ts";
import { modelFilesFromTexts } from "../model-directory/model-files.ts";
import { type ModelText, modelTextFromFiles } from "../model-directory/model-text.ts";
import { loadTokenizer } from "../tokenizer/load-tokenizer.ts";
import { CHAT_TEMPLATE, CHAT_TOKENS } from "./chat-template.ts";

export interface ChatFormat {
  readonly template: string;
  /** Special tokens: what ends a turn, and what fills a batch. */
  readonly end: string;
  readonly pad: string;
  /** Of the model, in tokens. */
  readonly contextLength: number;
}

/** `chat_template.jinja`, `generation_config.json` and `tokenizer_config.json`, to stand beside the tokenizer's file. */
export function createNewModelTextFiles(
  { special }: Pick<Tokenizer, "special">,
  { template, end, pad, contextLength }: ChatFormat,
): Readonly<Record<string, string>> {
  return {
    "chat_template.jinja": template,
    "generation_config.json": formatJson({
      eos_token_id: special(end),
      pad_token_id: special(pad),
    }),
    "tokenizer_config.json": formatJson({
      tokenizer_class: "PreTrainedTokenizerFast",
      model_max_length: contextLength,
      eos_token: end,
      pad_token: pad,
      clean_up_tokenization_spaces: false,
      // Older readers know only this place.
      chat_template: template,
    }),
  };
}

/** Throws a `config` error when the tokenizer lacks one of the tokens. */
export function createNewModelText(tokenizerJson: string, format: ChatFormat): ModelText {
  const tokenizer = loadTokenizer(tokenizerJson);
  const files = { ...createNewModelTextFiles(tokenizer, format), "tokenizer.json": tokenizerJson };
  return modelTextFromFiles(
    modelFilesFromTexts("the model made here", files),
    tokenizer.vocabularySize,
  );
}

/** The way of a tokenizer with `CHAT_TOKENS`. */
export function defaultChatFormat(contextLength: number): ChatFormat {
  return { template: CHAT_TEMPLATE, end: CHAT_TOKENS[2], pad: CHAT_TOKENS[0], contextLength };
}

/** The template by itself, before there is a tokenizer. */
export function compileNewModelChatTemplate(): ChatTemplate {
  const template = compileTemplate(CHAT_TEMPLATE, "the chat template of models made here");
  return {
    render: (messages, { tools, addGenerationPrompt = false } = {}) =>
      template.render({
        messages,
        tools: tools ?? null,
        add_generation_prompt: addGenerationPrompt,
      }),
  };
}
