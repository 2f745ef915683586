/**
 * How text is cut before byte-pair merges, by the names that llama.cpp knows (`tokenizer.ggml.pre`), as the parts of a
 * `tokenizer.json`: one table for reading, where a name becomes parts, and for writing, where parts are given their name.
 * Source of the names: `llama-vocab.cpp`; of the parts: the tokenizers of the models that the names are taken from.
 */
import { z } from "zod";
import { PIECE_PATTERN } from "../tokenizer/pieces.ts";

/** One cutting rule: a pattern whose matches stand alone, single digits, or GPT-2's own pattern. */
type SplitRule = { readonly pattern: string } | "digits" | "gpt-2";

export interface PreTokenizer {
  readonly rules: readonly SplitRule[];
  /** Composed characters (NFC) come first. */
  readonly normalizesNfc?: boolean;
  /** A piece that is a token is that token, whatever the merges say. */
  readonly ignoresMerges?: boolean;
  /** What the file means where it does not say whether texts begin with a token. */
  readonly addsStart?: boolean;
}

/** Any number character; the tokenizers library of JavaScript has a part of its own for digits, which knows ASCII's alone. */
const DIGIT = "\\p{N}";
const ENDINGS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)";
const wordPattern = (digits: string) =>
  `${ENDINGS}|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|${digits}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+`;
const GPT2_PATTERN =
  "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";
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

/** The first name of a cut is the one that is written. */
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
export const PRE_TOKENIZER_NAMES = Object.keys(PRE_TOKENIZERS);

export function findPreTokenizer(name: string): PreTokenizer | undefined {
  return Object.hasOwn(PRE_TOKENIZERS, name) ? PRE_TOKENIZERS[name] : undefined;
}

/** A cut as `normalizer` and `pre_tokenizer` of a `tokenizer.json`. */
export function createPreTokenizerParts({ rules, normalizesNfc: composes }: PreTokenizer): {
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
    normalizer: composes ? { type: "NFC" } : null,
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
 * llama.cpp's nearest to the tokenizers that are trained here. `superbpe` cuts at digits alone; our merges never join
 * whitespace, digits or quotes to anything, so what else we cut makes no difference, but for one: punctuation at the end
 * of a word, which is cut off here and may there be one token with the word before it.
 */
const NEAREST_TO_OURS = "superbpe";

/** llama.cpp's name of a `tokenizer.json`'s cut, and whether it is that cut. Undefined: it has none. */
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
  const { normalizesNfc: composes = false, ignoresMerges = false } = PRE_TOKENIZERS[name]!;
  const isExact =
    composes === (normalizer?.type === "NFC") && ignoresMerges === (model.ignore_merges ?? false);
  return { name, isExact };
}
