/** The post-processors of a `tokenizer.json`, which put special tokens around a text where a caller asks for them. */
import { z } from "zod";
import { computed, defineFormat, harmless } from "../../../core/index.ts";
import { id, tokenPairSchema } from "./shared-fields.ts";
import { type PartOf, typedSchema } from "./typed-schema.ts";

const table = <const F extends Parameters<typeof defineFormat>[0]["fields"]>(
  type: string,
  fields: F,
) => defineFormat({ name: `tokenizer.json, post-processor ${type}`, unknown: "refused", fields });

const offsets = "offsets are not computed, only ids";
const start = computed(tokenPairSchema, "the token before the text, with its id");
const end = computed(tokenPairSchema, "the token after the text, with its id");

const templatePiece = z.union([
  z.strictObject({ Sequence: z.strictObject({ id: z.enum(["A", "B"]), type_id: id }) }),
  z.strictObject({ SpecialToken: z.strictObject({ id: z.string(), type_id: id }) }),
]);
const templateToken = z.strictObject({
  id: z.string(),
  ids: z.array(id),
  tokens: z.array(z.string()),
});

export const POST_PROCESSOR_TABLES = {
  BertProcessing: table("BertProcessing", { cls: start, sep: end }),
  RobertaProcessing: table("RobertaProcessing", {
    cls: start,
    sep: end,
    trim_offsets: harmless(offsets),
    add_prefix_space: harmless(offsets),
  }),
  ByteLevel: table("ByteLevel", {
    add_prefix_space: harmless(offsets),
    trim_offsets: harmless(offsets),
    use_regex: harmless("only the pre-tokenizer of this name reads it"),
  }),
  TemplateProcessing: table("TemplateProcessing", {
    single: computed(z.array(templatePiece), "the order of a text and of special tokens"),
    pair: harmless("two texts are never encoded as a pair"),
    special_tokens: computed(z.record(z.string(), templateToken), "the ids of the special tokens"),
  }),
} as const;

/** A post-processor. */
export type PostProcessorPart =
  | PartOf<typeof POST_PROCESSOR_TABLES>
  | { readonly type: "Sequence"; readonly processors: readonly PostProcessorPart[] };

export const SEQUENCE_OF_POST_PROCESSORS = table("Sequence", {
  processors: computed(
    z.lazy(() => z.array(postProcessorSchema)),
    "each gets the ids of the one before",
  ),
});

export const postProcessorSchema: z.ZodType<PostProcessorPart> = typedSchema("the post-processor", {
  ...POST_PROCESSOR_TABLES,
  Sequence: SEQUENCE_OF_POST_PROCESSORS,
}) as z.ZodType<PostProcessorPart>;
