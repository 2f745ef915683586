/** The models of a `tokenizer.json`, which turn a piece of text into tokens. */
import { z } from "zod";
import { computed, defineFormat, harmlessIf } from "../../../core/index.ts";
import { id, vocabularySchema } from "./shared-fields.ts";
import { type PartOf, typedSchema } from "./typed-schema.ts";

const table = <const F extends Parameters<typeof defineFormat>[0]["fields"]>(
  type: string,
  fields: F,
) => defineFormat({ name: `tokenizer.json, model ${type}`, unknown: "refused", fields });

const vocab = computed(vocabularySchema, "the ids of the tokens");
/** Merges were texts with a space between the two tokens once, and are pairs now. */
const mergesSchema = z.array(z.unknown()).transform((merges, context): [string, string][] => {
  const pairs: [string, string][] = [];
  for (const [i, merge] of merges.entries()) {
    if (typeof merge === "string" && merge.startsWith("#version")) continue;
    const pair = typeof merge === "string" ? merge.split(" ") : merge;
    if (isPair(pair)) pairs.push(pair);
    else context.addIssue({ code: "custom", path: [i], message: "expected a pair of tokens" });
  }
  return pairs;
});

function isPair(value: unknown): value is [string, string] {
  if (!Array.isArray(value) || value.length !== 2) return false;
  return value.every((part) => typeof part === "string");
}

/** Tokens with their scores. The check is a plain loop, as for other vocabularies. */
const scoresSchema = z.custom<readonly (readonly [string, number])[]>(
  (value) =>
    Array.isArray(value) &&
    value.every(
      (entry) =>
        Array.isArray(entry) && typeof entry[0] === "string" && typeof entry[1] === "number",
    ),
  "expected pairs of a token and its score",
);
const unknownToken = computed(z.string(), "the token for what the vocabulary lacks");
const optionalText = (note: string) => computed(z.string().nullish(), note);
const flag = (note: string) => computed(z.boolean().nullish(), note);

export const MODEL_TABLES = {
  BPE: table("BPE", {
    vocab,
    merges: computed(mergesSchema, "pairs of tokens that become one, the first ones first"),
    unk_token: optionalText("the token for characters that the vocabulary lacks"),
    continuing_subword_prefix: optionalText("what all characters of a piece but the first get"),
    end_of_word_suffix: optionalText("what the last character of a piece gets"),
    fuse_unk: flag("several unknown characters in a row become one token"),
    byte_fallback: flag("unknown characters become bytes such as <0x41>"),
    ignore_merges: flag("a piece that is a token becomes that token"),
    dropout: harmlessIf(z.literal(0), "0", "the same text must always get the same ids"),
  }),
  Unigram: table("Unigram", {
    vocab: computed(scoresSchema, "the tokens with their scores"),
    unk_id: computed(id.nullish(), "the id for characters that the vocabulary lacks"),
    byte_fallback: flag("unknown characters become bytes such as <0x41>"),
  }),
  WordPiece: table("WordPiece", {
    vocab,
    unk_token: unknownToken,
    continuing_subword_prefix: computed(z.string(), "what marks a token that continues a word"),
    max_input_chars_per_word: computed(
      z.number().nonnegative(),
      "a longer piece becomes the unknown token",
    ),
  }),
  WordLevel: table("WordLevel", { vocab, unk_token: unknownToken }),
} as const;

/** A model. */
export type ModelPart = PartOf<typeof MODEL_TABLES>;

/** Finds the model of an old file without a type, in the order in which the Python library tries the models. */
function inferModelType(part: object): string {
  if ("merges" in part) return "BPE";
  if ("max_input_chars_per_word" in part) return "WordPiece";
  return "unk_token" in part ? "WordLevel" : "Unigram";
}

export const modelSchema: z.ZodType<ModelPart> = typedSchema(
  "the model",
  MODEL_TABLES,
  inferModelType,
);
