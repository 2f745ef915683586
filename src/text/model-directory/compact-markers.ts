/**
 * Adds the markers of the compact scaffold to a tokenizer that has none.
 *
 * A marker must be one token that text never encodes to. The first marker of a row is the model's own start token
 * (`bos_token`), and the end of a turn is the token that ends the model's own turns. The other markers use rows of the
 * embedding that belong to no token (Qwen has a few hundred), reserved special tokens (`<|reserved_special_token_0|>`
 * of Llama 3), or the token for unknown characters, which byte-level tokenizers never produce.
 */
import { BowlineError } from "../../core/index.ts";
import type { Tokenizer } from "../../spec/index.ts";
import { SPECIAL_TOKENS } from "../tokenizer/pieces.ts";
import type { ModelText } from "./model-text.ts";

/**
 * Returns a tokenizer with the markers. `vocabularySize` is the number of rows of the model's embedding. Throws a
 * `checkpoint` error if there is no token for a marker.
 */
export function addCompactMarkers(
  text: Pick<ModelText, "tokenizer" | "generation" | "specialTokens">,
  vocabularySize: number,
): Tokenizer {
  const { tokenizer, generation, specialTokens } = text;
  const end = tokenizer.specials.get(specialTokens["eos_token"] ?? "") ?? generation.stopIds[0];
  const start = tokenizer.specials.get(specialTokens["bos_token"] ?? "");
  const borrowed: Readonly<Record<string, number | undefined>> = {
    "<|task|>": start === end ? undefined : start,
    "<|run|>": end,
    "<|pad|>": end,
  };
  const spare = listSpareIds(text, vocabularySize);
  const markers = new Map<string, number>();
  for (const name of SPECIAL_TOKENS) {
    const id = tokenizer.specials.get(name) ?? borrowed[name] ?? spare.next().value;
    if (id === undefined) {
      throw new BowlineError(
        "checkpoint",
        `the compact scaffold needs a token for its marker ${name}, but the tokenizer has no such token, no reserved token and no free row of the embedding`,
      );
    }
    markers.set(name, id);
  }
  return {
    vocabularySize,
    encode: (content) => tokenizer.encode(content),
    decode: (ids) => tokenizer.decode(ids),
    special: (name) => markers.get(name) ?? tokenizer.special(name),
  };
}

/** Yields ids that text never encodes to. */
function* listSpareIds(
  { tokenizer, specialTokens }: Pick<ModelText, "tokenizer" | "specialTokens">,
  vocabularySize: number,
): Generator<number, undefined> {
  for (let id = tokenizer.vocabularySize; id < vocabularySize; id++) yield id;
  for (const [name, id] of tokenizer.specials) if (name.includes("reserved")) yield id;
  const unknown = tokenizer.specials.get(specialTokens["unk_token"] ?? "");
  if (unknown !== undefined) yield unknown;
  return undefined;
}
