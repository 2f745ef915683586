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

/** Returns the UTF-8 bytes of `text` as one text of their characters. */
export function toByteText(text: string): string {
  let characters = "";
  for (const byte of Buffer.from(text, "utf8")) characters += BYTE_CHARACTERS[byte];
  return characters;
}

/** The byte of each code unit below U+0144, or -1. */
const BYTES = Int16Array.from({ length: 0x144 }, (_, code) =>
  BYTE_CHARACTERS.indexOf(String.fromCharCode(code)),
);

/** Returns the bytes that a token's characters stand for, or its UTF-8 if one of them stands for no byte. */
export function tokenBytes(token: string): Uint8Array {
  const bytes = new Uint8Array(token.length);
  for (let i = 0; i < token.length; i++) {
    const byte = BYTES[token.charCodeAt(i)] ?? -1;
    if (byte < 0) return Buffer.from(token, "utf8");
    bytes[i] = byte;
  }
  return bytes;
}
