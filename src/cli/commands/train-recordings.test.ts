/** Tests `bowline train --recordings` in this process: a run on logs with thumbs, and what is refused at once. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, expect, test } from "vitest";
import { recordLines } from "../../../tests/support/terminal.ts";
import { readRollouts } from "../../train/index.ts";
import { runCommandLine } from "../program.ts";

const folder = mkdtempSync(join(tmpdir(), "bowline-recordings-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const logs = join(folder, "logs.jsonl");
const LINES = Array.from({ length: 40 }, (_, i) => ({
  messages: [
    { role: "user", content: `say ${"abcde"[i % 5]}` },
    { role: "assistant", content: i < 20 ? "abcde"[i % 5] : "z" },
  ],
  thumb: i < 20 ? "up" : "down",
}));
writeFileSync(logs, LINES.map((line) => `${JSON.stringify(line)}\n`).join(""));

async function runTrain(...args: string[]) {
  const { lines, channel } = recordLines();
  const terminal = { in: Readable.from([]), out: channel, err: channel };
  const code = await runCommandLine(["train", ...args], terminal);
  return { code, text: lines.join("\n") };
}

test("train --recordings imitates good conversations, learns from pairs, and evaluates nothing", async () => {
  const out = join(folder, "run");
  const tiny = ["--tokenizer.minimum-count", "2", "--warm.epochs", "1"];
  const run = ["--recordings", logs, "--method", "dmpo", "--out", out, ...tiny];
  const { code, text } = await runTrain(...run);
  expect(code, text).toBe(0);
  expect(text).toContain("20 of 40 recorded conversations have the reward 0 and are not imitated");
  expect(text).toContain("learned from 10 rollouts");
  expect(text).not.toContain("TGC");
  expect(text).toMatch(/serve --openai .*run +serve the policy to your agent/);
  expect(readRollouts(out, "train-0001")).toHaveLength(40);
});

test.each<[string, readonly string[], RegExp]>([
  [
    "a missing file",
    ["--recordings", join(folder, "none")],
    /^error: recordings: cannot read .*none/,
  ],
  ["a world", ["--recordings", logs, "--world", "toy"], /^error: --recordings: .* got --world/],
  [
    "another setting",
    ["smoke", "--recordings", logs],
    /^error: --recordings: .* the setting smoke/,
  ],
  [
    "a method that needs log-probs",
    ["--recordings", logs, "--method", "grpo"],
    /^error: method: expected dmpo, ei, rft to learn from recordings, got grpo/,
  ],
])("train --recordings is refused for %s, and makes no run", async (_, args, message) => {
  const out = join(folder, "refused");
  const { code, text } = await runTrain(...args, "--out", out);
  expect(text).toMatch(message);
  expect(code).toBe(2);
  expect(existsSync(out)).toBe(false);
});
