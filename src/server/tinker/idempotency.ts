/**
 * `X-Idempotency-Key`: a call that is repeated with its key gets the first answer, and is not done again. Requests that
 * carry sequence numbers are safe without; this is for those that have none, such as create_session.
 */
import { digestOf } from "./digest.ts";
import type { Exchange, HttpReply } from "./exchange.ts";

const KEPT = 4096;
/** Reading them again must not give an old answer. */
const NEVER = /\/(retrieve_future|session_heartbeat|telemetry|client\/.*)$/;

interface Answered {
  readonly digest: string;
  readonly reply: Promise<HttpReply>;
}

export function idempotent(inner: Exchange): Exchange {
  const answered = new Map<string, Answered>();
  return async (call) => {
    const key = call.headers["x-idempotency-key"];
    if (key === undefined || call.method !== "POST" || NEVER.test(call.path)) return inner(call);
    const digest = digestOf([call.path, Buffer.from(call.body).toString("base64")]);
    const before = answered.get(key);
    if (before?.digest === digest) return before.reply;
    if (before) {
      const detail = "X-Idempotency-Key belongs to another request";
      return { status: 422, json: { detail } };
    }
    const reply = inner(call);
    answered.set(key, { digest, reply });
    for (const oldest of answered.keys()) {
      if (answered.size <= KEPT) break;
      answered.delete(oldest);
    }
    // What was not done may be tried again under its key.
    const { status } = await reply;
    if (status >= 400) answered.delete(key);
    return reply;
  };
}
