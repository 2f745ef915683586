/** Schemas of values that several parts of a `tokenizer.json` have. */
import { z } from "zod";
import { errorMessage, formatValue } from "../../../core/index.ts";
import { compilePattern, compileText } from "../pattern/compile-pattern.ts";

/** One character, which may be two UTF-16 code units. */
export const characterSchema = z
  .string()
  .refine((text) => Array.from(text).length === 1, "expected one character");

/** What a part looks for in a text. */
export interface TextPattern {
  /** The regular expression, with the flags `g` and `u`. */
  readonly expression: RegExp;
  /** The pattern as the file has it. */
  readonly source: { readonly Regex: string } | { readonly String: string };
}

export const patternSchema = z
  .union([z.strictObject({ Regex: z.string() }), z.strictObject({ String: z.string() })])
  .transform((source, context): TextPattern => {
    try {
      const expression =
        "Regex" in source ? compilePattern(source.Regex) : compileText(source.String);
      return { expression, source };
    } catch (error) {
      const message = `the pattern ${formatValue(Object.values(source)[0])} is not supported: ${errorMessage(error)}`;
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    }
  });

export const id = z.number().int().nonnegative();

/** Ids by token. The check is a plain loop, because vocabularies have hundreds of thousands of tokens. */
export const vocabularySchema = z.custom<Readonly<Record<string, number>>>((value) => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((one) => Number.isInteger(one) && one >= 0);
}, "expected an object with the id of each token");

/** A token with its id, as a pair. */
export const tokenPairSchema = z.tuple([z.string(), id]);
