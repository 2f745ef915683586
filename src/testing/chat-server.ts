/** A server of chat completions on this machine, whose answers and faults a test writes down. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** One request as it came. */
export interface ChatAsked {
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
    readonly [field: string]: unknown;
  };
}

/** A text is answered as a completion; anything else is the status with its body. */
export type ChatAnswer =
  | string
  | {
      readonly status: number;
      readonly body?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    };

export interface ChatServer extends AsyncDisposable {
  /** With the version. */
  readonly baseUrl: string;
  readonly asked: readonly ChatAsked[];
}

const USAGE = {
  prompt_tokens: 100,
  completion_tokens: 10,
  prompt_tokens_details: { cached_tokens: 40 },
  completion_tokens_details: { reasoning_tokens: 3 },
};

export async function chatServer(
  answer: (asked: ChatAsked, count: number) => ChatAnswer | Promise<ChatAnswer>,
): Promise<ChatServer> {
  const asked: ChatAsked[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as ChatAsked["body"];
    asked.push({ headers: request.headers, body });
    const given = await answer(asked.at(-1)!, asked.length);
    const whole =
      typeof given === "string"
        ? { status: 200, body: completion(given) }
        : { headers: {}, ...given };
    response.writeHead(whole.status, {
      "content-type": "application/json",
      ...("headers" in whole && whole.headers),
    });
    response.end(typeof whole.body === "string" ? whole.body : JSON.stringify(whole.body ?? {}));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function completion(content: string) {
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    usage: USAGE,
  };
}
