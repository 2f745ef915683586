/**
 * Which of the two dialects a server takes for `forward_backward`: JSON (SDK up to 0.24) or protobuf (from 0.25).
 *
 * There are servers of either kind only, and no route that says so. The first pass is sent as protobuf, the smaller one;
 * a server that cannot read it refuses the body, and gets the same pass, with the same number, as JSON. What it took is
 * remembered for as long as the client lives.
 */
import type { Accepted, ClientCore, FutureCall } from "./core.ts";
import { TinkerError } from "./errors.ts";

export type Dialect = "json" | "proto";

/** Refusals that may be about the body's encoding, or about a route that a dialect does not have. */
const MAY_BE_ENCODING = new Set([400, 404, 405, 415, 422, 500, 501]);

export class DialectChooser {
  #known: Dialect | undefined;

  constructor(chosen: Dialect | "auto") {
    this.#known = chosen === "auto" ? undefined : chosen;
  }

  /** Undefined: no pass was accepted yet. */
  get known(): Dialect | undefined {
    return this.#known;
  }

  /** Submits the pass in the server's dialect. The call that was accepted comes back with its receipt. */
  async submit<T>(
    core: ClientCore,
    callIn: (dialect: Dialect) => FutureCall<T>,
  ): Promise<{ readonly call: FutureCall<T>; readonly accepted: Accepted }> {
    if (this.#known !== undefined) {
      const call = callIn(this.#known);
      return { call, accepted: await core.submit(call) };
    }
    try {
      return await this.#attempt(core, callIn, "proto");
    } catch (first) {
      if (!mayBeEncoding(first)) throw first;
      try {
        return await this.#attempt(core, callIn, "json");
      } catch (second) {
        if (!TinkerError.is(second)) throw second;
        // It reads protobuf, then, and refused what the first pass said.
        if (second.status === 415) this.#known = "proto";
        throw first.status === 415 || second.kind === "missing" ? second : first;
      }
    }
  }

  async #attempt<T>(
    core: ClientCore,
    callIn: (dialect: Dialect) => FutureCall<T>,
    dialect: Dialect,
  ) {
    const call = { ...callIn(dialect), probe: true };
    const accepted = await core.submit(call);
    this.#known = dialect;
    return { call, accepted };
  }
}

function mayBeEncoding(error: unknown): error is TinkerError {
  return (
    TinkerError.is(error, "rejected", "missing", "unsupported", "unreachable") &&
    error.status !== undefined &&
    MAY_BE_ENCODING.has(error.status)
  );
}
