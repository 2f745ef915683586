/**
 * Handles `X-Idempotency-Key`: a call that is repeated with its key gets the first answer and is not done again. This
 * is for requests without a sequence number, such as create_session; the others are safe without a key.
 */
import { digestJson } from "./digest.ts";
import type { Exchange, HttpReply } from "./exchange.ts";

const MAX_KEPT_ANSWERS = 4096;
/** Paths that are never answered from memory, because each call must get a fresh answer. */
const EXCLUDED_PATHS = /\/(retrieve_future|session_heartbeat|telemetry|client\/.*)$/;

interface KeptAnswer {
  readonly digest: string;
  readonly reply: Promise<HttpReply>;
}

export function withIdempotency(inner: Exchange): Exchange {
  const keptAnswers = new Map<string, KeptAnswer>();
  return async (call) => {
    const key = call.headers["x-idempotency-key"];
    if (key === undefined || call.method !== "POST" || EXCLUDED_PATHS.test(call.path))
      return inner(call);
    const digest = digestJson([call.path, Buffer.from(call.body).toString("base64")]);
    const before = keptAnswers.get(key);
    if (before?.digest === digest) return before.reply;
    if (before) {
      const detail = "this X-Idempotency-Key was used for another request";
      return { status: 422, json: { detail } };
    }
    const reply = inner(call);
    keptAnswers.set(key, { digest, reply });
    for (const oldest of keptAnswers.keys()) {
      if (keptAnswers.size <= MAX_KEPT_ANSWERS) break;
      keptAnswers.delete(oldest);
    }
    // A call that failed may be tried again with its key.
    const { status } = await reply;
    if (status >= 400) keptAnswers.delete(key);
    return reply;
  };
}
