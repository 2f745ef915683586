/**
 * A `tokenizer.json` as our Tokenizer, run by @huggingface/tokenizers.
 *
 * Special tokens are known to us and hidden from the library, so text that looks like one (`<|run|>` in a message) is
 * text. Added tokens that are not special (`<tool_call>` of Qwen) are words that text may contain. Encoding by our own
 * tokenizers is exact for well-formed Unicode: decode(encode(x)) = x. A lone surrogate becomes U+FFFD.
 */
import { Tokenizer as Runner } from "@huggingface/tokenizers";
import { z } from "zod";
import { BowlineError, errorMessage } from "../../core/index.ts";
import type { Tokenizer } from "../../spec/index.ts";
import { PIECE_PATTERN, splitIntoPieces, toByteCharacters } from "./pieces.ts";

/** What of a `tokenizer.json` is looked at here; the library reads the rest. */
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

/** The cutting of `trainTokenizer`: byte-level pieces of one pattern. Files from elsewhere may cut in other ways. */
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

/** Different pieces whose ids are remembered at a time. */
const MAX_CACHED_PIECES = 50_000;

const DECODE_OPTIONS = { skip_special_tokens: false, clean_up_tokenization_spaces: false } as const;

export interface FileTokenizer extends Tokenizer {
  /**
   * The ids of a rendered chat template: special tokens that are written out become themselves. Equal to transformers'
   * `encode(text, add_special_tokens=False)`. Never for text that others wrote.
   */
  encodeRendered(text: string): readonly number[];
  /** Special tokens and their ids. */
  readonly specials: ReadonlyMap<string, number>;
}

/** Parses the text of a `tokenizer.json`. Throws a `checkpoint` error when it is none, or not byte-pair encoding. */
export function loadTokenizer(json: string): FileTokenizer {
  const parsed = parseTokenizerFile(json);
  const file = { ...parsed, pre_tokenizer: splitAtAllNumberCharacters(parsed["pre_tokenizer"]) };
  const special = file.added_tokens.filter((token) => token.special);
  const specials = new Map(special.map(({ content, id }) => [content, id]));
  const names = new Map(special.map(({ content, id }) => [id, content]));
  const plainAddedTokens = file.added_tokens.filter((token) => !token.special);
  const runner = new Runner({ ...file, added_tokens: plainAddedTokens }, {});
  const own = ownPreTokenizerSchema.safeParse(file).success;
  const fullRunner = new Runner(file, {});
  const ids = [...Object.values(file.model.vocab), ...file.added_tokens.map(({ id }) => id)];
  return {
    vocabularySize: ids.reduce((most, id) => Math.max(most, id), -1) + 1,
    encode: own ? createPieceEncoder(runner) : createTextEncoder(runner),
    decode: own ? createPartwiseDecoder(runner, names) : createDecoder(fullRunner, new Set(ids)),
    encodeRendered: createTextEncoder(fullRunner),
    specials,
    special(name) {
      const id = specials.get(name);
      if (id !== undefined) return id;
      const known = [...specials.keys()].join(", ");
      throw new BowlineError(
        "config",
        `no special token ${name} in tokenizer.json; it has ${known}`,
      );
    },
  };
}

/** The library's part `Digits` knows those of ASCII; in the format it means every number character, ½ and ² too. */
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

function createTextEncoder(runner: Runner): Tokenizer["encode"] {
  return (text) => (text === "" ? [] : runner.encode(text, { add_special_tokens: false }).ids);
}

/** Special tokens are unknown to the runner: they stand between the parts that it decodes. */
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

/** As transformers decodes. An embedding may have more rows than there are tokens: such an id stands for no text. */
function createDecoder(runner: Runner, known: ReadonlySet<number>): Tokenizer["decode"] {
  return (ids) => {
    const own = ids.filter((id) => known.has(id));
    return own.length === 0 ? "" : runner.decode(own, DECODE_OPTIONS);
  };
}

/**
 * The same ids as `byText`, ten times as fast: text is cut here, and the library merges each different piece once.
 * A run encodes some hundred thousand segments, most of them made of pieces that were seen before.
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
      `not a tokenizer.json that can be run: ${errorMessage(cause)}`,
      {
        cause,
      },
    );
  }
}
