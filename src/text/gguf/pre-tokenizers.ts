/**
 * Pre-tokenizers, which cut text into pieces before byte-pair merges. llama.cpp knows them by name
 * (`tokenizer.ggml.pre`), and a `tokenizer.json` describes them by parts. One table serves both directions: a name
 * becomes parts when a GGUF file is read, and parts become a name when one is written. The names are from
 * `llama-vocab.cpp`, the parts from the tokenizers of the models that the names refer to.
 */
import { z } from "zod";
import { GPT2_PATTERN } from "../tokenizer/parts/pre-tokenizer.ts";
import { PIECE_PATTERN } from "../tokenizer/pieces.ts";

/** A rule that cuts text: a pattern whose matches become pieces, single digits, or GPT-2's pattern. */
type SplitRule = { readonly pattern: string } | "digits" | "gpt-2";

/** Says how text is cut into pieces before byte-pair merges. */
export interface PreTokenizer {
  readonly rules: readonly SplitRule[];
  /** Normalizes the text to composed characters (NFC) before it is cut. */
  readonly normalizesNfc?: boolean;
  /** A piece that is a token becomes that token without merges. */
  readonly ignoresMerges?: boolean;
  /** Adds a start token to texts, if the file does not say whether to do so. */
  readonly addsStart?: boolean;
}

/** Any number character. */
const DIGIT = "\\p{N}";
const ENDINGS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)";
const wordPattern = (digits: string) =>
  `${ENDINGS}|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|${digits}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+`;
const [UPPER, LOWER] = ["\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}", "\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}"];
const TEKKEN_PATTERN = [
  `[^\\r\\n\\p{L}\\p{N}]?[${UPPER}]*[${LOWER}]+`,
  `[^\\r\\n\\p{L}\\p{N}]?[${UPPER}]+[${LOWER}]*`,
  "\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
].join("|");

const LLAMA3: PreTokenizer = {
  rules: [{ pattern: wordPattern("\\p{N}{1,3}") }],
  ignoresMerges: true,
  addsStart: true,
};
const QWEN2: PreTokenizer = { rules: [{ pattern: wordPattern("\\p{N}") }], normalizesNfc: true };
const SMOLLM: PreTokenizer = { rules: ["digits", "gpt-2"] };

/** Pre-tokenizers by name. Of several names for one, the first is written to files. */
const PRE_TOKENIZERS: Readonly<Record<string, PreTokenizer>> = {
  "gpt-2": { rules: ["gpt-2"] },
  smollm: SMOLLM,
  starcoder: SMOLLM,
  refact: SMOLLM,
  codeshell: SMOLLM,
  qwen2: QWEN2,
  "deepseek-r1-qwen": QWEN2,
  "llama-bpe": LLAMA3,
  "llama-v3": LLAMA3,
  llama3: LLAMA3,
  falcon3: LLAMA3,
  tekken: { rules: [{ pattern: TEKKEN_PATTERN }], ignoresMerges: true, addsStart: true },
  default: {
    rules: [
      { pattern: "[\\p{P}\\$\\+<=>\\^~\\|]+" },
      { pattern: GPT2_PATTERN },
      { pattern: "\\p{N}+" },
      { pattern: "[0-9][0-9][0-9]" },
    ],
  },
};
/** The names of the pre-tokenizers that we support. */
export const PRE_TOKENIZER_NAMES = Object.keys(PRE_TOKENIZERS);

export function findPreTokenizer(name: string): PreTokenizer | undefined {
  return Object.hasOwn(PRE_TOKENIZERS, name) ? PRE_TOKENIZERS[name] : undefined;
}

/** Returns a pre-tokenizer as the `normalizer` and `pre_tokenizer` of a `tokenizer.json`. */
export function createPreTokenizerParts({ rules, normalizesNfc }: PreTokenizer): {
  normalizer: unknown;
  pre_tokenizer: unknown;
} {
  const byteLevel = (use_regex: boolean) => ({
    type: "ByteLevel",
    add_prefix_space: false,
    trim_offsets: true,
    use_regex,
  });
  const endsWithGpt2 = rules.at(-1) === "gpt-2";
  const pretokenizers = rules.map((rule) => {
    if (rule === "gpt-2") return byteLevel(true);
    const pattern = { Regex: rule === "digits" ? DIGIT : rule.pattern };
    return { type: "Split", pattern, behavior: "Isolated", invert: false };
  });
  return {
    normalizer: normalizesNfc ? { type: "NFC" } : null,
    pre_tokenizer: {
      type: "Sequence",
      pretokenizers: endsWithGpt2 ? pretokenizers : [...pretokenizers, byteLevel(false)],
    },
  };
}

const partSchema = z.discriminatedUnion("type", [
  z.looseObject({
    type: z.literal("Split"),
    pattern: z.object({ Regex: z.string() }),
    behavior: z.literal("Isolated"),
    invert: z.literal(false).default(false),
  }),
  z.looseObject({ type: z.literal("Digits"), individual_digits: z.literal(true) }),
  z.looseObject({
    type: z.literal("ByteLevel"),
    add_prefix_space: z.literal(false),
    use_regex: z.boolean().default(true),
  }),
]);
const tokenizerSchema = z.looseObject({
  normalizer: z.looseObject({ type: z.literal("NFC") }).nullish(),
  pre_tokenizer: z.union([
    z
      .looseObject({ type: z.literal("Sequence"), pretokenizers: z.array(partSchema) })
      .transform(({ pretokenizers }) => pretokenizers),
    partSchema.transform((part) => [part]),
  ]),
  model: z.looseObject({ ignore_merges: z.boolean().nullish() }),
});

/**
 * The pre-tokenizer of llama.cpp that is nearest to our own, which tokenizers trained here have. `superbpe` cuts only
 * at digits, but our merges never join whitespace, digits or quotes to anything. So there is one difference:
 * punctuation at the end of a word is a piece of its own here, and may be one token with the word in llama.cpp.
 */
const NEAREST_TO_OURS = "superbpe";

/**
 * Finds llama.cpp's name for the pre-tokenizer of a `tokenizer.json`. `isExact` tells whether both cut text in the same
 * way. Returns undefined if llama.cpp has no such pre-tokenizer.
 */
export function findPreTokenizerName(
  file: unknown,
): { name: string; isExact: boolean } | undefined {
  const parsed = tokenizerSchema.safeParse(file);
  if (!parsed.success) return undefined;
  const { normalizer, pre_tokenizer, model } = parsed.data;
  const rules = pre_tokenizer.flatMap((part): SplitRule[] => {
    if (part.type === "Split") {
      return [part.pattern.Regex === DIGIT ? "digits" : { pattern: part.pattern.Regex }];
    }
    if (part.type === "Digits") return ["digits"];
    return part.use_regex ? ["gpt-2"] : [];
  });
  const rulesJson = JSON.stringify(rules);
  if (rulesJson === JSON.stringify([{ pattern: PIECE_PATTERN }])) {
    return { name: NEAREST_TO_OURS, isExact: false };
  }
  const name = PRE_TOKENIZER_NAMES.find((one) => {
    const cut = PRE_TOKENIZERS[one]!;
    const merges = cut.ignoresMerges === true || model.ignore_merges !== true;
    return JSON.stringify(cut.rules) === rulesJson && merges;
  });
  if (name === undefined) return undefined;
  const { normalizesNfc = false, ignoresMerges = false } = PRE_TOKENIZERS[name]!;
  const isExact =
    normalizesNfc === (normalizer?.type === "NFC") &&
    ignoresMerges === (model.ignore_merges ?? false);
  return { name, isExact };
}
