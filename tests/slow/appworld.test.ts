/** Plays AppWorld's adapter on a fake of its servers: both dialects, lost servers, and cells that do not come back. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Episode } from "../../src/spec/index.ts";
import { type AppWorld, openAppWorld } from "../../src/world/appworld/appworld.ts";
import type { AppWorldDefinition } from "../../src/world/appworld/define.ts";
import { resolveDials } from "../../src/world/dials/index.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const FAKE = fileURLToPath(new URL("../support/fake-appworld.mjs", import.meta.url));
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Makes an installation with invented tasks: two scenarios of train, of which one is of difficulty 3, and one of dev. */
function makeRoot(): string {
  const root = mkdtempSync(join(tmpdir(), "bowline-appworld-"));
  closers.push(() => rmSync(root, { recursive: true, force: true }));
  const write = (path: string, text: string) => {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write("data/datasets/train.txt", "aaaaaa1_1\naaaaaa1_2\naaaaaa1_3\nbbbbbb1_1\n");
  write("data/datasets/dev.txt", "bbbbbb2_1\n");
  write("data/datasets/test_normal.txt", "aaaaaa9_1\n");
  for (const id of ["aaaaaa1_1", "aaaaaa1_2", "aaaaaa1_3"]) {
    write(`data/tasks/${id}/ground_truth/metadata.json`, '{"difficulty":1}');
  }
  write("data/tasks/bbbbbb1_1/ground_truth/metadata.json", '{"difficulty":3}');
  return root;
}

async function openFake(
  others: Partial<AppWorldDefinition> = {},
  version = "0.1.3.post1",
): Promise<{ readonly world: AppWorld; readonly root: string }> {
  const root = makeRoot();
  const command = ["env", `FAKE_APPWORLD=${version}`, process.execPath, FAKE];
  const limits = { cellSeconds: 1, graceMs: 60_000, servers: 2 };
  const dials = resolveDials();
  const world = await openAppWorld({ root, command, ...limits, ...others }, { seed: 1, dials });
  closers.push(() => world.close());
  return { world, root };
}

const TASK = "train/aaaaaa1/1";
const SOLUTION = 'box.append("cup")\napis.supervisor.complete_task()';
const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};

async function play(world: AppWorld, code: string): Promise<Episode> {
  const episode = await world.open(TASK);
  closers.push(() => episode.close());
  await episode.step(code);
  return episode;
}

describe.each(["0.1.3.post1", "0.2.0"])("a server of version %s", (version) => {
  test("tasks are listed, played and judged by the server's own tests", async () => {
    const { world } = await openFake({}, version);
    expect(world.tasks("train").map(({ id }) => id)).toEqual([
      "train/aaaaaa1/1",
      "train/aaaaaa1/2",
      "train/aaaaaa1/3",
    ]);
    const [task] = world.tasks("train");
    expect(task).toMatchObject({ scenario: "train/aaaaaa1", difficulty: 1 });
    expect(task!.instruction).toBe(
      "I am Ada Low, with the email address ada@example.com and the phone number 555. Put a cup into the box.",
    );
    const episode = await world.open(TASK);
    expect(await episode.step("x = 5")).toMatchObject({
      text: "Execution successful.",
      stdout: "",
    });
    expect(await episode.step("print(x)")).toMatchObject({
      status: "ok",
      stdout: "5\n",
      text: "5",
    });
    expect(await episode.step("print(y)")).toMatchObject({
      status: "error",
      error: { name: "NameError", message: "name 'y' is not defined" },
    });
    expect((await episode.step("sleep_past_limit()")).limit).toBe("wall-clock");
    expect(await episode.evaluate()).toEqual({
      passed: false,
      finished: false,
      checks: [
        { name: "the box has nothing else", label: "guard", passed: true },
        { name: "the box has a cup", label: "progress", passed: false },
      ],
    });
    expect((await episode.step(SOLUTION)).finished).toBe(true);
    expect(await episode.evaluate()).toMatchObject({ passed: true, finished: true });
    await episode.close();
  });
});

test.each([
  ["dies", "die()"],
  ["answers garbage", "garbage()"],
  ["has lost its database", "closed()"],
])(
  "an episode whose server %s goes on with another one, where its cells ran again",
  async (_, fault) => {
    const { world, root } = await openFake();
    const before = world.processIds;
    const episode = await play(world, "x = 7");
    expect((await episode.step(`${fault}\nprint(x)`)).text).toBe("7");
    expect((await episode.step(SOLUTION)).finished).toBe(true);
    expect((await episode.evaluate()).passed).toBe(true);
    expect(before.filter(isAlive)).toEqual([]);
    expect(readFileSync(join(root, "requests.log"), "utf8").match(/initialize/g)).toHaveLength(2);
  },
);

