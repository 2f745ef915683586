import http from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SharedList, SharedStart } from "../../../core/index.ts";
import { type HttpCall, HttpSender } from "./http.ts";
import { PromptBody } from "./prompt.ts";

const seen: { port: number | undefined; body: string; length: string | undefined }[] = [];
const server = http.createServer(async (request, response) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const body = Buffer.concat(parts).toString();
  const { remotePort } = request.socket;
  seen.push({ port: remotePort, body, length: request.headers["content-length"] });
  if (request.url === "/moved") response.writeHead(307, { location: "/here" }).end();
  else if (request.url === "/away")
    response.writeHead(307, { location: "http://else.test/" }).end();
  else if (request.url === "/zipped")
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("plain"));
  else if (request.url === "/cut") {
    response.writeHead(200, { "content-length": "10" }).write("half");
    setImmediate(() => request.socket.destroy());
  } else if (request.url !== "/silent") response.writeHead(201, { "x-mark": "1" }).end(body);
});
let base: string;
const sender = new HttpSender();
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  sender.close();
  server.closeAllConnections();
  server.close();
});

const send = (path: string, call: Partial<HttpCall> = {}) =>
  sender.send(base + path, {
    method: "POST",
    headers: {},
    expectsRedirect: false,
    signal: new AbortController().signal,
    ...call,
  });
const textOf = ({ body }: { readonly body: Uint8Array }) => Buffer.from(body).toString();

describe("the HTTP sender", () => {
  test("writes the parts of a body one after another, with their length", async () => {
    const ids = new SharedList(new SharedStart(Int32Array.of(1, 2)), Int32Array.of(3));
    const body = new PromptBody({ prompt: { tokens: [] }, n: "ä" }, ids).toParts();
    const answer = await send("/", { body });
    expect(answer.status).toBe(201);
    expect(answer.headers.get("X-Mark")).toBe("1");
    expect(answer.headers.get("x-other")).toBeNull();
    expect(textOf(answer)).toBe('{"prompt":{"tokens":[1,2,3]},"n":"ä"}');
    expect(seen.at(-1)?.length).toBe(String(Buffer.byteLength(textOf(answer))));
  });

  test("uses a connection again, and opens one for each request at once", async () => {
    const [first] = await Promise.all([send("/", { body: "a" }), send("/", { body: "b" })]);
    expect(textOf(first)).toBe("a");
    expect(seen.at(-1)!.port).not.toBe(seen.at(-2)!.port);
    await send("/");
    expect([seen.at(-2)!.port, seen.at(-3)!.port]).toContain(seen.at(-1)!.port);
  });

  test("follows a redirect with the same body, unless it is expected or leads to another host", async () => {
    const moved = await send("/moved", { expectsRedirect: true });
    expect([moved.status, moved.headers.get("location")]).toEqual([307, "/here"]);
    expect(textOf(await send("/moved", { body: [Buffer.from("again")] }))).toBe("again");
    expect((await send("/away")).status).toBe(307);
  });

  test("unpacks an answer that is compressed", async () => {
    expect(textOf(await send("/zipped"))).toBe("plain");
  });

  test("rejects when the answer is cut off, when nobody listens and when the signal aborts", async () => {
    await expect(send("/cut")).rejects.toThrow("aborted");
    const stop = new AbortController();
    const silent = send("/silent", { signal: stop.signal });
    setTimeout(() => stop.abort(), 20);
    await expect(silent).rejects.toThrow("the request was aborted");
    await expect(send("/", { signal: stop.signal })).rejects.toThrow("the request was aborted");
    const nobody = sender.send("http://127.0.0.1:9", {
      method: "GET",
      headers: {},
      expectsRedirect: false,
      signal: new AbortController().signal,
    });
    await expect(nobody).rejects.toThrow("ECONNREFUSED");
  });
});
