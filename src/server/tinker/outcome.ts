/** The outcome of a future. Two types of results can be sent as protobuf; the others are always JSON. */
import type { tinkerWire } from "../../engine/index.ts";

export type Outcome =
  | { readonly type: "sample"; readonly value: tinkerWire.SampleResponse }
  | { readonly type: "forward_backward"; readonly value: tinkerWire.ForwardBackwardOutput }
  | { readonly type: "json"; readonly value: Readonly<Record<string, unknown>> }
  | {
      readonly type: "error";
      readonly error: string;
      /** Who caused the error. Repeating a request does not help when the user did. */
      readonly category: "user" | "server";
    };

export function jsonOutcome(value: Readonly<Record<string, unknown>>): Outcome {
  return { type: "json", value };
}
