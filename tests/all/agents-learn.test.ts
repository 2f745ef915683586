/** Checks the result that docs/agents.md states for an agent of the AI SDK. */
import { afterAll, expect, test, vi } from "vitest";
import { run as aiSdk } from "../../examples/agents/ai-sdk.ts";
import { train } from "../../examples/agents/train.ts";
import { createTemporaryFolder } from "../e2e/support/cli.ts";

vi.setConfig({ testTimeout: 1_800_000 });

const folder = createTemporaryFolder();
afterAll(folder.remove);

test("an agent of the AI SDK learns to look before it acts", async () => {
  const { before, after } = await train(aiSdk, folder.path, { "run.seed": 1 }, () => {});
  expect(before["dev@T1"]!.reward).toBeLessThanOrEqual(0.3);
  expect(after["dev@T1"]!.reward).toBeGreaterThanOrEqual(0.8);
});
