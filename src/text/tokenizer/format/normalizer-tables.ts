/** The normalizers of a `tokenizer.json`, which change a text before it is cut. */
import { z } from "zod";
import { computed, defineFormat } from "../../../core/index.ts";
import { patternSchema } from "./shared-fields.ts";
import { type PartOf, typedSchema } from "./typed-schema.ts";

const table = <const F extends Parameters<typeof defineFormat>[0]["fields"]>(
  type: string,
  fields: F,
) => defineFormat({ name: `tokenizer.json, normalizer ${type}`, unknown: "refused", fields });

const switchedOn = (note: string) => computed(z.boolean(), note);

/** A normalizer. */
export type NormalizerPart =
  | PartOf<typeof NORMALIZER_TABLES>
  | { readonly type: "Sequence"; readonly normalizers: readonly NormalizerPart[] };

export const NORMALIZER_TABLES = {
  BertNormalizer: table("BertNormalizer", {
    clean_text: switchedOn("removes control characters and turns white space into spaces"),
    handle_chinese_chars: switchedOn("puts spaces around Chinese characters"),
    strip_accents: computed(z.boolean().nullish(), "removes accents; null means as lowercase"),
    lowercase: switchedOn("lowers each character"),
  }),
  Strip: table("Strip", {
    strip_left: switchedOn("removes white space at the start"),
    strip_right: switchedOn("removes white space at the end"),
  }),
  StripAccents: table("StripAccents", {}),
  NFC: table("NFC", {}),
  NFD: table("NFD", {}),
  NFKC: table("NFKC", {}),
  NFKD: table("NFKD", {}),
  Lowercase: table("Lowercase", {}),
  Nmt: table("Nmt", {}),
  ByteLevel: table("ByteLevel", {}),
  Precompiled: table("Precompiled", {
    precompiled_charsmap: computed(
      z.base64().min(8),
      "SentencePiece's replacements of characters, in its binary form",
    ),
  }),
  Replace: table("Replace", {
    pattern: computed(patternSchema, "a text, or a pattern in Oniguruma's syntax"),
    content: computed(z.string(), "what replaces each match"),
  }),
  Prepend: table("Prepend", { prepend: computed(z.string(), "the text that is put first") }),
} as const;

export const SEQUENCE_OF_NORMALIZERS = table("Sequence", {
  normalizers: computed(
    z.lazy(() => z.array(normalizerSchema)),
    "they run one after another",
  ),
});

export const normalizerSchema: z.ZodType<NormalizerPart> = typedSchema("the normalizer", {
  ...NORMALIZER_TABLES,
  Sequence: SEQUENCE_OF_NORMALIZERS,
}) as z.ZodType<NormalizerPart>;
