/** A local HTTP server for chat completions. The test chooses its answers and errors. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that the chat server received. */
export interface ChatServerRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
    readonly [field: string]: unknown;
  };
}

/** A reply of the chat server. A text becomes a completion; anything else is a status with a body. */
export type ChatServerReply =
  | string
  | {
      readonly status: number;
      readonly body?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
    };

/** A running chat server. */
export interface ChatServer extends AsyncDisposable {
  /** The address that clients expect, including the version of the API. */
  readonly baseUrl: string;
  readonly requests: readonly ChatServerRequest[];
}

const USAGE = {
  prompt_tokens: 100,
  completion_tokens: 10,
  prompt_tokens_details: { cached_tokens: 40 },
  completion_tokens_details: { reasoning_tokens: 3 },
};

/** Starts a chat server. `answer` returns the reply to a request. `count` is the number of requests so far. */
export async function startChatServer(
  answer: (request: ChatServerRequest, count: number) => ChatServerReply | Promise<ChatServerReply>,
): Promise<ChatServer> {
  const requests: ChatServerRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as ChatServerRequest["body"];
    requests.push({ headers: request.headers, body });
    const reply = await answer(requests.at(-1)!, requests.length);
    const fullReply =
      typeof reply === "string"
        ? { status: 200, body: chatCompletion(reply) }
        : { headers: {}, ...reply };
    response.writeHead(fullReply.status, {
      "content-type": "application/json",
      ...("headers" in fullReply && fullReply.headers),
    });
    response.end(
      typeof fullReply.body === "string" ? fullReply.body : JSON.stringify(fullReply.body ?? {}),
    );
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function chatCompletion(content: string) {
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    usage: USAGE,
  };
}
