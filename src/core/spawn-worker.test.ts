import { once } from "node:events";
import { afterEach, expect, test, vi } from "vitest";
import { spawnWorker, threadUrl } from "./index.ts";

afterEach(() => vi.unstubAllEnvs());

const echo = new URL("../../tests/support/echo-worker.ts", import.meta.url);

test("a TypeScript worker starts from source", async () => {
  const worker = spawnWorker(echo);
  worker.postMessage("ahoy");
  const [answer] = await once(worker, "message");
  await worker.terminate();
  expect(answer).toEqual({ echo: "ahoy", hash: expect.any(Number) });
});

test("threads start from the build where it has just been made of this source, and only our own", () => {
  const own = new URL("./rng.ts", import.meta.url).href;
  vi.stubEnv("BOWLINE_BUILT", "");
  expect(threadUrl(own)).toBe(own);
  vi.stubEnv("BOWLINE_BUILT", "1");
  expect(threadUrl(own)).toMatch(/\/dist\/core\/rng\.js$/);
  for (const url of [echo.href, new URL("./rng.test.ts", import.meta.url).href]) {
    expect(threadUrl(url)).toBe(url);
  }
});
