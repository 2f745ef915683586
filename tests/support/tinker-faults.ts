/**
 * Faults of networks and servers, drawn from a seed and bounded in number: what a client must survive without losing or
 * doubling a step.
 *
 * A fault hits before the server sees a request (nothing was done) or after (it was done, and nobody was told). The same
 * request is not hit more than a few times in a row, so that a client which tries again comes through.
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
  "slow",
  "lost-future",
  "restart",
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface FaultOptions {
  readonly seed: number;
  /** Of an exchange to be hit. */
  readonly probability: number;
  /** In all; then the server is sound. */
  readonly most: number;
  /** Default: all but restarts. */
  readonly kinds?: readonly FaultKind[];
  /** Of an answer that is slow; default 20. */
  readonly slowMs?: number;
  /** Does a restart; needed for that kind. */
  readonly restart?: () => Promise<void>;
}

export interface Faults extends Behaviour {
  /** Injected so far. */
  readonly counts: Readonly<Record<FaultKind, number>>;
  readonly total: number;
}

/** The same request in a row. */
const MOST_IN_A_ROW = 2;
const UNTOUCHED = /\/(healthz|telemetry)$/;

export function faults(options: FaultOptions): Faults {
  const { most, probability, slowMs = 20 } = options;
  const kinds = options.kinds ?? FAULT_KINDS.filter((kind) => kind !== "restart");
  const rng = new Rng(options.seed);
  const counts = Object.fromEntries(FAULT_KINDS.map((kind) => [kind, 0])) as Record<
    FaultKind,
    number
  >;
  const inARow = new Map<string, number>();
  const lost = new Set<string>();
  let total = 0;

  const draw = (call: HttpCall): FaultKind | undefined => {
    if (total >= most || UNTOUCHED.test(call.path)) return undefined;
    const key = keyOf(call);
    const hit = rng.chance(probability) && (inARow.get(key) ?? 0) < MOST_IN_A_ROW;
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
      const kind = draw(call);
      if (kind === "lost-future") lost.add(requestIdOf(call));
      const isPoll = call.path.endsWith("/retrieve_future");
      if (isPoll && lost.has(requestIdOf(call))) return answer(410, "the promise is lost");
      if (kind === "429") {
        return { ...answer(429, "too many requests"), headers: { "retry-after-ms": "5" } };
      }
      if (kind === "503-before") return answer(503, "not now");
      if (kind === "reset-before") return dropped(call);
      if (kind === "restart") {
        void options.restart?.();
        return dropped(call);
      }
      const reply = await inner(call);
      // Who asks for the same work again learns of its future again.
      if (!isPoll && "json" in reply)
        lost.delete((reply.json as { request_id?: string })?.request_id ?? "");
      if (kind === "slow") await new Promise((resolve) => setTimeout(resolve, slowMs));
      if (kind === "500-after") return answer(500, "lost on the way back");
      if (kind === "reset-after") return dropped(call);
      return reply;
    };

  return {
    wrapExchange: wrap,
    counts,
    get total() {
      return total;
    },
  };
}

function answer(status: number, detail: string): HttpReply {
  return { status, json: { detail } };
}

function dropped(call: HttpCall): HttpReply {
  call.drop();
  return answer(500, "nobody reads this");
}

function requestIdOf({ body }: HttpCall): string {
  return (JSON.parse(Buffer.from(body).toString("utf8")) as { request_id: string }).request_id;
}

function keyOf({ path, body }: HttpCall): string {
  return createHash("sha256").update(path).update(body).digest("base64");
}
