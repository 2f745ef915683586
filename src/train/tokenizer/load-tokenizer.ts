/**
 * A `tokenizer.json` as our Tokenizer, run by @huggingface/tokenizers.
 *
 * Special tokens are known to us and hidden from the library, so text that looks like one (`<|run|>` in a message) is
 * text. Encoding is exact for well-formed Unicode: decode(encode(x)) = x. A lone surrogate becomes U+FFFD.
 */
import { Tokenizer as Runner } from "@huggingface/tokenizers";
import { z } from "zod";
import { BowlineError, messageOf } from "../../core/index.ts";
import type { Tokenizer } from "../../spec/index.ts";

const fileSchema = z.looseObject({
  added_tokens: z.array(z.looseObject({ id: z.number().int(), content: z.string() })),
  model: z.looseObject({ type: z.literal("BPE"), vocab: z.record(z.string(), z.number().int()) }),
});

const NO_CLEANING = { skip_special_tokens: false, clean_up_tokenization_spaces: false } as const;

/** Parses the text of a `tokenizer.json`. Throws a `checkpoint` error when it is none, or not byte-pair encoding. */
export function loadTokenizer(json: string): Tokenizer {
  const file = parse(json);
  const specials = new Map(file.added_tokens.map(({ content, id }) => [content, id]));
  const names = new Map(file.added_tokens.map(({ content, id }) => [id, content]));
  const runner = new Runner({ ...file, added_tokens: [] }, {});
  const ids = [...Object.values(file.model.vocab), ...specials.values()];
  const decodeText = (part: number[]) =>
    part.length === 0 ? "" : runner.decode(part, NO_CLEANING);
  return {
    vocabularySize: Math.max(...ids) + 1,
    encode: (text) => (text === "" ? [] : runner.encode(text, { add_special_tokens: false }).ids),
    decode(ids) {
      let text = "";
      let part: number[] = [];
      for (const id of ids) {
        const special = names.get(id);
        if (special === undefined) part.push(id);
        else {
          text += decodeText(part) + special;
          part = [];
        }
      }
      return text + decodeText(part);
    },
    special(name) {
      const id = specials.get(name);
      if (id !== undefined) return id;
      const known = [...specials.keys()].join(", ");
      throw new BowlineError(
        "config",
        `no special token ${name} in tokenizer.json; it has ${known}`,
      );
    },
  };
}

function parse(json: string): z.infer<typeof fileSchema> {
  try {
    return fileSchema.parse(JSON.parse(json));
  } catch (cause) {
    throw new BowlineError(
      "checkpoint",
      `not a tokenizer.json that can be run: ${messageOf(cause)}`,
      {
        cause,
      },
    );
  }
}
