/** A tokenizer without training or files: one token a byte. */
import { BowlineError } from "../core/index.ts";
import type { Tokenizer } from "../spec/index.ts";
import { SPECIAL_TOKENS } from "../text/index.ts";

/** UTF-8 bytes after the four special tokens: id = byte + 4, vocabulary 260. Special tokens decode to their names. */
export function byteTokenizer(): Tokenizer {
  const first = SPECIAL_TOKENS.length;
  return {
    vocabularySize: first + 256,
    encode: (text) => Array.from(new TextEncoder().encode(text), (byte) => byte + first),
    decode: (ids) => {
      const bytes = ids.flatMap((id) =>
        id >= first ? [id - first] : [...new TextEncoder().encode(SPECIAL_TOKENS[id])],
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
