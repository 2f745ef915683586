/**
 * The compact scaffold's markers for a tokenizer that has none.
 *
 * A marker must be one token that text never gives. A row begins as the model's own texts begin (its `bos_token`), and a
 * turn ends with the token that ends the model's own turns. Others take rows of the embedding that belong to no token
 * (Qwen's has a few hundred), special tokens that the model's makers reserved (`<|reserved_special_token_0|>` of
 * Llama 3), or the token of unknown characters, which tokenizers over bytes never give.
 */
import { BowlineError } from "../../core/index.ts";
import type { Tokenizer } from "../../spec/index.ts";
import { SPECIAL_TOKENS } from "../tokenizer/pieces.ts";
import type { ModelText } from "./model-text.ts";

/** `vocabularySize`: rows of the model's embedding. Throws a `checkpoint` error when there is no room for a marker. */
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
        `the compact scaffold needs a token for its marker ${name}, but the tokenizer has no such token and no reserved one, and the embedding no free row`,
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
