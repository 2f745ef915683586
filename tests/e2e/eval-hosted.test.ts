/** `bowline eval hosted:` as a process that is interrupted: it says how far it is and how to go on, and pays for nothing twice. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { startChatServer } from "../../src/testing/chat-server.ts";
import { createTemporaryFolder, runBowline } from "./support/cli.ts";

const folder = createTemporaryFolder();
afterAll(folder.remove);

test("Ctrl-C keeps what is finished, and the same command ends the evaluation", async () => {
  const out = join(folder.path, "eval");
  let asked = 0;
  let interrupt = () => {};
  await using server = await startChatServer(async () => {
    asked += 1;
    // Of the fourth task nobody waits for the answer.
    if (asked === 4) interrupt();
    await new Promise((resolve) => setTimeout(resolve, asked === 4 ? 1000 : 1));
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
  // One was asked for and not waited for.
  expect(asked).toBe(6 + 1);
});
