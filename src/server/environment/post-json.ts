/** One POST to the server of an environment. Every failure is an error that is named `server`. */
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { setTimeout as wait } from "node:timers/promises";
import { errorMessage, toVisibleText, truncateText } from "../../core/index.ts";

/** The largest answer. An answer may have the whole conversation. */
const MAX_BYTES = 2 ** 24;

/** How long one waits for a server that refuses connections, before each further try. */
const REFUSED_WAITS_MS = [100, 400, 1500];

/**
 * Posts JSON, on a connection of its own, and returns the body of the answer. Unlike `fetch`, it waits for the answer
 * as long as it takes. A server that is being started again refuses connections, so it has not done anything, and is
 * asked again a moment later.
 */
export async function postJson(url: URL, body: string, signal: AbortSignal): Promise<string> {
  for (const waitMs of REFUSED_WAITS_MS) {
    try {
      return await postOnce(url, body, signal);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await wait(waitMs, undefined, { signal });
    }
  }
  return postOnce(url, body, signal);
}

function isRefusal(error: unknown): boolean {
  const { cause } = Object(error) as { readonly cause?: NodeJS.ErrnoException };
  return cause?.code === "ECONNREFUSED";
}

function postOnce(url: URL, body: string, signal: AbortSignal): Promise<string> {
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown) => reject(failed(`${url.href}: ${errorMessage(cause)}`, cause));
    const headers = { "content-type": "application/json", accept: "application/json" };
    // A connection of its own, because a kept one may be closed by the server while it is used again.
    const request = send(url, { method: "POST", headers, signal, agent: false }, (answer) => {
      readAnswer(answer).then(resolve, fail);
    });
    request.on("error", fail);
    request.end(body);
  });
}

async function readAnswer(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > MAX_BYTES) {
      answer.destroy();
      throw new Error(`its answer has more than ${MAX_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString("utf8");
  const { statusCode = 0 } = answer;
  if (statusCode >= 200 && statusCode < 300) return text;
  throw new Error(`it answered ${statusCode}: ${truncateText(toVisibleText(text), 300)}`);
}

/** Makes an error whose name becomes the failure code of the rollout. */
function failed(message: string, cause: unknown): Error {
  return Object.assign(new Error(message, { cause }), { name: "server" });
}
