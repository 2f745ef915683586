/** One POST to the server of an environment. Every failure is an error that is named `server`. */
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { errorMessage, toVisibleText, truncateText } from "../../core/index.ts";

/** The largest answer. An answer may have the whole conversation. */
const MAX_BYTES = 2 ** 24;

/**
 * Posts JSON, on a connection of its own, and returns the body of the answer. Unlike `fetch`, it waits for the answer
 * as long as it takes.
 */
export function postJson(url: URL, body: string, signal: AbortSignal): Promise<string> {
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown) => reject(failed(`${url.href}: ${errorMessage(cause)}`));
    const headers = { "content-type": "application/json", accept: "application/json" };
    // A connection of its own, because a kept one may be closed by the server while it is used again.
    const request = send(url, { method: "POST", headers, signal, agent: false }, (answer) => {
      readAnswer(answer, url).then(resolve, reject);
    });
    request.on("error", fail);
    request.end(body);
  });
}

async function readAnswer(answer: IncomingMessage, url: URL): Promise<string> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > MAX_BYTES) {
      answer.destroy();
      throw failed(`${url.href} answered more than ${MAX_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString("utf8");
  const { statusCode = 0 } = answer;
  if (statusCode >= 200 && statusCode < 300) return text;
  const said = truncateText(toVisibleText(text), 300);
  throw failed(`${url.href} answered ${statusCode}: ${said}`);
}

/** Makes an error whose name becomes the failure code of the rollout. */
function failed(message: string): Error {
  return Object.assign(new Error(message), { name: "server" });
}
