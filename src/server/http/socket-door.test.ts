import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { openFront } from "./front.ts";
import { HttpRefusal } from "./refusal.ts";
import { type ReplyText, sendReply } from "./reply.ts";
import type { FrontSocket, SocketHandlers, SocketOptions } from "./socket-door.ts";

const toReply = (status: number, text: string): ReplyText => ({ status, headers: {}, text });
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function open(
  handle: (socket: FrontSocket) => SocketHandlers,
  more: Partial<SocketOptions> = {},
  takesSockets = true,
): Promise<string> {
  const sockets: SocketOptions = {
    ...{ messageBytes: 1000, idleMs: 60_000 },
    accept({ path }) {
      if (path === "/ws") return handle;
      throw new HttpRefusal(405, "no_socket", "no socket here");
    },
    ...more,
  };
  const front = await openFront({
    ...{ host: "127.0.0.1", port: 0, limits: { bodyBytes: 1000 } },
    answer: async (_, response) => sendReply(response, toReply(200, "plain")),
    formatError: (error) =>
      toReply(error instanceof HttpRefusal ? error.status : 500, (error as Error).message),
    ...(takesSockets && { sockets }),
  });
  closers.push(() => front.close());
  return `127.0.0.1:${front.port}`;
}

/** Sends a head and returns the whole answer; the connection ends with it. */
async function sendHead(address: string, lines: readonly string[]): Promise<string> {
  const socket = connect(Number(address.split(":")[1]), "127.0.0.1");
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  let text = "";
  for await (const part of socket) text += part;
  return text;
}

const UPGRADE = ["connection: upgrade", "upgrade: websocket", "sec-websocket-version: 13"];
const KEY = "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==";

test("messages are handled one after the other, in order", async () => {
  let running = 0;
  const address = await open((socket) => ({
    async message(text) {
      expect(++running).toBe(1);
      await sleep(text === "0" ? 30 : 0);
      await socket.send(text);
      running -= 1;
    },
    closed() {},
  }));
  const client = new WebSocket(`ws://${address}/ws`);
  await once(client, "open");
  const received: string[] = [];
  client.on("message", (data) => received.push(String(data)));
  const sent = Array.from({ length: 100 }, (_, i) => String(i));
  for (const text of sent) client.send(text);
  for (let i = 0; i < 300 && received.length < 100; i++) await sleep(10);
  expect(received).toEqual(sent);
  client.terminate();
});

test("what a handler throws ends the socket with 1011, and not the server", async () => {
  const address = await open(() => ({
    message: async () => {
      throw new TypeError("a bug");
    },
    closed() {},
  }));
  for (let i = 0; i < 2; i++) {
    const client = new WebSocket(`ws://${address}/ws`);
    await once(client, "open");
    client.send("x");
    expect((await once(client, "close"))[0]).toBe(1011);
  }
});

test("`closed` is called once, also for a connection that is cut", async () => {
  let closed = 0;
  const address = await open(() => ({ message: async () => {}, closed: () => void closed++ }));
  const client = new WebSocket(`ws://${address}/ws`);
  await once(client, "open");
  client.terminate();
  for (let i = 0; i < 300 && closed === 0; i++) await sleep(10);
  expect(closed).toBe(1);
});

test("a silent socket is closed, a socket whose message is being handled is not", async () => {
  const handlers: SocketHandlers = { message: () => sleep(500), closed() {} };
  const address = await open(() => handlers, { idleMs: 200 });
  const start = performance.now();
  const busy = new WebSocket(`ws://${address}/ws`);
  const silent = new WebSocket(`ws://${address}/ws`);
  await Promise.all([once(busy, "open"), once(silent, "open")]);
  busy.send("x");
  const busyClosed = once(busy, "close").then(() => performance.now() - start);
  expect((await once(silent, "close"))[0]).toBe(1001);
  expect(await busyClosed).toBeGreaterThan(500);
});

test("refusals have the server's own form: another protocol, a wrong handshake, another host, an unknown path", async () => {
  const address = await open(() => ({ message: async () => {}, closed() {} }));
  const host = `host: ${address}`;
  const ask = (path: string, ...lines: string[]) =>
    sendHead(address, [`GET ${path} HTTP/1.1`, ...lines]);
  expect(await ask("/ws", host, "connection: upgrade", "upgrade: h2c")).toMatch(
    /^HTTP\/1.1 400 [\s\S]*expected an upgrade to websocket, got "h2c"$/,
  );
  expect(await ask("/ws", host, ...UPGRADE)).toMatch(/^HTTP\/1.1 400 [\s\S]*Sec-WebSocket-Key/);
  expect(await ask("/ws", "host: evil.example", KEY, ...UPGRADE)).toMatch(/^HTTP\/1.1 421 /);
  expect(await ask("/other", host, KEY, ...UPGRADE)).toMatch(
    /^HTTP\/1.1 405 [\s\S]*no socket here$/,
  );
});

test("a server without sockets answers an upgrade like any request", async () => {
  const address = await open(() => ({ message: async () => {}, closed() {} }), {}, false);
  const lines = ["GET /ws HTTP/1.1", `host: ${address}`, KEY, ...UPGRADE];
  expect(await sendHead(address, [...lines, "connection: close"])).toMatch(/plain$/);
});
