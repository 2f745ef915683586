/**
 * Which scaffold fits a model that nobody named one for.
 *
 *   compact  a model made here, whose tokenizer knows the markers; one without a chat template, for want of any other
 *   react    a model that can carry its 2,400 tokens: a billion parameters and a context of 16,384 at least, or one that a
 *            server holds
 *   fenced   every other one with a chat template
 *
 * Parameters and context stand in the model's own files, so the rule needs no list of names.
 */
import type { ModelConfig } from "../../engine/index.ts";
import { type ModelText, SPECIAL_TOKENS } from "../../text/index.ts";
import type { ScaffoldName } from "../config/scaffolds.ts";

export interface ScaffoldChoice {
  readonly name: ScaffoldName;
  /** A clause that follows "it fits, because". */
  readonly why: string;
}

export const MIN_REACT_PARAMETERS = 1e9;
export const MIN_REACT_CONTEXT = 16_384;

/** `model`: absent where the weights are a server's. */
export function chooseScaffold(
  text: Pick<ModelText, "tokenizer" | "hasChatTemplate">,
  model: ModelConfig | undefined,
): ScaffoldChoice {
  const { specials } = text.tokenizer;
  if (SPECIAL_TOKENS.every((name) => specials.has(name))) {
    return { name: "compact", why: "the model was made here" };
  }
  if (!text.hasChatTemplate) return { name: "compact", why: "the model has no chat template" };
  if (model === undefined) {
    return { name: "react", why: "the model has a chat template, and its weights are elsewhere" };
  }
  const size = `${formatCount(countParameters(model))} parameters and a context of ${model.contextLength.toLocaleString("en")}`;
  const fitsReact =
    countParameters(model) >= MIN_REACT_PARAMETERS && model.contextLength >= MIN_REACT_CONTEXT;
  return fitsReact
    ? { name: "react", why: `the model has a chat template, ${size}` }
    : {
        name: "fenced",
        why: `the model has a chat template, ${size}; react is for ${formatCount(MIN_REACT_PARAMETERS)} and ${MIN_REACT_CONTEXT.toLocaleString("en")} or more`,
      };
}

/** The choice as a line for people. */
export function describeScaffoldChoice({ name, why }: ScaffoldChoice): string {
  return `scaffold ${name} fits: ${why}; --scaffold takes another`;
}

/** Weights of a decoder of this shape; biases and norms of heads are left out. */
export function countParameters(model: ModelConfig): number {
  const { vocabularySize, hiddenSize, layers, heads, kvHeads, headSize, intermediateSize } = model;
  const tables = vocabularySize * hiddenSize * (model.tieEmbeddings ? 1 : 2);
  const attention = 2 * hiddenSize * headSize * (heads + kvHeads);
  const norms = (2 * layers + 1) * hiddenSize;
  return tables + norms + layers * (attention + 3 * hiddenSize * intermediateSize);
}

function formatCount(count: number): string {
  if (count >= 1e9) return `${Number((count / 1e9).toFixed(1))}B`;
  return count >= 1e6 ? `${Math.round(count / 1e6)}M` : `${Math.ceil(count / 1000)}k`;
}
