/** The pre-tokenizers of a `tokenizer.json`, which cut a text into pieces. No token reaches over a cut. */
import { z } from "zod";
import { computed, defineFormat, harmless } from "../../../core/index.ts";
import { characterSchema, patternSchema } from "./shared-fields.ts";
import { type PartOf, typedSchema } from "./typed-schema.ts";

const table = <const F extends Parameters<typeof defineFormat>[0]["fields"]>(
  type: string,
  fields: F,
) => defineFormat({ name: `tokenizer.json, pre-tokenizer ${type}`, unknown: "refused", fields });

/** What happens to the text where a pattern matches. */
export const SPLIT_BEHAVIORS = [
  "Removed",
  "Isolated",
  "MergedWithPrevious",
  "MergedWithNext",
  "Contiguous",
] as const;
export type SplitBehavior = (typeof SPLIT_BEHAVIORS)[number];
const behavior = z.enum(SPLIT_BEHAVIORS);
const offsets = "offsets are not computed, only ids";

/** The fields that the pre-tokenizer and the decoder Metaspace share. */
export const METASPACE_FIELDS = {
  replacement: computed(characterSchema, "the character that stands for a space"),
  add_prefix_space: computed(z.boolean().nullish(), "false requires the scheme never"),
  prepend_scheme: computed(
    z.enum(["always", "first", "never"]).default("always"),
    "which pieces get a space before them",
  ),
  split: computed(z.boolean().nullish(), "whether it cuts before each space; the default is true"),
  str_rep: harmless("the replacement again, in old files"),
} as const;

export const PRE_TOKENIZER_TABLES = {
  BertPreTokenizer: table("BertPreTokenizer", {}),
  ByteLevel: table("ByteLevel", {
    add_prefix_space: computed(z.boolean(), "puts a space before a piece that has none"),
    use_regex: computed(z.boolean().default(true), "cuts with GPT-2's pattern"),
    trim_offsets: harmless(offsets),
  }),
  CharDelimiterSplit: table("CharDelimiterSplit", {
    delimiter: computed(characterSchema, "it cuts at this character, and removes it"),
  }),
  Digits: table("Digits", {
    individual_digits: computed(z.boolean(), "cuts around each digit, or around each number"),
  }),
  FixedLength: table("FixedLength", {
    length: computed(z.number().int().positive().default(5), "the characters of a piece"),
  }),
  Metaspace: table("Metaspace", METASPACE_FIELDS),
  Punctuation: table("Punctuation", {
    behavior: computed(behavior.default("Isolated"), "what happens to punctuation"),
  }),
  Split: table("Split", {
    pattern: computed(patternSchema, "a text, or a pattern in Oniguruma's syntax"),
    behavior: computed(behavior, "what happens to matches"),
    invert: computed(z.boolean().default(false), "the text between matches counts as the match"),
  }),
  Whitespace: table("Whitespace", {}),
  WhitespaceSplit: table("WhitespaceSplit", {}),
} as const;

/** A pre-tokenizer. */
export type PreTokenizerPart =
  | PartOf<typeof PRE_TOKENIZER_TABLES>
  | { readonly type: "Sequence"; readonly pretokenizers: readonly PreTokenizerPart[] };

export const SEQUENCE_OF_PRE_TOKENIZERS = table("Sequence", {
  pretokenizers: computed(
    z.lazy(() => z.array(preTokenizerSchema)),
    "each cuts the pieces of the one before",
  ),
});

export const preTokenizerSchema: z.ZodType<PreTokenizerPart> = typedSchema("the pre-tokenizer", {
  ...PRE_TOKENIZER_TABLES,
  Sequence: SEQUENCE_OF_PRE_TOKENIZERS,
}) as z.ZodType<PreTokenizerPart>;
