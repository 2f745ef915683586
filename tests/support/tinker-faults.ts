/**
 * Injects faults of networks and servers, drawn from a seed and limited in number. In spite of these faults, a client
 * must not lose an optimizer step or take it twice.
 *
 * A fault happens before the server sees a request (so no work is done) or after (so the work is done but the answer is
 * lost or cut off). A request may also arrive twice. By default, the same request fails at most twice in a row, so that a
 * client succeeds when it retries.
 */
import { createHash } from "node:crypto";
import { Rng } from "../../src/core/index.ts";
import type { Behaviour, Exchange, HttpCall, HttpReply } from "../../src/server/index.ts";

export const FAULT_KINDS = [
  "429",
  "503-before",
  "500-after",
  "reset-before",
  "reset-after",
  "truncated",
  "twice",
  "slow",
  "lost-future",
  "restart",
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface FaultOptions {
  readonly seed: number;
  /** The probability that a fault happens in an exchange of request and answer. */
  readonly probability: number;
  /** The total number of faults; afterwards the server works normally. */
  readonly maxFaults: number;
  /** The kinds to draw from; by default all except restarts. */
  readonly kinds?: readonly FaultKind[];
  /** The delay of a slow answer; default 20. */
  readonly slowMs?: number;
  /** How often the same request may fail in a row; default 2. */
  readonly maxInARow?: number;
  /** Restarts the server; required for the kind "restart". */
  readonly restart?: () => Promise<void>;
}

export interface Faults extends Behaviour {
  /** How many faults of each kind have been injected so far. */
  readonly counts: Readonly<Record<FaultKind, number>>;
  readonly total: number;
}

const UNTOUCHED_PATHS = /\/(healthz|telemetry)$/;

export function createFaults(options: FaultOptions): Faults {
  const { maxFaults, probability, slowMs = 20, maxInARow = 2 } = options;
  const kinds = options.kinds ?? FAULT_KINDS.filter((kind) => kind !== "restart");
  const rng = new Rng(options.seed);
  const counts = Object.fromEntries(FAULT_KINDS.map((kind) => [kind, 0])) as Record<
    FaultKind,
    number
  >;
  const inARow = new Map<string, number>();
  const lost = new Set<string>();
  let total = 0;

  const drawFault = (call: HttpCall): FaultKind | undefined => {
    if (total >= maxFaults || UNTOUCHED_PATHS.test(call.path)) return undefined;
    const key = hashRequest(call);
    const hit = rng.chance(probability) && (inARow.get(key) ?? 0) < maxInARow;
    const kind = hit ? rng.pick(kinds) : undefined;
    const isPoll = call.path.endsWith("/retrieve_future");
    if (kind === undefined || (kind === "lost-future" && !isPoll)) {
      inARow.delete(key);
      return undefined;
    }
    inARow.set(key, (inARow.get(key) ?? 0) + 1);
    total += 1;
    counts[kind] += 1;
    return kind;
  };

  const wrap =
    (inner: Exchange): Exchange =>
    async (call) => {
      const kind = drawFault(call);
      if (kind === "lost-future") lost.add(readRequestId(call));
      const isPoll = call.path.endsWith("/retrieve_future");
      if (isPoll && lost.has(readRequestId(call))) return errorReply(410, "the promise is lost");
      if (kind === "429") {
        return { ...errorReply(429, "too many requests"), headers: { "retry-after-ms": "5" } };
      }
      if (kind === "503-before") return errorReply(503, "not now");
      if (kind === "reset-before") return dropConnection(call);
      if (kind === "restart") {
        void options.restart?.();
        return dropConnection(call);
      }
      if (kind === "twice") await inner(call);
      const reply = await inner(call);
      // A client that sends the same work again gets the same future again, so the answer of the first request may be
      // lost.
      if (!isPoll && "json" in reply)
        lost.delete((reply.json as { request_id?: string })?.request_id ?? "");
      if (kind === "slow") await new Promise((resolve) => setTimeout(resolve, slowMs));
      if (kind === "500-after") return errorReply(500, "lost on the way back");
      if (kind === "reset-after") return dropConnection(call);
      return kind === "truncated" ? cutReply(call, reply) : reply;
    };

  return {
    wrapExchange: wrap,
    counts,
    get total() {
      return total;
    },
  };
}

function errorReply(status: number, detail: string): HttpReply {
  return { status, json: { detail } };
}

function dropConnection(call: HttpCall): HttpReply {
  call.dropConnection();
  return errorReply(500, "nobody reads this");
}

/** Sends the first half of an answer and ends the connection. */
function cutReply(call: HttpCall, reply: HttpReply): HttpReply {
  if ("archive" in reply) return reply;
  const isJson = "json" in reply;
  const bytes = isJson ? Buffer.from(JSON.stringify(reply.json)) : reply.proto;
  setTimeout(() => call.dropConnection(), 5);
  return {
    status: reply.status,
    proto: bytes.subarray(0, Math.floor(bytes.length / 2)),
    headers: {
      ...reply.headers,
      ...(isJson && { "content-type": "application/json" }),
      "content-length": String(bytes.length),
    },
  };
}

function readRequestId({ body }: HttpCall): string {
  return (JSON.parse(Buffer.from(body).toString("utf8")) as { request_id: string }).request_id;
}

function hashRequest({ path, body }: HttpCall): string {
  return createHash("sha256").update(path).update(body).digest("base64");
}
