/** A tokenizer with one token for each byte, which needs no training and no files. */
import { BowlineError } from "../core/index.ts";
import type { Tokenizer } from "../spec/index.ts";
import { SPECIAL_TOKENS } from "../text/index.ts";

/**
 * Returns a tokenizer of UTF-8 bytes. The four special tokens come first, so an id is the byte + 4 and the vocabulary
 * has 260 tokens. Special tokens decode to their names.
 */
export function byteTokenizer(): Tokenizer {
  const byteOffset = SPECIAL_TOKENS.length;
  return {
    vocabularySize: byteOffset + 256,
    encode: (text) => Array.from(new TextEncoder().encode(text), (byte) => byte + byteOffset),
    decode: (ids) => {
      const bytes = ids.flatMap((id) =>
        id >= byteOffset ? [id - byteOffset] : [...new TextEncoder().encode(SPECIAL_TOKENS[id])],
      );
      return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(bytes));
    },
    special: (name) => {
      const id = (SPECIAL_TOKENS as readonly string[]).indexOf(name);
      if (id >= 0) return id;
      const expected = SPECIAL_TOKENS.join(" ");
      throw new BowlineError("config", `no special token ${name}; expected one of ${expected}`);
    },
  };
}
