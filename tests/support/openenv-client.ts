/** A small client of OpenEnv's sockets: one question, one answer. */
import { once } from "node:events";
import { WebSocket } from "ws";

export interface OpenEnvAnswer {
  readonly type: string;
  readonly data: {
    readonly observation?: Readonly<Record<string, unknown>>;
    readonly reward?: number | null;
    readonly done?: boolean;
    readonly code?: string;
    readonly message?: string;
    readonly [field: string]: unknown;
  };
}

export interface OpenEnvClient {
  readonly socket: WebSocket;
  /** Sends a value as JSON, or a text as it is, and returns the next message. Rejects when the socket closes first. */
  ask(message: object | string): Promise<OpenEnvAnswer>;
  /** Returns the next message. */
  next(): Promise<OpenEnvAnswer>;
  close(): Promise<void>;
}

/** Opens a socket at `ws://...`, such as `ws://127.0.0.1:8000/ws`. */
export async function connectOpenEnv(url: string, headers = {}): Promise<OpenEnvClient> {
  const socket = new WebSocket(url, { headers });
  const received: string[] = [];
  const waiting: ((text: string | Error) => void)[] = [];
  socket.on("message", (data) => {
    const resolve = waiting.shift();
    if (resolve) resolve(String(data));
    else received.push(String(data));
  });
  socket.on("error", () => {});
  socket.on("close", (status) => {
    for (const resolve of waiting.splice(0)) resolve(new Error(`the socket closed: ${status}`));
  });
  const next = async () => {
    const text =
      received.shift() ??
      (await new Promise<string | Error>((resolve) => {
        if (socket.readyState > WebSocket.OPEN) resolve(new Error("the socket is closed"));
        else waiting.push(resolve);
      }));
    if (text instanceof Error) throw text;
    return JSON.parse(text) as OpenEnvAnswer;
  };
  await new Promise<void>((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
    socket.once("unexpected-response", (_, response) => {
      response.resume();
      reject(new Error(`the handshake was answered by ${response.statusCode}`));
    });
  });
  return {
    socket,
    next,
    ask(message) {
      socket.send(typeof message === "string" ? message : JSON.stringify(message));
      return next();
    },
    async close() {
      if (socket.readyState === WebSocket.CLOSED) return;
      socket.close();
      await once(socket, "close");
    },
  };
}
