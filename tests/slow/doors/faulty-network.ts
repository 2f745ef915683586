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

/** `faults`: by number of the call, from 0. */
export async function faultyNetwork(
  gateway: string,
  faults: Readonly<Record<number, Fault>>,
): Promise<FaultyNetwork> {
  const done: Fault[] = [];
  let calls = 0;
  const server = createServer((incoming, response) => {
    void bodyOf(incoming).then((body) => {
      const fault = faults[calls++];
      if (fault) done.push(fault);
      pass({ gateway, incoming, response, body, fault });
    });
  });
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
}

function pass({ gateway, incoming, response, body, fault }: Passing): void {
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
  onward.end(body);
  if (fault !== "dropped") return;
  // While the policy samples: late enough for the call to be there, too early for its answer.
  onward.on("finish", () => {
    setTimeout(() => {
      onward.destroy();
      response.destroy();
    }, 10);
  });
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part);
  return Buffer.concat(parts);
}
