/**
 * Interrupts `bowline eval hosted:`. The command then says how to continue, and the continued command does not repeat
 * finished tasks.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { startChatServer } from "../../src/testing/chat-server.ts";
import { createTemporaryFolder, runBowline } from "./support/cli.ts";

const folder = createTemporaryFolder();
afterAll(folder.remove);

test("Ctrl-C keeps finished tasks, and the same command completes the evaluation", async () => {
  const out = join(folder.path, "eval");
  let requestCount = 0;
  let interrupt = () => {};
  await using server = await startChatServer(async () => {
    requestCount += 1;
    // The evaluation is interrupted before the fourth answer arrives.
    if (requestCount === 4) interrupt();
    await new Promise((resolve) => setTimeout(resolve, requestCount === 4 ? 1000 : 1));
    return "```js\nawait apis.me.finishTask({})\n```";
  });
  const args = ["eval", "hosted:m", "--base-url", server.baseUrl, "--world", "toy", "--out", out];
  const rest = ["--split", "dev", "--scenarios", "2", "--concurrency", "1", "--scaffold", "fenced"];
  const first = await runBowline([...args, ...rest], {
    onStart: (child) => {
      interrupt = () => child.kill("SIGINT");
    },
  });
  expect(first.code).toBe(130);
  expect(first.stdout).toContain("stopping cleanly");
  expect(first.stdout).toContain("stopped; nothing is lost. To continue, run the same command");
  expect(first.stdout).toContain(` ${[...args, ...rest].join(" ")}\n`);
  expect(readFileSync(join(out, "rollouts.jsonl"), "utf8").trim().split("\n")).toHaveLength(3);
  interrupt = () => {};
  const second = await runBowline([...args, ...rest]);
  expect(second.code).toBe(0);
  expect(second.stdout).toContain("hosted:m on dev  6 tasks, 2 scenarios");
  expect(second.stdout).toContain("scaffold fenced · ");
  expect(second.stdout).toContain(`report  ${join(out, "report.html")}`);
  // The answer that was interrupted was requested twice, so there is one request more than answers.
  expect(requestCount).toBe(6 + 1);
});
