/**
 * A proxy in front of a gateway that loses calls. A `refused` call gets status 503 and never reaches the gateway. The
 * connection of a `dropped` call ends while the answer is sampled. The answer to a `lost` call is made, but never
 * arrives at the client.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Fault = "refused" | "dropped" | "lost";

export interface FaultyNetwork {
  /** Returns the URL of the proxy that stands for a URL of the gateway. */
  proxyUrl(url: string): string;
  /** The faults that have happened. */
  readonly done: readonly Fault[];
  close(): Promise<void>;
}

/**
 * Starts the proxy. `faults` are listed by the number of the call, from 0. `holdNextSample` makes the next sampling
 * wait until it is cancelled, and resolves when that sampling has begun.
 */
export async function startFaultyNetwork(
  gateway: string,
  faults: Readonly<Record<number, Fault>>,
  holdNextSample: () => Promise<void>,
): Promise<FaultyNetwork> {
  const done: Fault[] = [];
  let calls = 0;
  const server = createServer((incoming, response) => {
    void readBody(incoming).then((body) => {
      const fault = faults[calls++];
      if (fault) done.push(fault);
      forwardCall({ gateway, incoming, response, body, fault, holdNextSample });
    });
  });
  // An idle connection stays open, so that only the requested faults happen.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    proxyUrl: (url) => url.replace(gateway, `http://127.0.0.1:${port}`),
    done,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface ForwardedCall {
  readonly gateway: string;
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: Buffer;
  readonly fault: Fault | undefined;
  readonly holdNextSample: () => Promise<void>;
}

function forwardCall({
  gateway,
  incoming,
  response,
  body,
  fault,
  holdNextSample,
}: ForwardedCall): void {
  if (fault === "refused") {
    response.writeHead(503, { "content-type": "application/json" });
    response.end('{"error":{"message":"overloaded"},"type":"error"}');
    return;
  }
  const { method, url = "/" } = incoming;
  const { host: _, ...headers } = incoming.headers;
  const forwarded = request(gateway + url, { method: method!, headers });
  forwarded.on("error", () => {});
  forwarded.on("response", (answer) => {
    if (fault === "lost") {
      answer.resume().on("end", () => response.destroy());
      return;
    }
    response.writeHead(answer.statusCode!, answer.headers);
    answer.pipe(response);
  });
  const held = fault === "dropped" ? holdNextSample() : undefined;
  forwarded.end(body);
  void held?.then(() => {
    forwarded.destroy();
    response.destroy();
  });
}

async function readBody(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part);
  return Buffer.concat(parts);
}