test("a server that is lost twice fails the episode, which gets no reward, and the next episode plays", async () => {
  const { world } = await openFake();
  const episode = await world.open(TASK);
  await expect(episode.step("always_die()")).rejects.toThrow("AppWorld aaaaaa1_1: /execute");
  await episode.close();
  const other = await play(world, SOLUTION);
  expect((await other.evaluate()).passed).toBe(true);
});

test("an answer of another shape is no answer, and no output is invented for it", async () => {
  const { world } = await openFake();
  const episode = await world.open(TASK);
  await expect(episode.step("wrong_shape()")).rejects.toThrow("expected string");
  await episode.close();
});

test("a cell that does not come back is ended with its server, and the cells before it still count", async () => {
  const { world } = await openFake({ graceMs: 500 });
  const [pid] = world.processIds;
  const episode = await play(world, 'box.append("cup")');
  expect(await episode.step("hang()")).toMatchObject({ status: "limit", limit: "wall-clock" });
  expect(isAlive(pid!)).toBe(false);
  expect((await episode.step("print(box)")).text).toBe('["cup"]');
});

test("an episode that is closed while a cell runs ends its server, so that the next episode need not wait", async () => {
  const { world } = await openFake({ servers: 1 });
  const [pid] = world.processIds;
  const episode = await play(world, "x = 1");
  const lost = episode.step("hang()").catch((error: Error) => error);
  await new Promise((resolve) => setTimeout(resolve, 200));
  await episode.close();
  expect(isAlive(pid!)).toBe(false);
  const other = await play(world, SOLUTION);
  expect((await other.evaluate()).passed).toBe(true);
  expect(await lost).toBeInstanceOf(Error);
});

test("a fork has the same state on a server of its own, and then goes its own way", async () => {
  const { world } = await openFake();
  const episode = await play(world, 'x = 3\nbox.append("cup")');
  const fork = await episode.fork();
  closers.push(() => fork.close());
  expect((await fork.step("print(x)")).text).toBe("3");
  await fork.step('box.append("pen")');
  expect((await episode.step("print(box)")).text).toBe('["cup"]');
  expect((await fork.step("print(box)")).text).toBe('["cup","pen"]');
});

test("a fork of an episode whose cells answer otherwise the second time fails, instead of going on in another state", async () => {
  const { world } = await openFake();
  const episode = await play(world, "print(chance())");
  const fork = await episode.fork();
  await expect(fork.step("x = 1")).rejects.toThrow(
    "a cell that ran again on another server answered",
  );
  await fork.close();
});

test("episodes wait for a server, servers are reused, and a server is replaced after its number of episodes", async () => {
  const { world } = await openFake({ servers: 2, episodesPerServer: 3 });
  const seen = new Set<number>();
  const one = async () => {
    const episode = await world.open(TASK);
    expect((await episode.step(SOLUTION)).finished).toBe(true);
    for (const pid of world.processIds) seen.add(pid);
    expect(world.processIds.length).toBeLessThanOrEqual(2);
    await episode.close();
  };
  await Promise.all(Array.from({ length: 8 }, one));
  expect(seen.size).toBeGreaterThanOrEqual(3);
  expect(seen.size).toBeLessThan(8);
});

test("of a test split only totals are shown", async () => {
  const { world } = await openFake({ splits: ["test-normal"] });
  const episode = await world.open("test-normal/aaaaaa9/1");
  await episode.step("x = 1");
  const { checks } = await episode.evaluate();
  expect(checks.map(({ name }) => name)).toEqual(["a test", "a test"]);
  await episode.close();
  expect(() => world.tasks("train")).toThrow("the split train of AppWorld is not open");
});

test("closing the world ends every server", async () => {
  const { world, root } = await openFake();
  await play(world, "x = 1");
  await play(world, "x = 1");
  const pids = world.processIds;
  expect(pids).toHaveLength(2);
  await world.close();
  expect(pids.filter(isAlive)).toEqual([]);
  expect(readdirSync(join(root, "experiments"))).toHaveLength(2);
});

test("a program that is not there, and an installation without data, are named", async () => {
  await expect(
    openFake({ command: [process.execPath, "-e", "throw Error('no data')"] }),
  ).rejects.toThrow(/AppWorld's server ended: .*; does `.* serve environment --port \d+/s);
  const root = makeRoot();
  rmSync(join(root, "data"), { recursive: true });
  await expect(openFake({ root })).rejects.toThrow("`appworld download data` brings the data");
  expect(existsSync(root)).toBe(true);
});
