/**
 * Chooses a scaffold for a model when the user named none.
 *
 *   compact  a model whose tokenizer has the markers because this package made it, or one without a chat template
 *   react    a model with a chat template that is on a server, or that has at least a billion parameters and a context
 *            of 16,384, since the prompt has 2,400 tokens
 *   fenced   every other model with a chat template
 *
 * The number of parameters and the context are in the model's files, so the rule needs no list of models.
 */
import type { ModelConfig } from "../../engine/index.ts";
import { type ModelText, SPECIAL_TOKENS } from "../../text/index.ts";
import type { ScaffoldName } from "../config/scaffolds.ts";

/** A chosen scaffold, with the reason for the choice. */
export interface ScaffoldChoice {
  readonly name: ScaffoldName;
  /** The reason, as a clause that can follow "because". */
  readonly why: string;
}

export const MIN_REACT_PARAMETERS = 1e9;
export const MIN_REACT_CONTEXT = 16_384;

/** Chooses a scaffold. `model` is undefined if the weights are on a server. */
export function chooseScaffold(
  text: Pick<ModelText, "tokenizer" | "hasChatTemplate">,
  model: ModelConfig | undefined,
): ScaffoldChoice {
  const { specials } = text.tokenizer;
  if (SPECIAL_TOKENS.every((name) => specials.has(name))) {
    return { name: "compact", why: "the model was made by bowline" };
  }
  if (!text.hasChatTemplate) return { name: "compact", why: "the model has no chat template" };
  if (model === undefined) {
    return { name: "react", why: "the model has a chat template, and its weights are on a server" };
  }
  const size = `${formatCount(countParameters(model))} parameters and a context of ${model.contextLength.toLocaleString("en")}`;
  const fitsReact =
    countParameters(model) >= MIN_REACT_PARAMETERS && model.contextLength >= MIN_REACT_CONTEXT;
  return fitsReact
    ? { name: "react", why: `the model has a chat template, ${size}` }
    : {
        name: "fenced",
        why: `the model has a chat template, ${size}; react needs at least ${formatCount(MIN_REACT_PARAMETERS)} parameters and a context of ${MIN_REACT_CONTEXT.toLocaleString("en")}`,
      };
}

/** Describes the choice in one line for people. */
export function describeScaffoldChoice({ name, why }: ScaffoldChoice): string {
  return `using scaffold ${name}, because ${why}; choose another with --scaffold`;
}

/** Counts the weights of a decoder of this shape, without biases and without the norms inside attention heads. */
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
