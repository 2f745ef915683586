/**
 * Finds out which dialect a server takes for `forward_backward`: JSON (SDK up to 0.24) or protobuf (from 0.25).
 *
 * Some servers take only one of them, and no route says which. The first pass is sent as protobuf, which is smaller. A
 * server that cannot read it refuses the body and then gets the same pass, with the same number, as JSON. The client
 * remembers which dialect the server accepted.
 */
import type { AcceptedCall, ClientCore, FutureCall } from "./client-core.ts";
import { Deadline } from "./deadline.ts";
import { TinkerError } from "./errors.ts";

export type Dialect = "json" | "proto";

/** HTTP statuses that may mean a wrong body encoding, or a route that the dialect does not have. */
const MAYBE_ENCODING_STATUSES = new Set([400, 404, 405, 415, 422, 500, 501]);

export class DialectChooser {
  #chosen: Dialect | undefined;

  constructor(chosen: Dialect | "auto") {
    this.#chosen = chosen === "auto" ? undefined : chosen;
  }

  /** The server's dialect, or undefined when the server has not accepted a pass yet. */
  get chosen(): Dialect | undefined {
    return this.#chosen;
  }

  /** Submits the pass in the server's dialect. Returns the call in the form that the server accepted. */
  async submitPass<T>(
    core: ClientCore,
    buildCall: (dialect: Dialect) => FutureCall<T>,
  ): Promise<{ readonly call: FutureCall<T>; readonly accepted: AcceptedCall }> {
    if (this.#chosen !== undefined) {
      const call = buildCall(this.#chosen);
      return { call, accepted: await core.submitFuture(call) };
    }
    const deadline = new Deadline(core.retryContext, core.retryContext.policy.budgetMs);
    for (;;) {
      try {
        return await this.#submitInEither(core, buildCall);
      } catch (error) {
        // A 500 in both dialects says nothing about the dialect: the server fails.
        if (!TinkerError.is(error, "unreachable") || error.status !== 500) throw error;
        await deadline.waitOrThrow(error, buildCall("proto").signal);
      }
    }
  }

  /** Submits the pass as protobuf, and as JSON when the server seems not to read protobuf. */
  async #submitInEither<T>(core: ClientCore, buildCall: (dialect: Dialect) => FutureCall<T>) {
    try {
      return await this.#submitAs(core, buildCall, "proto");
    } catch (first) {
      if (!mayBeEncodingError(first)) throw first;
      try {
        return await this.#submitAs(core, buildCall, "json");
      } catch (second) {
        if (!TinkerError.is(second)) throw second;
        // The server does not take JSON, so it read the protobuf pass and refused its content.
        if (second.status === 415) this.#chosen = "proto";
        throw first.status === 415 || second.kind === "missing" ? second : first;
      }
    }
  }

  async #submitAs<T>(
    core: ClientCore,
    buildCall: (dialect: Dialect) => FutureCall<T>,
    dialect: Dialect,
  ) {
    const call = buildCall(dialect);
    // Only this attempt probes: when the server loses the accepted call, it is sent again until it gets through.
    const accepted = await core.submitFuture({ ...call, isProbe: true });
    this.#chosen = dialect;
    return { call, accepted };
  }
}

function mayBeEncodingError(error: unknown): error is TinkerError {
  return (
    TinkerError.is(error, "rejected", "missing", "unsupported", "unreachable") &&
    error.status !== undefined &&
    MAYBE_ENCODING_STATUSES.has(error.status)
  );
}
