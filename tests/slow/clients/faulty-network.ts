/**
 * A network that loses calls: a proxy before a gateway. `refused`: 503, the gateway never hears of it. `dropped`: the
 * connection ends while the answer is being made. `lost`: the answer is made, and never arrives.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Fault = "refused" | "dropped" | "lost";

export interface FaultyNetwork {
  /** Of a URL of the gateway: the same through the proxy. */
  through(url: string): string;
  readonly done: readonly Fault[];
  close(): Promise<void>;
}

/**
 * `faults`: by number of the call, from 0. `hold`: holds the next sampling until nobody waits for it; resolves when that has
 * begun.
 */
export async function faultyNetwork(
  gateway: string,
  faults: Readonly<Record<number, Fault>>,
  hold: () => Promise<void>,
): Promise<FaultyNetwork> {
  const done: Fault[] = [];
  let calls = 0;
  const server = createServer((incoming, response) => {
    void bodyOf(incoming).then((body) => {
      const fault = faults[calls++];
      if (fault) done.push(fault);
      pass({ gateway, incoming, response, body, fault, hold });
    });
  });
  // No faults but those asked for: an idle connection stays.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    through: (url) => url.replace(gateway, `http://127.0.0.1:${port}`),
    done,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Passing {
  readonly gateway: string;
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: Buffer;
  readonly fault: Fault | undefined;
  readonly hold: () => Promise<void>;
}

function pass({ gateway, incoming, response, body, fault, hold }: Passing): void {
  if (fault === "refused") {
    response.writeHead(503, { "content-type": "application/json" });
    response.end('{"error":{"message":"overloaded"},"type":"error"}');
    return;
  }
  const { method, url = "/" } = incoming;
  const { host: _, ...headers } = incoming.headers;
  const onward = request(gateway + url, { method: method!, headers });
  onward.on("error", () => {});
  onward.on("response", (answer) => {
    if (fault === "lost") {
      answer.resume().on("end", () => response.destroy());
      return;
    }
    response.writeHead(answer.statusCode!, answer.headers);
    answer.pipe(response);
  });
  const held = fault === "dropped" ? hold() : undefined;
  onward.end(body);
  void held?.then(() => {
    onward.destroy();
    response.destroy();
  });
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part);
  return Buffer.concat(parts);
}
