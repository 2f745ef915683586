import { once } from "node:events";
import { expect, test } from "vitest";
import { spawnWorker } from "./index.ts";

test("a TypeScript worker starts from source", async () => {
  const worker = spawnWorker(new URL("../../tests/support/echo-worker.ts", import.meta.url));
  worker.postMessage("ahoy");
  const [answer] = await once(worker, "message");
  await worker.terminate();
  expect(answer).toEqual({ echo: "ahoy", hash: expect.any(Number) });
});
