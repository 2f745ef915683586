/**
 * Trains in foreign worlds by the command line, as a user does, and scores the trained policies: behind one door a check
 * of the world's author judges, behind the other one the environment gives its own rewards. `tests/all` kills such runs.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { rolloutSchema } from "../../src/spec/index.ts";
import { createTemporaryFolder, ROOT, runBowline } from "../e2e/support/cli.ts";
import { type DoorName, startListServer } from "../support/foreign/doors.ts";

const folder = createTemporaryFolder();
afterAll(folder.remove);
const WORLD = join(ROOT, "tests/support/foreign/list-world.ts");
const SETTING = [
  ...["--warm.demonstrations", "120", "--algo.iterations", "1", "--algo.tasks-per-iteration", "4"],
  ...["--world.train-scenarios", "40", "--evaluation.scenarios", "2"],
];

async function runAndRead(args: readonly string[], env: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await runBowline([...args], { cwd: ROOT, env });
  expect({ args, code, stderr: code === 0 ? "" : stderr }).toEqual({ args, code: 0, stderr: "" });
  return stdout;
}

test.each<[DoorName, boolean]>([
  ["mcp", false],
  ["openenv", true],
])("a policy is trained and scored in a world behind the door %s", async (door, hasOwnReward) => {
  const server = door === "mcp" ? undefined : await startListServer({});
  const env = { LIST_DOOR: door, ...(server && { LIST_URL: server.url }) };
  const out = join(folder.path, door);
  try {
    await runAndRead(["train", "smoke", "--world", WORLD, "--out", out, ...SETTING], env);
    const files = readdirSync(join(out, "rollouts")).filter((name) => name.startsWith("train"));
    const rollouts = files.flatMap((name) => {
      const lines = readFileSync(join(out, "rollouts", name), "utf8")
        .trim()
        .split("\n");
      return lines.map((line) => rolloutSchema.parse(JSON.parse(line)));
    });
    expect(rollouts.length).toBeGreaterThanOrEqual(16);
    for (const { outcome, evaluation } of rollouts) {
      expect([outcome, evaluation?.reward !== undefined]).toEqual([
        expect.not.stringMatching("failed"),
        hasOwnReward,
      ]);
    }
    const scores = JSON.parse(
      await runAndRead(["eval", out, "--split", "dev", "--scenarios", "2", "--json"], env),
    );
    expect(JSON.stringify(scores)).toContain('"tasks":6');
  } finally {
    await server?.stop();
  }
});
