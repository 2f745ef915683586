/**
 * Loads a `tokenizer.json` as a Tokenizer, with @huggingface/tokenizers.
 *
 * The library is not told about special tokens, so text that looks like one (`<|run|>` in a message) stays text. Added
 * tokens that are not special (Qwen's `<tool_call>`) are words that text may contain. Tokenizers that are trained here
 * are exact for well-formed Unicode: decode(encode(x)) = x. A lone surrogate becomes U+FFFD.
 */
import { Tokenizer as Runner } from "@huggingface/tokenizers";
import { z } from "zod";
import { BowlineError, errorMessage } from "../../core/index.ts";
import type { Tokenizer } from "../../spec/index.ts";
import { PIECE_PATTERN, splitIntoPieces, toByteCharacters } from "./pieces.ts";

/** The fields of a `tokenizer.json` that are used here. The library reads the others. */
export const tokenizerFileSchema = z.looseObject({
  added_tokens: z
    .array(
      z.looseObject({
        id: z.number().int(),
        content: z.string(),
        special: z.boolean().default(true),
      }),
    )
    .default([]),
  model: z.looseObject({ type: z.literal("BPE"), vocab: z.record(z.string(), z.number().int()) }),
});

/** The pre-tokenizer of `trainTokenizer`, which cuts text by one pattern. Other files may have other pre-tokenizers. */
const ownPreTokenizerSchema = z.object({
  normalizer: z.null(),
  pre_tokenizer: z.object({
    type: z.literal("Sequence"),
    pretokenizers: z.tuple([
      z.object({
        type: z.literal("Split"),
        pattern: z.object({ Regex: z.literal(PIECE_PATTERN) }),
        behavior: z.literal("Isolated"),
        invert: z.literal(false),
      }),
      z.object({
        type: z.literal("ByteLevel"),
        add_prefix_space: z.literal(false),
        use_regex: z.literal(false),
      }),
    ]),
  }),
});

/** The number of pieces whose ids are cached at a time. */
const MAX_CACHED_PIECES = 50_000;

const DECODE_OPTIONS = { skip_special_tokens: false, clean_up_tokenization_spaces: false } as const;

/** A tokenizer from a `tokenizer.json`. */
export interface FileTokenizer extends Tokenizer {
  /**
   * Returns the ids of a rendered chat template, in which the text of a special token becomes that token. It equals
   * transformers' `encode(text, add_special_tokens=False)`. It must not be used for text from other people.
   */
  encodeRendered(text: string): readonly number[];
  /** The ids of the special tokens by their text. */
  readonly specials: ReadonlyMap<string, number>;
}

/** Loads a tokenizer. Throws a `checkpoint` error if the JSON is invalid or is not byte-pair encoding. */
export function loadTokenizer(json: string): FileTokenizer {
  const parsed = parseTokenizerFile(json);
  const file = { ...parsed, pre_tokenizer: splitAtAllNumberCharacters(parsed["pre_tokenizer"]) };
  const special = file.added_tokens.filter((token) => token.special);
  const specials = new Map(special.map(({ content, id }) => [content, id]));
  const specialNames = new Map(special.map(({ content, id }) => [id, content]));
  const plainAddedTokens = file.added_tokens.filter((token) => !token.special);
  const runner = new Runner({ ...file, added_tokens: plainAddedTokens }, {});
  const isOwnTokenizer = ownPreTokenizerSchema.safeParse(file).success;
  const fullRunner = new Runner(file, {});
  const ids = [...Object.values(file.model.vocab), ...file.added_tokens.map(({ id }) => id)];
  return {
    vocabularySize: ids.reduce((most, id) => Math.max(most, id), -1) + 1,
    encode: isOwnTokenizer ? createPieceEncoder(runner) : createTextEncoder(runner),
    decode: isOwnTokenizer
      ? createPartwiseDecoder(runner, specialNames)
      : createDecoder(fullRunner, new Set(ids)),
    encodeRendered: createTextEncoder(fullRunner),
    specials,
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

/**
 * Replaces the part `Digits` of a pre-tokenizer by a pattern. In the format, `Digits` means every number character,
 * such as ½ and ², but the library's implementation matches only ASCII digits.
 */
function splitAtAllNumberCharacters(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(splitAtAllNumberCharacters);
  if (typeof part !== "object" || part === null) return part;
  const { type, individual_digits, pretokenizers } = part as Record<string, unknown>;
  if (type === "Sequence")
    return { ...part, pretokenizers: splitAtAllNumberCharacters(pretokenizers) };
  if (type !== "Digits") return part;
  const pattern = { Regex: individual_digits === true ? "\\p{N}" : "\\p{N}+" };
  return { type: "Split", pattern, behavior: "Isolated", invert: false };
}

/** Creates a function that lets the library encode a whole text. */
function createTextEncoder(runner: Runner): Tokenizer["encode"] {
  return (text) => (text === "" ? [] : runner.encode(text, { add_special_tokens: false }).ids);
}

/** Creates a decoder that writes special tokens itself and lets the library decode the parts between them. */
function createPartwiseDecoder(
  runner: Runner,
  names: ReadonlyMap<number, string>,
): Tokenizer["decode"] {
  const decodeText = (part: number[]) =>
    part.length === 0 ? "" : runner.decode(part, DECODE_OPTIONS);
  return (ids) => {
    let text = "";
    let part: number[] = [];
    for (const id of ids) {
      const special = names.get(id);
      if (special === undefined) part.push(id);
      else {
        text += decodeText(part) + special;
        part = [];
      }
    }
    return text + decodeText(part);
  };
}

/** Creates a decoder that works like transformers. Ids of embedding rows without a token become nothing. */
function createDecoder(runner: Runner, known: ReadonlySet<number>): Tokenizer["decode"] {
  return (ids) => {
    const own = ids.filter((id) => known.has(id));
    return own.length === 0 ? "" : runner.decode(own, DECODE_OPTIONS);
  };
}

/**
 * Creates an encoder that returns the same ids as `createTextEncoder`, ten times as fast: it cuts the text itself, and
 * the library merges each distinct piece once. A run encodes several hundred thousand segments, mostly of known pieces.
 */
function createPieceEncoder(runner: Runner): Tokenizer["encode"] {
  const known = new Map<string, readonly number[]>();
  const merge = (piece: string) => {
    const ids = runner
      .model!.encode([toByteCharacters(piece).join("")])
      .map((token: string) => runner.token_to_id(token)!);
    if (known.size >= MAX_CACHED_PIECES) known.clear();
    known.set(piece, ids);
    return ids;
  };
  return (text) => splitIntoPieces(text).flatMap((piece) => known.get(piece) ?? merge(piece));
}

function parseTokenizerFile(json: string): z.infer<typeof tokenizerFileSchema> {
  try {
    return tokenizerFileSchema.parse(JSON.parse(json));
  } catch (cause) {
    throw new BowlineError(
      "checkpoint",
      `not a tokenizer.json that is supported: ${errorMessage(cause)}`,
      {
        cause,
      },
    );
  }
}
