/**
 * The text files of a model that Bowline trains from scratch, in the formats of published models: the tokenizer, the
 * chat template and the tokens that end a turn. Checkpoints and exports contain them, so that other programs can read
 * them.
 *
 * Tokenizers that are trained here work on bytes, so such a model accepts any text, even if it has not learned to read
 * it.
 */
import { formatJson } from "../../core/index.ts";
import type { ChatTemplate, Tokenizer } from "../../spec/index.ts";
import { compileTemplate } from "../jinja/index.ts";
import { modelFilesFromTexts } from "../model-directory/model-files.ts";
import { type ModelText, modelTextFromFiles } from "../model-directory/model-text.ts";
import { loadTokenizer } from "../tokenizer/load-tokenizer.ts";
import { CHAT_TEMPLATE, CHAT_TOKENS } from "./chat-template.ts";

/** The chat format of a new model. */
export interface ChatFormat {
  /** The chat template in Jinja. */
  readonly template: string;
  /** The special token that ends a turn. */
  readonly end: string;
  /** The special token that fills a batch. */
  readonly pad: string;
  /** The context length of the model in tokens. */
  readonly contextLength: number;
}

/** Returns the contents of `chat_template.jinja`, `generation_config.json` and `tokenizer_config.json` by file name. */
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
      // Older programs look for the template only here.
      chat_template: template,
    }),
  };
}

/** Returns the texts of a new model. Throws a `config` error if the tokenizer lacks a token of the format. */
export function createNewModelText(tokenizerJson: string, format: ChatFormat): ModelText {
  const tokenizer = loadTokenizer(tokenizerJson);
  const files = { ...createNewModelTextFiles(tokenizer, format), "tokenizer.json": tokenizerJson };
  return modelTextFromFiles(
    modelFilesFromTexts("the model made here", files),
    tokenizer.vocabularySize,
  );
}

/** Returns the chat format for a tokenizer with `CHAT_TOKENS`. */
export function defaultChatFormat(contextLength: number): ChatFormat {
  return { template: CHAT_TEMPLATE, end: CHAT_TOKENS[2], pad: CHAT_TOKENS[0], contextLength };
}

/** Compiles the template of new models, for use before there is a tokenizer. */
export function compileNewModelChatTemplate(): ChatTemplate {
  const template = compileTemplate(CHAT_TEMPLATE, "the chat template of models made here");
  return {
    render: (messages, { tools, addGenerationPrompt = false } = {}) =>
      template.render({
        messages,
        tools: tools ?? null,
        add_generation_prompt: addGenerationPrompt,
      }),
    readsVariable: () => false,
  };
}
