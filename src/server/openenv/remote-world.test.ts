/** Plays worlds on servers of this machine that are killed, slow, started again, full, or serve something else. */
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, createServer as createLine, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { changeWorld } from "../../../tests/support/changed-world.ts";
import type { Episode, StepResult } from "../../spec/index.ts";
import { resolveWorld } from "../../train/index.ts";
import type { OpenedWorld } from "../../world/index.ts";
import {
  openWorld,
  type RemoteWorldOptions,
  remoteWorld,
  resolveDials,
} from "../../world/index.ts";
import { type OpenEnvServer, type OpenEnvServerOptions, startOpenEnvServer } from "./server.ts";

let toy: OpenedWorld;
const closers: (() => Promise<unknown> | undefined)[] = [];

beforeAll(async () => {
  toy = await openWorld(resolveWorld("toy").url, { seed: 1 });
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});
afterAll(() => toy.close());

async function serve(options: Partial<OpenEnvServerOptions> = {}): Promise<OpenEnvServer> {
  const server = await startOpenEnvServer({ world: toy, solutions: true, ...options });
  closers.push(() => server.close());
  return server;
}

async function play(
  hosts: readonly (OpenEnvServer | string)[],
  options: Partial<RemoteWorldOptions> = {},
  seed = 1,
): Promise<OpenedWorld> {
  const urls = hosts.map((host) => (typeof host === "string" ? host : host.url));
  const limits = { startMs: 0, healthMs: 200, patienceMs: 50, recoveryMs: 300, ...options };
  const definition = remoteWorld({ hosts: urls, ...limits });
  const world = await definition.openWorld({ seed, dials: resolveDials({}) });
  closers.push(() => world.close());
  return world;
}

/** The toy world whose episodes run cells in another way. */
function changeSteps(step: (episode: Episode, code: string) => Promise<StepResult>): OpenedWorld {
  const open = async (taskId: string): Promise<Episode> => {
    const episode = await toy.open(taskId);
    return {
      task: episode.task,
      step: (code) => step(episode, code),
      evaluate: () => episode.evaluate(),
      fork: () => episode.fork(),
      close: () => episode.close(),
    };
  };
  return changeWorld(toy, { open });
}

