/**
 * The front's door for WebSockets. It knows the library `ws`; servers see only `FrontSocket`, a socket of text messages.
 *
 * What is bounded here is bounded for every server: the size of a message, the messages that wait while an earlier one
 * is handled, and the time in which a client says nothing. The messages of a socket are handled one after the other.
 */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import { HttpRefusal } from "./refusal.ts";
import type { RequestHead } from "./request-head.ts";

/** The request that asks for a WebSocket. */
export interface SocketCall extends RequestHead {
  readonly query: URLSearchParams;
}

/** An open WebSocket. */
export interface FrontSocket {
  /** Sends a text and resolves when it is written. A socket that is closed drops it. */
  send(text: string): Promise<void>;
  /** Says goodbye with a status of RFC 6455, section 7.4, and a reason of at most 123 bytes. */
  close(status: number, reason: string): void;
}

/** What a server does with one socket. */
export interface SocketHandlers {
  /** Is called once, before any message. */
  open?(): Promise<void>;
  /** Handles a message. The next one waits until this promise settles. What it throws ends the socket (1011). */
  message(text: string): Promise<void>;
  /** Is called once, however the socket ended; a message may still be in progress. */
  closed(): void;
}

export interface SocketOptions {
  /** The largest message; a larger one ends the socket (1009). */
  readonly messageBytes: number;
  /** A socket on which no message came for so long is closed (1001). */
  readonly idleMs: number;
  /** Takes a socket, or throws to refuse it: then the request is answered with this error. */
  accept(call: SocketCall): (socket: FrontSocket) => SocketHandlers;
}

/** What Node hands over with a request for another protocol. */
interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** The first bytes after the request. */
  readonly head: Buffer;
  refuse(error: unknown): void;
}

/** So many messages of a socket may wait. Then nothing more is read from it until one is handled. */
const WAITING_MESSAGES = 16;
/** The system asks a silent peer after so long whether it still exists. */
const KEEP_ALIVE_MS = 30_000;
/** How long a peer may take to say goodbye before the connection is cut. */
const GOODBYE_MS = 2000;
/** How long a peer may take to read an answer before the connection is cut. */
const READING_MS = 60_000;

export class SocketDoor {
  readonly #options: SocketOptions;
  readonly #server: WebSocketServer;
  /** How a connection is refused whose handshake is in progress. */
  readonly #refusals = new WeakMap<Duplex, Upgrade["refuse"]>();

  constructor(options: SocketOptions) {
    this.#options = options;
    this.#server = new WebSocketServer({
      noServer: true,
      maxPayload: options.messageBytes,
      // Compression keeps a window in memory for each socket and lets small messages grow.
      perMessageDeflate: false,
    });
    // With a listener, the library leaves the answer to a wrong handshake to us.
    this.#server.on("wsClientError", (error, socket) => {
      this.#refusals.get(socket)?.(new HttpRefusal(400, "invalid_handshake", error.message));
    });
  }

  /** Completes the handshake. Throws a refusal for another protocol, and what the server's `accept` throws. */
  letIn(call: SocketCall, { request, socket, head, refuse }: Upgrade): void {
    const protocol = String(call.headers["upgrade"]).toLowerCase();
    if (protocol !== "websocket") {
      throw new HttpRefusal(
        400,
        "unknown_upgrade",
        `expected an upgrade to websocket, got ${JSON.stringify(protocol)}`,
      );
    }
    const handle = this.#options.accept(call);
    this.#refusals.set(socket, refuse);
    request.socket.setKeepAlive(true, KEEP_ALIVE_MS);
    this.#server.handleUpgrade(request, socket, head, (webSocket) =>
      runSocket(webSocket, handle, this.#options),
    );
  }

  /** Asks every client to leave. */
  sayGoodbye(): void {
    for (const socket of this.#server.clients) socket.close(1001, "the server is closing");
  }

  /** Cuts every connection. */
  endAll(): void {
    for (const socket of this.#server.clients) socket.terminate();
  }
}

function runSocket(
  webSocket: WebSocket,
  handle: (socket: FrontSocket) => SocketHandlers,
  { idleMs }: SocketOptions,
): void {
  let waiting = 0;
  const close = (status: number, reason: string) => {
    webSocket.close(status, reason);
    setTimeout(() => webSocket.terminate(), GOODBYE_MS).unref();
  };
  const idle = setTimeout(() => {
    if (waiting > 0) return void idle.refresh();
    close(1001, `no message for ${Math.round(idleMs / 1000)} s`);
  }, idleMs).unref();
  const handlers = handle({ send: (text) => sendText(webSocket, text), close });
  let last: Promise<void> = Promise.resolve(handlers.open?.());
  const isOpen = () => webSocket.readyState === webSocket.OPEN;
  const handleNext = async (text: string) => {
    idle.refresh();
    if (isOpen()) await handlers.message(text);
    waiting -= 1;
    if (webSocket.isPaused) webSocket.resume();
    idle.refresh();
  };
  const fail = () => close(1011, "an error of the server ended this socket");
  webSocket.on("message", (data, isBinary) => {
    if (isBinary) return close(1003, "expected text messages, got bytes");
    if (++waiting >= WAITING_MESSAGES) webSocket.pause();
    last = last.then(() => handleNext(readText(data))).catch(fail);
  });
  // The library closes the socket itself after an error: a message that is too large or no UTF-8, a cut connection.
  webSocket.on("error", () => {});
  webSocket.on("close", () => {
    clearTimeout(idle);
    handlers.closed();
  });
  last = last.catch(fail);
}

/** The library gives one buffer for each message, unless its option `binaryType` says otherwise. */
function readText(data: RawData): string {
  return (data as Buffer).toString("utf8");
}

function sendText(webSocket: WebSocket, text: string): Promise<void> {
  return new Promise((resolve) => {
    if (webSocket.readyState !== webSocket.OPEN) return resolve();
    const timer = setTimeout(() => webSocket.terminate(), READING_MS).unref();
    webSocket.send(text, () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
