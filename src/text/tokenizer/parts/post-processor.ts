/** Creates the post-processor of a `tokenizer.json`, which puts special tokens around the ids of a text. */
import { BowlineError, formatValue } from "../../../core/index.ts";
import type { PostProcessorPart } from "../format/post-processor-tables.ts";

export type PostProcessor = (ids: readonly number[]) => readonly number[];

/** Creates a post-processor. Throws a `checkpoint` error if a template names an unknown token. */
export function createPostProcessor(part: PostProcessorPart): PostProcessor {
  switch (part.type) {
    case "BertProcessing":
    case "RobertaProcessing":
      return (ids) => [part.cls[1], ...ids, part.sep[1]];
    case "ByteLevel":
      return (ids) => ids;
    case "TemplateProcessing":
      return createTemplateProcessor(part);
    case "Sequence": {
      const processors = part.processors.map(createPostProcessor);
      return (ids) => processors.reduce((one, process) => process(one), ids);
    }
  }
}

function createTemplateProcessor({
  single,
  special_tokens,
}: Extract<PostProcessorPart, { type: "TemplateProcessing" }>): PostProcessor {
  const pieces = single.map((piece): "text" | readonly number[] => {
    if ("Sequence" in piece) return "text";
    const { id } = piece.SpecialToken;
    if (Object.hasOwn(special_tokens, id)) return special_tokens[id]!.ids;
    throw new BowlineError(
      "checkpoint",
      `tokenizer.json: post_processor: the template names ${formatValue(id)}, which special_tokens lacks`,
    );
  });
  return (ids) => pieces.flatMap((piece) => (piece === "text" ? ids : piece));
}
