/** Runs `bowline serve --openenv` as a process: it serves a world, and Ctrl-C ends it. */
import { expect, test, vi } from "vitest";
import { connectOpenEnv } from "../support/openenv-client.ts";
import { runBowline } from "./support/cli.ts";
import { withServer } from "./support/with-server.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

test("a client plays an episode of a test split, and the server exits with 0 after Ctrl-C", async () => {
  const { code } = await withServer<{ readonly webSocket: string; readonly splits: string[] }>(
    ["--openenv", "toy", "--splits", "dev,test-normal"],
    async ({ webSocket, splits }) => {
      expect(splits).toEqual(["dev", "test-normal"]);
      const client = await connectOpenEnv(webSocket);
      const reset = { type: "reset", data: { split: "test-normal", index: 2 } };
      expect(await client.ask(reset)).toMatchObject({ type: "observation" });
      const finish = { type: "step", data: { code: "apis.me.finishTask({})" } };
      expect((await client.ask(finish)).data).toMatchObject({ done: true });
      await client.close();
    },
  );
  expect(code).toBe(0);
});

test("a split without tasks, a split that does not exist and options of other servers are refused", async () => {
  const refuse = async (...args: string[]) => {
    const { code, stderr } = await runBowline([
      "serve",
      "--port",
      "0",
      "--openenv",
      "toy",
      ...args,
    ]);
    return [code, stderr] as const;
  };
  expect(await refuse("--splits", "handmade")).toEqual([
    2,
    expect.stringContaining("the world toy has no tasks in handmade; choose others with --splits"),
  ]);
  expect(await refuse("--splits", "tests")).toEqual([2, expect.stringContaining("test-normal")]);
  expect(await refuse("--tinker")).toEqual([2, expect.stringContaining("cannot be used with")]);
});
