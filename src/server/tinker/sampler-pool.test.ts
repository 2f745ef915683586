import { expect, it } from "vitest";
import type { Engine } from "../../spec/index.ts";
import type { FrozenWeights } from "./backend.ts";
import { SamplerPool } from "./sampler-pool.ts";

/** Makes a pool of fake engines that record which weights they hold. */
function createPool(size: number, broken = new Set<string>()) {
  const held = new Map<Engine, string>();
  const log: string[] = [];
  const samplerPool = new SamplerPool({
    size,
    createEngine: async () => {
      const engine = {
        load: async (directory: string) => {
          log.push(`load ${directory}`);
          if (broken.has(directory)) throw new Error(`${directory} is broken`);
          held.set(engine, directory);
        },
        close: async () => {
          held.delete(engine);
        },
      } as unknown as Engine;
      log.push("create");
      held.set(engine, "base");
      return engine;
    },
  });
  return { pool: samplerPool, held, log };
}

const createWeights = (directory: string, rank = 4): FrozenWeights => ({
  directory,
  modelId: "m",
  rank,
  trainMlp: true,
  trainAttention: true,
});

it("each call gets an engine with its weights, and there are never more engines than the pool's size", async () => {
  const { pool: samplers, held, log } = createPool(2);
  const names = ["a", "b", "c", "a", "d", "b", "a", "c"];
  const seen = await Promise.all(
    names.map((name) =>
      samplers.runWithWeights(createWeights(name), async (engine) => {
        expect(held.size).toBeLessThanOrEqual(2);
        await new Promise((resolve) => setTimeout(resolve, 2));
        return held.get(engine);
      }),
    ),
  );
  expect(seen).toEqual(names);
  expect(log.filter((line) => line === "create")).toHaveLength(2);
  await samplers.close();
  expect(held.size).toBe(0);
});

it("loaded weights are not read again, and the weights idle for the longest time are replaced", async () => {
  const { pool: samplers, log } = createPool(2);
  const use = (name: string) => samplers.runWithWeights(createWeights(name), async () => {});
  for (const name of ["a", "b", "a", "c", "a", "b"]) await use(name);
  expect(log.filter((line) => line !== "create")).toEqual(["load a", "load b", "load c", "load b"]);
  await samplers.close();
});

it("weights of another shape and the base model get a new engine", async () => {
  const { pool: samplers, held, log } = createPool(1);
  await samplers.runWithWeights(createWeights("a", 4), async () => {});
  await samplers.runWithWeights(createWeights("b", 8), async () => {});
  expect(await samplers.runWithWeights(undefined, async (engine) => held.get(engine))).toBe("base");
  expect(log).toEqual(["create", "load a", "create", "load b", "create"]);
  await samplers.close();
});

it("after a failure the next call gets a working engine", async () => {
  const { pool: samplers, held } = createPool(1, new Set(["bad"]));
  await expect(samplers.runWithWeights(createWeights("bad"), async () => {})).rejects.toThrow(
    "bad is broken",
  );
  expect(
    await samplers.runWithWeights(createWeights("good"), async (engine) => held.get(engine)),
  ).toBe("good");
  const failed = samplers.runWithWeights(createWeights("good"), () =>
    Promise.reject(new Error("died")),
  );
  await expect(failed).rejects.toThrow("died");
  expect(
    await samplers.runWithWeights(createWeights("good"), async (engine) => held.get(engine)),
  ).toBe("good");
  await samplers.close();
});
