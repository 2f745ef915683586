/** Converts a probe's examples to the protocol's datums, without checks. */
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

/** Returns the example with weight 1 on every target, for a pass whose gradient is not used. */
export function withEqualWeights({ inputs, targets }: Example): Example {
  return { inputs, targets, weights: targets.map(() => 1) };
}
