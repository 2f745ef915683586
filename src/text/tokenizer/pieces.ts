/**
 * How text is cut into pieces before merges, and how bytes are written. The trainer and its `tokenizer.json` share
 * this.
 *
 * Text is cut at whitespace, quotes, digits and closing punctuation, and a merge never crosses a cut. So a word has the
 * same tokens in a sentence and in a quoted string, which lets a small model copy a name from an instruction into code
 * token by token. A number is a sequence of digits. Code such as `.push(...r.items)` may become one token: compared
 * with cuts between letters and punctuation, this halves the number of tokens that an agent samples.
 */

/** The special tokens of the compact scaffold, by id. Text never encodes to them. */
export const SPECIAL_TOKENS = ["<|pad|>", "<|task|>", "<|code|>", "<|run|>"] as const;

const WORD_END = "[.,;:!?]+(?=\\s|$)";
/**
 * The pattern of a piece: whitespace, one digit, one quote, punctuation at the end of a word, or anything else up to
 * the next of these. It uses syntax that `tokenizer.json` and JavaScript share.
 */
export const PIECE_PATTERN = `\\s+|\\p{N}|["']|${WORD_END}|(?:(?!${WORD_END})[^\\s\\p{N}"'])+`;

const PIECE_REGEXP = new RegExp(PIECE_PATTERN, "gu");

export function splitIntoPieces(text: string): string[] {
  return text.match(PIECE_REGEXP) ?? [];
}

/**
 * The printable character of each byte. A byte that is printable in Latin-1 is that character, and the others are
 * characters from U+0100 on. This is GPT-2's convention, which the `ByteLevel` parts of `tokenizer.json` use.
 */
export const BYTE_CHARACTERS: readonly string[] = createByteCharacters();

function createByteCharacters(): string[] {
  const isPrintable = (byte: number) =>
    (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xff && byte !== 0xad);
  let next = 0x100;
  return Array.from({ length: 256 }, (_, byte) =>
    String.fromCharCode(isPrintable(byte) ? byte : next++),
  );
}

/** Returns the UTF-8 bytes of `text` as their characters. */
export function toByteCharacters(text: string): string[] {
  return Array.from(Buffer.from(text, "utf8"), (byte) => BYTE_CHARACTERS[byte]!);
}

/** The `model` section of a `tokenizer.json` for plain byte-pair encoding, without vocabulary and merges. */
export const PLAIN_BPE = {
  type: "BPE",
  dropout: null,
  unk_token: null,
  continuing_subword_prefix: null,
  end_of_word_suffix: null,
  fuse_unk: false,
} as const;
