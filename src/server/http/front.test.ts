import { EventEmitter, once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { type FrontOptions, openFront } from "./front.ts";
import { HttpRefusal } from "./refusal.ts";
import { sendReply } from "./reply.ts";

const toReply = (status: number, text: string) => ({ status, headers: {}, text });

const open = (answer: FrontOptions["answer"], more: Partial<FrontOptions> = {}) =>
  openFront({
    ...{ host: "127.0.0.1", port: 0, limits: { bodyBytes: 1000 }, answer },
    formatError: (error) =>
      toReply(error instanceof HttpRefusal ? error.status : 500, (error as Error).message),
    ...more,
  });

test("an answer that is being made when the server closes is sent, and later calls are not taken", async () => {
  const begun = new EventEmitter();
  const front = await open(async (_, response) => {
    begun.emit("call");
    await sleep(60);
    sendReply(response, toReply(200, "done"));
  });
  const url = `http://127.0.0.1:${front.port}/`;
  const call = once(begun, "call");
  const answer = fetch(url).then((response) => response.text());
  await call;
  const closed = front.close();
  await expect(fetch(url)).rejects.toThrow();
  expect(await answer).toBe("done");
  await closed;
});

test("a call that never ends holds up closing for less than a second", async () => {
  const front = await open(async (_, response) => {
    await once(response, "close");
  });
  const answer = fetch(`http://127.0.0.1:${front.port}/`);
  await sleep(20);
  const start = performance.now();
  await Promise.all([front.close(), expect(answer).rejects.toThrow()]);
  expect(performance.now() - start).toBeLessThan(1000);
});

test("a body that is asked for after its client left is an error, and holds nothing up", async () => {
  const leaving = new AbortController();
  let outcome: Promise<string> | undefined;
  const front = await open(async ({ body }, response) => {
    leaving.abort();
    await once(response, "close");
    outcome = body().then(
      () => "read",
      (error: Error) => error.message,
    );
  });
  const url = `http://127.0.0.1:${front.port}/`;
  const sent = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from("{")) });
  const init = { method: "POST", body: sent, duplex: "half", signal: leaving.signal };
  await expect(fetch(url, init as RequestInit)).rejects.toThrow();
  await vi.waitFor(() => expect(outcome).toBeDefined());
  const never = sleep(2000, "never");
  expect(await Promise.race([outcome, never])).toMatch(/ended before its last byte/);
  await front.close();
});

test("what a server throws is answered in its own form, and ends neither the process nor the server", async () => {
  const front = await open(async ({ path }, response) => {
    if (path === "/begun") response.writeHead(200).write("half");
    throw new TypeError("a bug");
  });
  const url = `http://127.0.0.1:${front.port}`;
  const response = await fetch(`${url}/`);
  expect([response.status, await response.text()]).toEqual([500, "a bug"]);
  await expect(fetch(`${url}/begun`).then((begun) => begun.text())).rejects.toThrow();
  expect((await fetch(`${url}/`)).status).toBe(500);
  await front.close();
});

test("an address in use is a config error in words", async () => {
  const front = await open(async () => {});
  await expect(open(async () => {}, { port: front.port })).rejects.toMatchObject({
    code: "config",
    message: expect.stringContaining("already in use"),
  });
  await front.close();
});

test.each([
  ["127.0.0.1", 403],
  ["0.0.0.0", 200],
])("pages of other origins are refused by a server on %s: %i", async (host, status) => {
  const front = await open(async (_, response) => sendReply(response, toReply(200, "")), { host });
  const url = `http://127.0.0.1:${front.port}`;
  const ask = async (origin: string) => (await fetch(url, { headers: { origin } })).status;
  expect([await ask("https://evil.example"), await ask(url)]).toEqual([status, 200]);
  await front.close();
});
