/** Trains and scores in an environment from the command line, and checks that a run from elsewhere starts nothing. */
import { cpSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createTemporaryFolder, runBowline } from "./support/cli.ts";

const folder = createTemporaryFolder();
afterAll(() => folder.remove());
const mark = join(folder.path, "started");
const bowline = (args: readonly string[], home: string) =>
  runBowline(args, { cwd: folder.path, env: { BOWLINE_HOME: join(folder.path, home) } });

test("a run in an environment is scored in it again, and elsewhere only after it was trusted", async () => {
  const messages = [
    { role: "user", content: "a" },
    { role: "assistant", content: "b" },
  ];
  writeFileSync(join(folder.path, "start.jsonl"), `${JSON.stringify({ messages })}\n`.repeat(2));
  const environment = {
    command: `: > ${mark}; echo '{"reward": 0.5}'`,
    tasks: { train: [1], test: [2] },
    conversations: "start.jsonl",
  };
  writeFileSync(join(folder.path, "env.json"), JSON.stringify(environment));
  const small = ["--model.layers", "1", "--model.hidden-size", "32", "--model.heads", "2"];
  const fields = ["--tokenizer.vocabulary-size", "300", "--warm.rows", "2", "--run.gates", "off"];
  const iterations = ["--algo.iterations", "1", "--algo.tasks-per-iteration", "1"];
  const args = ["train", "--environment", "./env.json", ...small, ...fields, ...iterations];
  const dry = await bowline([...args, "--out", "own", "--dry-run"], "home");
  expect([dry.code, dry.stderr]).toEqual([0, ""]);
  expect(dry.stdout).toMatch(
    /limits are those of the setting\.\n {2}Nothing was trained or written/,
  );
  const shown = await bowline([...args, "--dry-run", "--json"], "home");
  expect(JSON.parse(shown.stdout)).toMatchObject({ config: { algo: { iterations: 1 } } });
  expect([existsSync(mark), existsSync(join(folder.path, "own"))]).toEqual([false, false]);
  const trained = await bowline([...args, "--out", "own"], "home");
  expect([trained.code, trained.stderr]).toEqual([0, ""]);
  const own = await bowline(["eval", "own", "--json"], "home");
  expect(JSON.parse(own.stdout)).toMatchObject({ tasks: 1, reward: 0.5, world: "tasks" });

  cpSync(join(folder.path, "own"), join(folder.path, "foreign"), { recursive: true });
  rmSync(mark);
  const refused = await bowline(["eval", "foreign"], "other-home");
  expect(refused.stderr).toMatch(/environment: .*you have not trusted.*bowline trust foreign/);
  expect([refused.code, existsSync(mark)]).toEqual([1, false]);
  expect((await bowline(["trust", "foreign"], "other-home")).stdout).toContain("(environment)");
  expect((await bowline(["eval", "foreign"], "other-home")).code).toBe(0);
  expect(existsSync(mark)).toBe(true);
}, 120_000);
