/** The decoders of a `tokenizer.json`, which turn tokens into a text. */
import { z } from "zod";
import { computed, defineFormat, harmless } from "../../../core/index.ts";
import { METASPACE_FIELDS } from "./pre-tokenizer-tables.ts";
import { characterSchema, patternSchema } from "./shared-fields.ts";
import { type PartOf, typedSchema } from "./typed-schema.ts";

const table = <const F extends Parameters<typeof defineFormat>[0]["fields"]>(
  type: string,
  fields: F,
) => defineFormat({ name: `tokenizer.json, decoder ${type}`, unknown: "refused", fields });

const count = z.number().int().nonnegative();
const encoding = "only the pre-tokenizer of this name reads it";

export const DECODER_TABLES = {
  BPEDecoder: table("BPEDecoder", {
    suffix: computed(z.string(), "the end of a word, which becomes a space"),
  }),
  ByteLevel: table("ByteLevel", {
    add_prefix_space: harmless(encoding),
    trim_offsets: harmless(encoding),
    use_regex: harmless(encoding),
  }),
  ByteFallback: table("ByteFallback", {}),
  CTC: table("CTC", {
    pad_token: computed(z.string(), "the token between repetitions, which is removed"),
    word_delimiter_token: computed(z.string(), "the token that becomes a space"),
    cleanup: computed(z.boolean(), "removes spaces before punctuation"),
  }),
  Fuse: table("Fuse", {}),
  Metaspace: table("Metaspace", {
    ...METASPACE_FIELDS,
    split: harmless(encoding),
  }),
  Replace: table("Replace", {
    pattern: computed(patternSchema, "a text, or a pattern in Oniguruma's syntax"),
    content: computed(z.string(), "what replaces each match in a token"),
  }),
  Strip: table("Strip", {
    content: computed(characterSchema, "the character that is removed from each token"),
    start: computed(count, "how often at most at the start"),
    stop: computed(count, "how often at most at the end"),
  }),
  WordPiece: table("WordPiece", {
    prefix: computed(z.string(), "what marks a token that continues a word"),
    cleanup: computed(z.boolean(), "removes spaces before punctuation"),
  }),
} as const;

/** A decoder. */
export type DecoderPart =
  | PartOf<typeof DECODER_TABLES>
  | { readonly type: "Sequence"; readonly decoders: readonly DecoderPart[] };

export const SEQUENCE_OF_DECODERS = table("Sequence", {
  decoders: computed(
    z.lazy(() => z.array(decoderSchema)),
    "they run one after another",
  ),
});

export const decoderSchema: z.ZodType<DecoderPart> = typedSchema("the decoder", {
  ...DECODER_TABLES,
  Sequence: SEQUENCE_OF_DECODERS,
}) as z.ZodType<DecoderPart>;
