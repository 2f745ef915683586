/**
 * What the trainer and `tokenizer.json` must agree on: how text is cut before merges, and how bytes are written.
 *
 * Text is cut at whitespace, quotes, digits and closing punctuation; a merge never crosses a cut. So a word has the
 * same tokens in a sentence and in a quoted string (a small model can then copy a name from an instruction into code
 * token by token), a number is a sequence of digits, and a stretch of code such as `.push(...r.items)` may become one
 * token: against cuts at every change of letters and punctuation, that halves the tokens that an agent has to sample.
 */

/** Special tokens and their ids. Text never encodes to them. */
export const SPECIAL_TOKENS = ["<|pad|>", "<|task|>", "<|code|>", "<|run|>"] as const;

/**
 * In the syntax that `tokenizer.json` and JavaScript share: whitespace, one digit, one quote, punctuation at the end of
 * a word, or a run of anything else up to the next of these.
 */
const WORD_END = "[.,;:!?]+(?=\\s|$)";
export const PIECE_PATTERN = `\\s+|\\p{N}|["']|${WORD_END}|(?:(?!${WORD_END})[^\\s\\p{N}"'])+`;

const PIECES = new RegExp(PIECE_PATTERN, "gu");

export function splitIntoPieces(text: string): string[] {
  return text.match(PIECES) ?? [];
}

/**
 * Each byte as one printable character: bytes that print in Latin-1 stand for themselves, the others follow from
 * U+0100 on. This is the byte-level convention of GPT-2 that the `ByteLevel` parts of `tokenizer.json` refer to.
 */
export const BYTE_CHARACTERS: readonly string[] = createByteCharacters();

function createByteCharacters(): string[] {
  const prints = (byte: number) =>
    (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xff && byte !== 0xad);
  let next = 0x100;
  return Array.from({ length: 256 }, (_, byte) =>
    String.fromCharCode(prints(byte) ? byte : next++),
  );
}

/** The UTF-8 bytes of `text`, each as its character. */
export function toByteCharacters(text: string): string[] {
  return Array.from(Buffer.from(text, "utf8"), (byte) => BYTE_CHARACTERS[byte]!);
}

/** The model section of a `tokenizer.json` that merges byte pairs and nothing else, but for its vocabulary and merges. */
export const PLAIN_BPE = {
  type: "BPE",
  dropout: null,
  unk_token: null,
  continuing_subword_prefix: null,
  end_of_word_suffix: null,
  fuse_unk: false,
} as const;
