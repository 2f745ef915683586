/** Tests that a run stays within `run.memory`: fewer episodes run at once, with the same result, or it does not begin. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createMemoryFolder, FAKE_RUN, fakeMakers } from "../../testing/fake-makers.ts";
import type { Config } from "../config/config.ts";
import { planMemory } from "../config/memory-plan.ts";
import type { TrainEvent } from "../run/events.ts";
import { resolveConfig } from "../settings/resolve.ts";
import { trainWith } from "../train.ts";

const root = createMemoryFolder("bowline-memory-");
afterAll(() => rmSync(root, { recursive: true, force: true }));

const configOf = (memory: number | null): Config =>
  resolveConfig({
    recipe: "smoke",
    overrides: {
      ...FAKE_RUN,
      "run.memory": memory,
      "world.trainScenarios": 4,
      "world.episodes": 12,
      "algo.iterations": 1,
      "algo.tasksPerIteration": 6,
      "algo.groupSize": 4,
      "algo.minibatch": 8,
      "evaluation.scenarios": 2,
    },
  });

/** Trains, and returns the most episodes that were open at once, the metrics and the notes. */
async function train(config: Config, name: string) {
  const makers = fakeMakers();
  const notes: string[] = [];
  let [live, most] = [0, 0];
  const openWorld: typeof makers.openWorld = async (url, options) => {
    const world = await makers.openWorld(url, options);
    const open: typeof world.open = async (id) => {
      const episode = await world.open(id);
      most = Math.max(most, ++live);
      const close = () => {
        live -= 1;
        return episode.close();
      };
      return { ...episode, close };
    };
    return { ...world, open };
  };
  const out = join(root, name);
  const onEvent = (event: TrainEvent) => event.type === "note" && notes.push(event.text);
  await trainWith({ ...makers, openWorld }, config, { out, onEvent });
  return { most, notes, metrics: readFileSync(join(out, "metrics.jsonl"), "utf8") };
}

test("episodes that do not fit wait for their turn, and the result is the same", async () => {
  const all = await train(configOf(null), "all");
  expect(all.most).toBe(12);
  const { programMb, rolloutsMb, episodeMb } = planMemory(configOf(null));
  const few = await train(configOf(programMb + rolloutsMb + Math.ceil(3 * episodeMb)), "few");
  expect(few.most).toBe(Math.floor(Math.ceil(3 * episodeMb) / episodeMb));
  expect(few.most).toBeLessThan(all.most);
  expect(few.metrics).toBe(all.metrics);
  expect(few.notes).toContainEqual(expect.stringMatching(/^at most \d episodes run at once inst/));
});

test("a run that cannot fit is refused before anything is written", async () => {
  await expect(train(configOf(100), "none")).rejects.toThrow(/^run\.memory: the run needs at leas/);
  expect(existsSync(join(root, "none"))).toBe(false);
});
