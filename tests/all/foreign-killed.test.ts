/**
 * Kills a run in a foreign world at ten points. With a deterministic server it ends with the files of an uninterrupted
 * run. With another server, rollouts that were finished stay as they are, and none is played twice. No server survives.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createTemporaryFolder, ROOT, runBowline } from "../e2e/support/cli.ts";
import { readRunFiles } from "../support/tinker-run.ts";

const folder = createTemporaryFolder();
afterAll(folder.remove);
const WORLD = join(ROOT, "tests/support/list-world.ts");
const MARK = `killed-${process.pid}`;
const KILLS = 10;
const SETTING = [
  ...["--warm.demonstrations", "120", "--algo.iterations", "3", "--algo.tasks-per-iteration", "4"],
  ...["--world.train-scenarios", "40", "--evaluation.scenarios", "2"],
];

/** Runs the training, and kills it as soon as the run has `killAtRollouts` finished rollouts. Returns whether it was. */
async function train(
  out: string,
  env: Record<string, string>,
  killAtRollouts = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const { code, stderr } = await runBowline(
    ["train", "smoke", "--world", WORLD, "--out", out, ...SETTING],
    {
      cwd: ROOT,
      env: { LIST_MARK: MARK, ...env },
      onStart: (child) => {
        timer = setInterval(() => {
          if (countRollouts(out) >= killAtRollouts) child.kill("SIGKILL");
        }, 20);
      },
    },
  );
  clearInterval(timer);
  if (code !== null) expect({ code, stderr }).toMatchObject({ code: 0 });
  return code === null;
}

/** Counts the lines of finished rollouts in a run directory, those in journals included. */
function countRollouts(out: string): number {
  const files = ["journal", "rollouts"].flatMap((name) => {
    const path = join(out, name);
    return existsSync(path) ? readdirSync(path).map((file) => join(path, file)) : [];
  });
  const counts = files.map((file) => {
    try {
      return readFileSync(file, "utf8").split("\n").length - 1;
    } catch {
      return 0; // The file was removed in the meantime.
    }
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Kills the run at ten points that are spread over its rollouts. After each kill, `look` sees the directory. */
async function killTenTimes(
  out: string,
  env: Record<string, string>,
  rollouts: number,
  look: () => void,
) {
  let kills = 0;
  for (let i = 1; i <= KILLS; i++) {
    kills += (await train(out, env, (rollouts * i) / (KILLS + 1))) ? 1 : 0;
    await expect.poll(countServers, { timeout: 60_000, interval: 200 }).toBe(0);
    look();
  }
  await train(out, env);
  return kills;
}

test("with a deterministic server, a killed run equals an uninterrupted one", async () => {
  const [whole, killed] = [join(folder.path, "whole"), join(folder.path, "killed")];
  await train(whole, {});
  const rollouts = countRollouts(whole);
  const kills = await killTenTimes(killed, {}, rollouts, () => {});
  console.log(`killed ${kills} times in a run of ${rollouts} rollouts`);
  expect(kills).toBe(KILLS);
  expect(readRunFiles(killed)).toEqual(readRunFiles(whole));
}, 1_800_000);

test("with another server, finished rollouts stay as they are and none is played twice", async () => {
  const out = join(folder.path, "other");
  const env = { LIST_CLOCK: "1" };
  const whole = join(folder.path, "clock");
  await train(whole, env);
  const seen = new Map<string, string>();
  const kills = await killTenTimes(out, env, countRollouts(whole), () => {
    for (const [id, line] of readJournals(out)) {
      if (seen.has(id)) expect(line).toBe(seen.get(id));
      seen.set(id, line);
    }
  });
  expect(kills).toBe(KILLS);
  expect(seen.size).toBeGreaterThan(0);
  const lines = new Set(
    readdirSync(join(out, "rollouts")).flatMap((name) =>
      readFileSync(join(out, "rollouts", name), "utf8").split("\n"),
    ),
  );
  const training = [...seen].filter(([id]) => /^train/.test(id));
  console.log(`${kills} kills, ${seen.size} finished rollouts seen in journals`);
  expect(training.filter(([, line]) => !lines.has(line)).map(([id]) => id)).toEqual([]);
}, 1_800_000);

/** Returns the finished rollouts in the journals by file and id. A rollout that stands there twice was played twice. */
function readJournals(out: string): Map<string, string> {
  const path = join(out, "journal");
  if (!existsSync(path)) return new Map();
  const found = new Map<string, string>();
  for (const name of readdirSync(path)) {
    const lines = readFileSync(join(path, name), "utf8").split("\n").slice(0, -1);
    for (const line of lines) {
      const { id, evaluation } = JSON.parse(line);
      const key = `${name} ${id}`;
      if (evaluation === undefined) continue;
      expect([key, found.has(key)]).toEqual([key, false]);
      found.set(key, line);
    }
  }
  return found;
}

/** Counts the servers of this test that are alive. */
function countServers(): number {
  return readdirSync("/proc").filter((id) => {
    try {
      return /^\d+$/.test(id) && readFileSync(`/proc/${id}/cmdline`, "utf8").includes(MARK);
    } catch {
      return false;
    }
  }).length;
}
