/**
 * A `tokenizer.json` as our Tokenizer, run by @huggingface/tokenizers.
 *
 * Special tokens are known to us and hidden from the library, so text that looks like one (`<|run|>` in a message) is
 * text. Encoding is exact for well-formed Unicode: decode(encode(x)) = x. A lone surrogate becomes U+FFFD.
 */
import { Tokenizer as Runner } from "@huggingface/tokenizers";
import { z } from "zod";
import { BowlineError, messageOf } from "../../core/index.ts";
import type { Tokenizer } from "../../spec/index.ts";
import { byteLevel, PIECE_PATTERN, piecesOf } from "./pieces.ts";

const fileSchema = z.looseObject({
  added_tokens: z.array(z.looseObject({ id: z.number().int(), content: z.string() })),
  model: z.looseObject({ type: z.literal("BPE"), vocab: z.record(z.string(), z.number().int()) }),
});

/** The cutting of `trainTokenizer`: byte-level pieces of one pattern. Files from elsewhere may cut in other ways. */
const ownCutSchema = z.object({
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
const REMEMBERED = 50_000;

const NO_CLEANING = { skip_special_tokens: false, clean_up_tokenization_spaces: false } as const;

/** Parses the text of a `tokenizer.json`. Throws a `checkpoint` error when it is none, or not byte-pair encoding. */
export function loadTokenizer(json: string): Tokenizer {
  const file = parse(json);
  const specials = new Map(file.added_tokens.map(({ content, id }) => [content, id]));
  const names = new Map(file.added_tokens.map(({ content, id }) => [id, content]));
  const runner = new Runner({ ...file, added_tokens: [] }, {});
  const ids = [...Object.values(file.model.vocab), ...specials.values()];
  const decodeText = (part: number[]) =>
    part.length === 0 ? "" : runner.decode(part, NO_CLEANING);
  return {
    vocabularySize: Math.max(...ids) + 1,
    encode: ownCutSchema.safeParse(file).success ? byPieces(runner) : byText(runner),
    decode(ids) {
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
    },
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

function byText(runner: Runner): Tokenizer["encode"] {
  return (text) => (text === "" ? [] : runner.encode(text, { add_special_tokens: false }).ids);
}

/**
 * The same ids as `byText`, ten times as fast: text is cut here, and the library merges each different piece once.
 * A run encodes some hundred thousand segments, most of them made of pieces that were seen before.
 */
function byPieces(runner: Runner): Tokenizer["encode"] {
  const known = new Map<string, readonly number[]>();
  const merge = (piece: string) => {
    const ids = runner
      .model!.encode([byteLevel(piece).join("")])
      .map((token: string) => runner.token_to_id(token)!);
    if (known.size >= REMEMBERED) known.clear();
    known.set(piece, ids);
    return ids;
  };
  return (text) => piecesOf(text).flatMap((piece) => known.get(piece) ?? merge(piece));
}

function parse(json: string): z.infer<typeof fileSchema> {
  try {
    return fileSchema.parse(JSON.parse(json));
  } catch (cause) {
    throw new BowlineError(
      "checkpoint",
      `not a tokenizer.json that can be run: ${messageOf(cause)}`,
      {
        cause,
      },
    );
  }
}
