/** How a future ends. Two kinds of results have a protobuf form; the others are always JSON. */
import type { tinkerWire } from "../../engine/index.ts";

export type Outcome =
  | { readonly type: "sample"; readonly value: tinkerWire.SampleResponse }
  | { readonly type: "forward_backward"; readonly value: tinkerWire.ForwardBackwardOutput }
  | { readonly type: "json"; readonly value: Readonly<Record<string, unknown>> }
  | {
      readonly type: "error";
      readonly error: string;
      /** Whose it is: repeating what is the user's cannot help. */
      readonly category: "user" | "server";
    };

export function jsonOutcome(value: Readonly<Record<string, unknown>>): Outcome {
  return { type: "json", value };
}
