/**
 * Trains a tiny model in a world that three servers serve, of which one is killed between the first rollouts and one is
 * started again. Everything that the run writes equals what a run in this process writes, byte for byte. A second
 * command then continues the finished run by the names of other hosts.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OpenEnvServer, startOpenEnvServer } from "../../src/server/index.ts";
import { resolveConfig, resolveWorld, train } from "../../src/train/index.ts";
import { type OpenedWorld, openWorld } from "../../src/world/index.ts";
import { createTemporaryFolder } from "../e2e/support/cli.ts";
import { changeWorld } from "../support/changed-world.ts";

const SETTING = {
  ...{ "world.trainScenarios": 20, "evaluation.scenarios": 1 },
  ...{ "warm.demonstrations": 24, "warm.epochs": 1 },
  ...{ "algo.iterations": 1, "algo.tasksPerIteration": 3, "algo.groupSize": 4 },
};
const SERVED = { splits: ["train", "dev", "test-normal"], scenarios: 20, solutions: true } as const;
const folder = createTemporaryFolder();
let toy: OpenedWorld;
beforeAll(async () => {
  toy = await openWorld(resolveWorld("toy").url, { seed: 1 });
});
afterAll(async () => {
  await toy.close();
  folder.remove();
});

const configure = (world: string) =>
  resolveConfig({ recipe: "smoke", overrides: { ...SETTING, "world.name": world } });

/** Returns the digests of all files of rollouts and of the metrics. */
function digestRun(directory: string): Record<string, string> {
  const rollouts = readdirSync(join(directory, "rollouts")).map((name) => join("rollouts", name));
  const digest = (name: string) =>
    createHash("sha256")
      .update(readFileSync(join(directory, name)))
      .digest("hex");
  return Object.fromEntries([...rollouts, "metrics.jsonl"].map((name) => [name, digest(name)]));
}

test("a training over three hosts, one of them killed and one started again, equals one in this process", async () => {
  const [here, there] = [join(folder.path, "here"), join(folder.path, "there")];
  await train(configure("toy"), { out: here });
  let opened = 0;
  let disturbance: Promise<unknown> | undefined;
  const world = changeWorld(toy, {
    open(taskId) {
      if (++opened === 8) disturbance = disturb();
      return toy.open(taskId);
    },
  });
  const serve = (port = 0) => startOpenEnvServer({ ...SERVED, world, port });
  const servers: OpenEnvServer[] = [await serve(), await serve(), await serve()];
  const [killed, restarted, kept] = servers as [OpenEnvServer, OpenEnvServer, OpenEnvServer];
  const hosts = servers.map(({ url }) => url).join(",");
  const disturb = async () => {
    await killed.close();
    await restarted.close();
    servers.push(await serve(restarted.port));
  };
  try {
    await train(configure(`openenv:${hosts}`), { out: there });
    await disturbance;
    expect(opened).toBeGreaterThan(20);
    expect(digestRun(there)).toEqual(digestRun(here));
    const again = await train(configure(`openenv:${kept.url}`), { out: there });
    expect(again.rollouts).toBe(12);
  } finally {
    for (const server of servers) await server.close();
  }
}, 120_000);
