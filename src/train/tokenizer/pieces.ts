/**
 * What the trainer and `tokenizer.json` must agree on: how text is cut before merges, and how bytes are written.
 *
 * Text is cut into runs of letters, single digits, runs of whitespace and runs of anything else; a merge never crosses
 * a cut. So a word has the same tokens after a space, a quote or a bracket (a small model can then copy a name from an
 * instruction into code token by token), and a number is a sequence of digits.
 */

/** Special tokens and their ids. Text never encodes to them. */
export const SPECIAL_TOKENS = ["<|pad|>", "<|task|>", "<|code|>", "<|run|>"] as const;

/** In the syntax that `tokenizer.json` and JavaScript share. */
export const PIECE_PATTERN = "\\p{L}+|\\p{N}|\\s+|[^\\s\\p{L}\\p{N}]+";

const PIECES = new RegExp(PIECE_PATTERN, "gu");

export function piecesOf(text: string): string[] {
  return text.match(PIECES) ?? [];
}

/**
 * Each byte as one printable character: bytes that print in Latin-1 stand for themselves, the others follow from
 * U+0100 on. This is the byte-level convention of GPT-2 that the `ByteLevel` parts of `tokenizer.json` refer to.
 */
export const BYTE_CHARACTERS: readonly string[] = byteCharacters();

function byteCharacters(): string[] {
  const prints = (byte: number) =>
    (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xff && byte !== 0xad);
  let next = 0x100;
  return Array.from({ length: 256 }, (_, byte) =>
    String.fromCharCode(prints(byte) ? byte : next++),
  );
}

/** The UTF-8 bytes of `text`, each as its character. */
export function byteLevel(text: string): string[] {
  return Array.from(Buffer.from(text, "utf8"), (byte) => BYTE_CHARACTERS[byte]!);
}
