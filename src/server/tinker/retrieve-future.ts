/** Answers `retrieve_future` with the result of a future, in the encoding that the client accepts. */
import { tinkerWire as wire } from "../../engine/index.ts";
import { throwApiError } from "./api-error.ts";
import type { HttpCall, HttpReply } from "./exchange.ts";
import type { Service } from "./service.ts";

/** Waits for the outcome for up to `pollMs`, and answers `try_again` if the future is still running then. */
export async function retrieveFuture(
  { futures, models, pollMs }: Pick<Service, "futures" | "models" | "pollMs">,
  request_id: string,
  call: HttpCall,
): Promise<HttpReply> {
  const state = futures.status(request_id);
  if (state === "unknown") throwApiError(404, `there is no future ${request_id}`);
  if (state === "lost") {
    throwApiError(
      410,
      `the server restarted before ${request_id} was done; send the request again`,
    );
  }
  const outcome = await futures.waitForOutcome(request_id, pollMs, call.signal);
  if (!outcome) {
    const reason = models.describeWait(request_id);
    const queue = { queue_state: "active", ...(reason && { queue_state_reason: reason }) };
    return { status: 200, json: { type: "try_again", request_id, ...queue } };
  }
  const proto = call.headers["accept"]?.includes(wire.PROTOBUF) ?? false;
  switch (outcome.type) {
    case "error":
      return { status: 200, json: { error: outcome.error, category: outcome.category } };
    case "json":
      return { status: 200, json: outcome.value };
    case "sample":
      if (proto) return { status: 200, proto: wire.encodeSampleResponse(outcome.value) };
      return { status: 200, json: { type: "sample", ...outcome.value } };
    case "forward_backward":
      if (proto) return { status: 200, proto: wire.encodeForwardBackwardOutput(outcome.value) };
      return { status: 200, json: outcome.value };
    default:
      return outcome satisfies never;
  }
}
