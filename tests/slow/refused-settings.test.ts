/** Runs a command whose settings contradict each other and the limits of a Tinker server, and then the one that cures it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Behaviour } from "../../src/server/index.ts";
import { createTemporaryFolder } from "../e2e/support/cli.ts";
import { runBowlineInProcess } from "../support/terminal.ts";
import { ignoresGradientClip } from "../support/tinker-behaviours.ts";
import { startTestServer, type TestServer, TINY } from "../support/tinker-server.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const MOST_RANK = 8;

/** A server that refuses adapters of a larger rank. */
const refusesRanks: Behaviour = {
  wrapExchange: (inner) => async (call) => {
    if (!call.path.endsWith("/create_model")) return inner(call);
    const { lora_config } = JSON.parse(Buffer.from(call.body).toString());
    if (lora_config.rank <= MOST_RANK) return inner(call);
    return { status: 422, json: { detail: `lora_config.rank: at most ${MOST_RANK}` } };
  },
};

const folder = createTemporaryFolder();
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    model: { ...TINY, vocabularySize: 384, contextLength: 256 },
    behaviours: [refusesRanks, ignoresGradientClip],
  });
});
afterAll(async () => {
  await server?.close();
  folder.remove();
});

test("one refusal names every part, and the command below it is accepted", async () => {
  const out = join(folder.path, "run");
  const refused = await runBowlineInProcess([
    ...["train", "smoke", "--engine", "tinker", "--engine.url", server.url, "--out", out],
    ...["--engine.lora.rank", "64", "--engine.threads", "4", "--model.layers", "3", "--dry-run"],
    ...["--scaffold.maxTokens", "900", "--model.context-length=600", "--warm.rows", "4000"],
    ...["--warm.demonstrations", "48"],
  ]);
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  const [message, command = "", ...more] = refused.stderr.split("\n");
  expect(more).toEqual([]);
  for (const part of [
    /engine\.threads exists only where engine\.name is onnx/,
    /scaffold\.maxTokens: expected at most model\.contextLength \(600\), got 900/,
    /warm\.demonstrations: expected 0 or at least warm\.rows \(4000\), got 48/,
    /model\.layers cannot be set with engine\.name tinker/,
    /engine\.lora\.rank 64: .*at most 8/,
    /scaffold\.maxTokens is 900 as you set it, .* has a context of 256 tokens/,
    /optimizer\.maxGradientNorm/,
  ])
    expect(message).toMatch(part);
  expect(existsSync(out)).toBe(false);
  const words = command.trim().split(" ");
  const cured = await runBowlineInProcess(words.slice(words.indexOf("train")));
  expect(cured.stderr).toBe("");
  expect(cured.code).toBe(0);
  expect(cured.stdout).toMatch(/Nothing was trained or written/);
});
