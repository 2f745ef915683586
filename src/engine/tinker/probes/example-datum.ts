/** A probe's examples as the wire carries them. Nothing is checked. */
import { type Datum, floatTensor } from "../wire/index.ts";
import type { Example } from "./probed-model.ts";

export function exampleToDatum({ inputs, targets, weights, advantages, logprobs }: Example): Datum {
  return {
    model_input: { chunks: [{ type: "encoded_text", tokens: [...inputs] }] },
    loss_fn_inputs: {
      target_tokens: { data: [...targets], dtype: "int64", shape: [targets.length] },
      ...(weights === undefined ? {} : { weights: floatTensor(weights) }),
      ...(advantages === undefined ? {} : { advantages: floatTensor(advantages) }),
      ...(logprobs === undefined ? {} : { logprobs: floatTensor(logprobs) }),
    },
  };
}

/** For a pass that is only read: all targets weigh the same. */
export function withEqualWeights({ inputs, targets }: Example): Example {
  return { inputs, targets, weights: targets.map(() => 1) };
}
