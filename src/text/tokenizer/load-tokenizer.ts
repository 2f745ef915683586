/**
 * Loads a `tokenizer.json` as a Tokenizer.
 *
 * Special tokens are not looked for in text, so text that looks like one (`<|run|>` in a message) stays text. Added
 * tokens that are not special (Qwen's `<tool_call>`) are words that text may contain. Tokenizers that are trained here
 * are exact for well-formed Unicode: decode(encode(x)) = x. A lone surrogate becomes U+FFFD.
 */
import { BowlineError } from "../../core/index.ts";
import type { Tokenizer } from "../../spec/index.ts";
import { type AddedToken, parseTokenizerFile } from "./format/tokenizer-format.ts";
import { createTokenizerRunner } from "./tokenizer-runner.ts";

/** A tokenizer from a `tokenizer.json`. */
export interface FileTokenizer extends Tokenizer {
  /**
   * Returns the ids of a rendered chat template, in which the text of a special token becomes that token. It equals
   * transformers' `encode(text, add_special_tokens=False)`. It must not be used for text from other people.
   */
  encodeRendered(text: string): readonly number[];
  /** The ids of the special tokens by their text. */
  readonly specials: ReadonlyMap<string, number>;
  /** All added tokens, in the order of the file. */
  readonly addedTokens: readonly AddedToken[];
}

/**
 * Loads a tokenizer. Throws a `checkpoint` error if the JSON is invalid or asks for something that is not supported.
 */
export function loadTokenizer(json: string): FileTokenizer {
  const runner = createTokenizerRunner(parseTokenizerFile(json));
  const special = runner.addedTokens.filter((token) => token.special);
  const specials = new Map(special.map(({ content, id }) => [content, id]));
  return {
    vocabularySize: runner.vocabularySize,
    encode: runner.encodeAsText,
    decode: (ids) => runner.decode(ids),
    encodeRendered: runner.encode,
    specials,
    addedTokens: runner.addedTokens,
    special(name) {
      const id = specials.get(name);
      if (id !== undefined) return id;
      const known = [...specials.keys()].join(", ");
      throw new BowlineError(
        "config",
        `tokenizer.json has no special token ${name}; it has ${known}`,
      );
    },
  };
}
