import { once } from "node:events";
import { expect, test } from "vitest";
import { ROOT, runCommand } from "../../tests/e2e/support/cli.ts";
import { spawnWorker } from "./index.ts";

const ECHO = "tests/support/echo-worker.ts";

test("a compiled worker thread starts", async () => {
  const worker = spawnWorker(new URL("../../tests/support/dying-worker.js", import.meta.url), {
    workerData: { dies: "quietly" },
  });
  const [ready] = await once(worker, "message");
  await worker.terminate();
  expect(ready).toMatchObject({ type: "ready" });
});

test("a program that runs from source starts a TypeScript worker from its source", async () => {
  const program = `
    import { spawnWorker } from "./src/core/spawn-worker.ts";
    const worker = spawnWorker(new URL("${ECHO}", "file://${ROOT}"));
    worker.postMessage("ahoy");
    worker.once("message", (answer) => { console.log(JSON.stringify(answer)); worker.terminate(); });`;
  const args = ["--import", "tsx", "--input-type=module", "-e", program];
  const { stdout, stderr } = await runCommand(process.execPath, args);
  expect(JSON.parse(stdout || stderr)).toEqual({ echo: "ahoy", hash: expect.any(Number) });
});
