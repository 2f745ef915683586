/**
 * Kills runs in foreign worlds at ten points, one behind each door. With a deterministic program a run ends with the
 * files of an uninterrupted one. With another program, rollouts that were finished stay as they are, and none is played
 * twice. No program of a door survives.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createTemporaryFolder, ROOT, runBowline } from "../e2e/support/cli.ts";
import { DOOR_NAMES, startListServer } from "../support/foreign/doors.ts";
import { readRunFiles } from "../support/tinker-run.ts";

const folder = createTemporaryFolder();
afterAll(folder.remove);
const WORLD = join(ROOT, "tests/support/foreign/list-world.ts");
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
  const countLines = (name: string): number => {
    const path = join(out, name);
    try {
      const texts = readdirSync(path).map((file) => readFileSync(join(path, file), "utf8"));
      return texts.reduce((sum, text) => sum + text.split("\n").length - 1, 0);
    } catch {
      return 0; // The folder or a file of it is not there now. The next look counts again.
    }
  };
  return countLines("journal") + countLines("rollouts");
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

describe.each(DOOR_NAMES)("behind the door %s", (door) => {
  /** Runs `work` with the environment variables of a world behind this door. */
  async function withDoor(
    clock: Record<string, string>,
    work: (env: Record<string, string>, path: (name: string) => string) => Promise<void>,
  ) {
    const server = door === "mcp" ? undefined : await startListServer(clock);
    const isClock = Object.keys(clock).length > 0;
    const env = { LIST_DOOR: door, ...(server && { LIST_URL: server.url }) };
    try {
      await work({ ...env, ...(isClock && { LIST_CLOCK: "1" }) }, (name) =>
        join(folder.path, `${door}-${name}`),
      );
    } finally {
      await server?.stop();
    }
  }

  test(
    "with a deterministic program, a killed run equals an uninterrupted one",
    () =>
      withDoor({}, async (env, path) => {
        const [whole, killed] = [path("whole"), path("killed")];
        await train(whole, env);
        const rollouts = countRollouts(whole);
        const kills = await killTenTimes(killed, env, rollouts, () => {});
        console.log(`${door}: killed ${kills} times in a run of ${rollouts} rollouts`);
        expect(kills).toBe(KILLS);
        expect(readRunFiles(killed)).toEqual(readRunFiles(whole));
      }),
    1_800_000,
  );

  test(
    "with another program, finished rollouts stay as they are and none is played twice",
    () =>
      withDoor({ CLOCK: "1" }, async (env, path) => {
        const [whole, out] = [path("clock"), path("clock-killed")];
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
        console.log(`${door}: ${kills} kills, ${seen.size} finished rollouts seen in journals`);
        expect(training.filter(([, line]) => !lines.has(line)).map(([id]) => id)).toEqual([]);
      }),
    1_800_000,
  );
});

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