/** A line to a server. Once it is frozen, it passes nothing on and closes nothing. */
async function openLine(port: number) {
  let isFrozen = false;
  let connections = 0;
  const sockets: Socket[] = [];
  const server = createLine((near) => {
    connections += 1;
    const far = connect(port, "127.0.0.1");
    for (const [from, to] of [[near, far] as const, [far, near] as const]) {
      sockets.push(from);
      from.on("data", (bytes) => isFrozen || to.write(bytes));
      from.on("error", () => {});
      from.on("close", () => isFrozen || to.destroy());
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    freeze: () => {
      isFrozen = true;
    },
    get connections() {
      return connections;
    },
  };
}

const [TASK] = await (async () => {
  const world = await openWorld(resolveWorld("toy").url, { seed: 1 });
  const tasks = world.tasks("train");
  await world.close();
  return tasks as [(typeof tasks)[number]];
})();
const CELLS = [
  "print(apis.docs.listApps({})); let count = 1; count",
  "count += 1; print(count, Math.random()); apis.nowhere.go({})",
  "print(count); for (;;) {}",
  "print(count, Date.now()); apis.me.finishTask({})",
  "print('after the end')",
];

/** Plays cells and returns everything that a rollout records of them. */
async function playCells(
  world: Pick<OpenedWorld, "open">,
  afterCell: (place: number) => unknown = () => {},
): Promise<unknown> {
  const episode = await world.open(TASK.id);
  try {
    const results = [];
    for (const [place, code] of CELLS.entries()) {
      results.push(await episode.step(code), await episode.evaluate());
      await afterCell(place);
    }
    return JSON.parse(JSON.stringify([episode.task, results]));
  } finally {
    await episode.close();
  }
}

describe("a remote world answers as the world in this process", () => {
  test("its tasks, APIs, results, evaluations, forks and solutions", async () => {
    const world = await play([await serve(), await serve()]);
    expect([world.name, world.seed, world.splits]).toEqual(["toy", 1, ["train", "dev"]]);
    expect(world.tasks("train")).toEqual(toy.tasks("train"));
    expect(world.tasks("dev", 2)).toEqual(toy.tasks("dev", 2));
    expect(world.describeApis()).toEqual(JSON.parse(JSON.stringify(toy.describeApis())));
    expect(await playCells(world)).toEqual(await playCells(toy));
    const solution = await world.demonstrate(TASK.id, "careful", 7);
    expect(solution).toEqual(
      JSON.parse(JSON.stringify(await toy.demonstrate(TASK.id, "careful", 7))),
    );
    const [one, other] = [await world.open(TASK.id), await toy.open(TASK.id)];
    for (const episode of [one, other]) await episode.step("let x = 1");
    const [fork, otherFork] = [await one.fork(), await other.fork()];
    expect(await fork.step("print(x++)")).toEqual(await otherFork.step("print(x++)"));
    expect(await one.step("print(x)")).toEqual(await other.step("print(x)"));
    for (const episode of [one, other, fork, otherFork]) await episode.close();
    await expect(one.step("1")).rejects.toThrow("this episode of train/0/1 is closed");
  });

  test("when each host is killed in turn in the middle of an episode, and started again", async () => {
    let [first, second] = [await serve(), await serve()];
    const world = await play([first, second]);
    const result = await playCells(world, async (place) => {
      if (place % 2 === 0) {
        await first.close();
        first = await serve({ port: first.port });
      } else {
        await second.close();
        second = await serve({ port: second.port });
      }
    });
    expect(result).toEqual(await playCells(toy));
  });

  test("when a host is slower than the time limit, and another one is not", async () => {
    let slowCells = 0;
    const slow = changeSteps(async (episode, code) => {
      slowCells += 1;
      await sleep(500);
      return episode.step(code);
    });
    const world = await play([await serve({ world: slow }), await serve()], {
      answerTimeoutMs: 400,
    });
    expect(await playCells(world)).toEqual(await playCells(toy));
    expect(slowCells).toBeGreaterThan(0);
  });

  test("when a host stops answering in the middle of an episode, and its sockets stay open", async () => {
    const line = await openLine((await serve()).port);
    const world = await play([line.url, await serve()], { answerTimeoutMs: 30_000 });
    const start = Date.now();
    const result = await playCells(world, (place) => {
      if (place === 0) line.freeze();
    });
    expect(result).toEqual(await playCells(toy));
    expect([line.connections > 0, Date.now() - start < 30_000]).toEqual([true, true]);
  });

  test("when there are more episodes than places, also places that others take", async () => {
    const [first, second] = [await serve({ maxEpisodes: 2 }), await serve({ maxEpisodes: 1 })];
    const [world, others] = [await play([first, second]), await play([first])];
    const held = await others.open(TASK.id);
    await held.step("1");
    const episodes = await Promise.all(Array.from({ length: 6 }, () => world.open(TASK.id)));
    for (let round = 1; round <= 2; round++) {
      const texts = await Promise.all(
        episodes.map(async (one, i) => (await one.step(`globalThis.n ??= ${i}; print(n++)`)).text),
      );
      expect(texts).toEqual(episodes.map((_, i) => `${i + round - 1}`));
    }
    for (const episode of [...episodes, held]) await episode.close();
  });
});

describe("a remote world refuses", () => {
  test("hosts that cannot be reached, and names them", async () => {
    const dead = await serve();
    await dead.close();
    await expect(play([await serve(), dead])).rejects.toThrow(
      new RegExp(`1 of 2 hosts cannot be reached: .*${dead.port}.*ECONNREFUSED.*start each`),
    );
  });

  test("hosts that serve another version, seed or world than the first one or the run", async () => {
    const good = await serve();
    const newer = await serve({ world: changeWorld(toy, { version: "9" }) });
    const other = await serve({ world: changeWorld(toy, { name: "other" }) });
    await expect(play([good, newer])).rejects.toThrow("version (there 9, here none)");
    await expect(play([good, other])).rejects.toThrow("name (there other, here toy)");
    await expect(play([good], {}, 2)).rejects.toThrow("seed (there 1, here 2)");
    const fewer = await serve({ scenarios: 3 });
    await expect(play([good, fewer])).rejects.toThrow(/tasks of train \(there 9, here \d+\)/);
    const world = await play([fewer]);
    expect(() => world.tasks("train", 4)).toThrow("start them with --scenarios 4");
  });

  test.each([
    ["in the middle of an episode", 1],
    ["before the first cell", 0],
  ])(
    "a host that comes back with another version %s, when there is no other host",
    async (_, cells) => {
      const first = await serve();
      const world = await play([first], { recoveryMs: 1500 });
      const episode = await world.open(TASK.id);
      for (let i = 0; i < cells; i++) await episode.step("1");
      await first.close();
      await serve({ port: first.port, world: changeWorld(toy, { version: "9" }) });
      await expect(episode.step("2")).rejects.toThrow(
        /no host of the world could be used for 1\.5 s: .*version \(there 9, here none\); start one/,
      );
      await episode.close();
    },
  );

  test("a host whose answers differ from those of another host", async () => {
    const liar = changeSteps(async (episode, code) => {
      const result = await episode.step(code);
      return { ...result, text: `${result.text}!` };
    });
    const first = await serve();
    const world = await play([first, await serve({ world: liar })]);
    const episode = await world.open(TASK.id);
    await episode.step("print(1)");
    await first.close();
    await expect(episode.step("print(2)")).rejects.toThrow(
      /the hosts disagree: cell 1 of task train\/0\/1 ran again on .* answered "1!"/,
    );
  });

  test("a wrong key, solutions that are not handed out, and a server of something else", async () => {
    const locked = await serve({ key: "secret", solutions: false });
    await expect(play([locked], { key: "wrong" })).rejects.toThrow("BOWLINE_OPENENV_KEY");
    const world = await play([locked], { key: "secret" });
    expect(world.hasSolutions).toBe(false);
    await expect(world.demonstrate(TASK.id, "careful", 1)).rejects.toThrow("--solutions");
    const stranger = createServer((_, response) => response.end("[]")).listen(0, "127.0.0.1");
    await once(stranger, "listening");
    closers.push(async () => stranger.close());
    const { port } = stranger.address() as { readonly port: number };
    await expect(play([`http://127.0.0.1:${port}`])).rejects.toThrow("lists no environment");
  });

  test.each([
    ["openenv:", "expected http or https URLs"],
    ["openenv:127.0.0.1:80", "expected http or https URLs"],
    ["openenv:http://me:secret@127.0.0.1:80", "without password"],
    ["openenv:http://127.0.0.1:80,http://127.0.0.1:80/", "each host once"],
  ])("the name %s", (name, problem) => {
    expect(() => resolveWorld(name)).toThrow(problem);
    expect(() => resolveWorld(name)).not.toThrow("secret@");
  });
});
