/** Creates the decoder of a `tokenizer.json`, which turns tokens into a text. */
import type { DecoderPart } from "../format/decoder-tables.ts";
import { tokenBytes } from "./byte-characters.ts";
import { replaceMatches } from "./segment.ts";

/** Turns tokens into texts that belong together in this order. */
export type Decoder = (tokens: readonly string[]) => readonly string[];

/** The decoder of `TextDecoder` would drop U+FEFF at the start, and it replaces invalid bytes as Rust does. */
const lossyUtf8 = new TextDecoder("utf-8", { ignoreBOM: true });
const strictUtf8 = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });

export function createDecoder(part: DecoderPart): Decoder {
  switch (part.type) {
    case "Sequence": {
      const decoders = part.decoders.map(createDecoder);
      return (tokens) => decoders.reduce((one, decode) => decode(one), tokens);
    }
    case "ByteLevel":
      return (tokens) => [lossyUtf8.decode(Buffer.concat(tokens.map(tokenBytes)))];
    case "ByteFallback":
      return decodeByteTokens;
    case "Fuse":
      return (tokens) => [tokens.join("")];
    case "BPEDecoder":
      return (tokens) =>
        tokens.map((token, i) => token.replaceAll(part.suffix, i === tokens.length - 1 ? "" : " "));
    case "CTC":
      return createCtcDecoder(part);
    default:
      return createTokenDecoder(part);
  }
}

/** Creates a decoder that changes each token by itself. */
function createTokenDecoder(
  part: Extract<DecoderPart, { type: "Metaspace" | "Replace" | "Strip" | "WordPiece" }>,
): Decoder {
  switch (part.type) {
    case "Metaspace": {
      const first = part.prepend_scheme === "never" ? " " : "";
      return (tokens) =>
        tokens.map((token, i) => token.replaceAll(part.replacement, i === 0 ? first : " "));
    }
    case "Replace":
      return (tokens) =>
        tokens.map(
          (token) =>
            replaceMatches({ text: token, head: 0 }, part.pattern.expression, part.content).text,
        );
    case "Strip":
      return (tokens) => tokens.map((token) => stripToken(token, part));
    case "WordPiece":
      return (tokens) =>
        tokens.map((token, i) => {
          const joined = i === 0 ? token : joinWordPiece(token, part.prefix);
          return part.cleanup ? cleanUp(joined) : joined;
        });
  }
}

/** Turns rows of bytes such as `<0x41>` into text. If a row is not UTF-8, each byte becomes U+FFFD. */
function decodeByteTokens(tokens: readonly string[]): string[] {
  const out: string[] = [];
  let bytes: number[] = [];
  const addBytes = () => {
    if (bytes.length > 0) out.push(decodeStrictly(bytes));
    bytes = [];
  };
  for (const token of tokens) {
    const digits = /^<0x([0-9A-Fa-f]{2}|\+[0-9A-Fa-f])>$/.exec(token)?.[1];
    if (digits !== undefined) {
      bytes.push(Number.parseInt(digits, 16));
      continue;
    }
    addBytes();
    out.push(token);
  }
  addBytes();
  return out;
}

function decodeStrictly(bytes: readonly number[]): string {
  try {
    return strictUtf8.decode(Uint8Array.from(bytes));
  } catch {
    return "\ufffd".repeat(bytes.length);
  }
}

function createCtcDecoder({
  pad_token,
  word_delimiter_token,
  cleanup,
}: Extract<DecoderPart, { type: "CTC" }>): Decoder {
  return (tokens) =>
    tokens
      .filter((token, i) => token !== tokens[i - 1])
      .map((token) => {
        const text = token.replaceAll(pad_token, "");
        return cleanup ? cleanUp(text).replaceAll(word_delimiter_token, " ") : text;
      })
      .filter((text) => text !== "");
}

function stripToken(
  token: string,
  { content, start, stop }: Extract<DecoderPart, { type: "Strip" }>,
): string {
  let from = 0;
  for (let i = 0; i < start && token.startsWith(content, from); i++) from += content.length;
  let to = token.length;
  for (let i = 0; i < stop && token.endsWith(content, to) && to > 0; i++) to -= content.length;
  return token.slice(from, Math.max(from, to));
}

const joinWordPiece = (token: string, prefix: string) =>
  token.startsWith(prefix) ? token.slice(prefix.length) : ` ${token}`;

/** What the library removes from a decoded token, in this order. */
const CLEAN_UPS = [
  [" .", "."],
  [" ?", "?"],
  [" !", "!"],
  [" ,", ","],
  [" ' ", "'"],
  [" n't", "n't"],
  [" 'm", "'m"],
  [" do not", " don't"],
  [" 's", "'s"],
  [" 've", "'ve"],
  [" 're", "'re"],
] as const;

function cleanUp(text: string): string {
  return CLEAN_UPS.reduce((cleaned, [from, to]) => cleaned.replaceAll(from, to), text);
}
