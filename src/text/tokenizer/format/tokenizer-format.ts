/** The fields of a `tokenizer.json`, as the Python library `tokenizers` 0.23 and earlier versions write it. */
import { z } from "zod";
import {
  BowlineError,
  type ComputedFields,
  computed,
  defineFormat,
  errorMessage,
  type FieldRule,
  type FormatTable,
  formatSchema,
  harmless,
  harmlessIf,
} from "../../../core/index.ts";
import { DECODER_TABLES, decoderSchema, SEQUENCE_OF_DECODERS } from "./decoder-tables.ts";
import { MODEL_TABLES, modelSchema } from "./model-tables.ts";
import {
  NORMALIZER_TABLES,
  normalizerSchema,
  SEQUENCE_OF_NORMALIZERS,
} from "./normalizer-tables.ts";
import {
  POST_PROCESSOR_TABLES,
  postProcessorSchema,
  SEQUENCE_OF_POST_PROCESSORS,
} from "./post-processor-tables.ts";
import {
  PRE_TOKENIZER_TABLES,
  preTokenizerSchema,
  SEQUENCE_OF_PRE_TOKENIZERS,
} from "./pre-tokenizer-tables.ts";
import { id } from "./shared-fields.ts";

const flag = (note: string) => computed(z.boolean().default(false), note);

export const addedTokenFormat = defineFormat({
  name: "tokenizer.json, added token",
  unknown: "refused",
  fields: {
    id: computed(id, "the id; it must be the one that the Python library gives the token"),
    content: computed(z.string(), "the text of the token"),
    special: computed(
      z.boolean().default(true),
      "text becomes the token only in a rendered chat template",
    ),
    single_word: flag("the token is found only where no word character is next to it"),
    lstrip: flag("the token takes the white space before it"),
    rstrip: flag("the token takes the white space after it"),
    normalized: computed(
      z.boolean().nullish(),
      "the token is found in the normalized text; the default is: unless it is special",
    ),
  },
});

/** Old files do not say `normalized`. */
const addedTokenSchema = formatSchema(addedTokenFormat).transform((token) => ({
  ...token,
  normalized: token.normalized ?? !token.special,
}));

const never = "texts are never cut or padded, as in transformers where nobody asks for it";

export const tokenizerFormat = defineFormat({
  name: "tokenizer.json",
  unknown: "refused",
  fields: {
    version: harmlessIf(z.literal("1.0"), "1.0", "the library has no other version"),
    truncation: harmless(never),
    padding: harmless(never),
    added_tokens: computed(
      z.array(addedTokenSchema).default([]),
      "tokens that are found in a text before the model sees it",
    ),
    normalizer: computed(normalizerSchema.nullish(), "how a text is changed"),
    pre_tokenizer: computed(preTokenizerSchema.nullish(), "how a text is cut"),
    post_processor: computed(
      postProcessorSchema.nullish(),
      "special tokens around a text, where a caller asks for them",
    ),
    decoder: computed(decoderSchema.nullish(), "how tokens become a text"),
    model: computed(modelSchema, "how a piece becomes tokens"),
  },
});

/** The content of a `tokenizer.json`. */
export type TokenizerFile = Readonly<ComputedFields<typeof tokenizerFormat.fields>>;
/** An added token. */
export type AddedToken = TokenizerFile["added_tokens"][number];

/** What parts without fields do. */
const PART_NOTES: Readonly<Record<string, string>> = {
  StripAccents: "removes combining marks",
  NFC: "Unicode normalization",
  NFD: "Unicode normalization",
  NFKC: "Unicode normalization",
  NFKD: "Unicode normalization",
  Lowercase: "lowers each character",
  Nmt: "removes control characters, and turns odd spaces into spaces",
  ByteLevel: "turns bytes into printable characters",
  BertPreTokenizer: "cuts at white space and around punctuation",
  Whitespace: "cuts into words and rows of other characters",
  WhitespaceSplit: "cuts at white space",
  ByteFallback: "turns tokens such as <0x41> into bytes",
  Fuse: "joins all tokens",
};

/** Returns one table of several parts, for the page that documents them. */
function joinTables(kind: string, tables: Readonly<Record<string, FormatTable>>): FormatTable {
  const fields = Object.entries(tables).flatMap(([type, table]): [string, FieldRule][] => {
    const own = Object.entries(table.fields);
    if (own.length === 0) return [[type, computed(z.unknown(), PART_NOTES[type] ?? "")]];
    return own.map(([field, rule]) => [`${type}.${field}`, rule]);
  });
  return {
    name: `tokenizer.json, ${kind}`,
    unknown: "refused",
    fields: Object.fromEntries(fields),
  };
}

/** All tables of the format, for the page that documents them. */
export const TOKENIZER_FORMATS: readonly FormatTable[] = [
  tokenizerFormat,
  addedTokenFormat,
  joinTables("normalizers", { ...NORMALIZER_TABLES, Sequence: SEQUENCE_OF_NORMALIZERS }),
  joinTables("pre-tokenizers", { ...PRE_TOKENIZER_TABLES, Sequence: SEQUENCE_OF_PRE_TOKENIZERS }),
  joinTables("models", MODEL_TABLES),
  joinTables("post-processors", {
    ...POST_PROCESSOR_TABLES,
    Sequence: SEQUENCE_OF_POST_PROCESSORS,
  }),
  joinTables("decoders", { ...DECODER_TABLES, Sequence: SEQUENCE_OF_DECODERS }),
];

const schema = formatSchema(tokenizerFormat);

/** Parses a `tokenizer.json`. Throws a `checkpoint` error that names the first field that is wrong or not supported. */
export function parseTokenizerFile(json: string): TokenizerFile {
  const parsed = schema.safeParse(parseJson(json));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new BowlineError(
    "checkpoint",
    `not a tokenizer.json that is supported: ${issue?.path.join(".") || "the file"}: ${issue?.message}`,
    { cause: parsed.error },
  );
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new BowlineError(
      "checkpoint",
      `not a tokenizer.json that is supported: ${errorMessage(cause)}`,
      { cause },
    );
  }
}
