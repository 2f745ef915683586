/** A fake world in which nearly every field of a configuration makes a difference. */
import type { Episode, World } from "../../src/spec/index.ts";
import { fakeWorld } from "../../src/testing/fake-world.ts";

/**
 * Observations with several lines, so that their limits can be felt; tasks of all difficulties; code of odd length fails, and every code but the
 * empty one calls an API. `peak` hears how many episodes live whenever one begins.
 */
export function createWordyWorld(peak: (live: number) => void = () => {}): World {
  const world = fakeWorld();
  let live = 0;
  const wordy = (episode: Episode): Episode => {
    peak(++live);
    return {
      ...episode,
      step: async (code) => {
        const result = await episode.step(code);
        const call = { app: "fake", api: "say", args: {}, status: 200, wrote: false };
        const text = `${result.text}\nand more is said\nand then some`;
        const status = code.length % 2 === 1 ? "error" : "ok";
        return { ...result, text, status, calls: code === "" ? [] : [call] };
      },
      fork: async () => wordy(await episode.fork()),
      close: async () => {
        live -= 1;
        await episode.close();
      },
    };
  };
  const tasks: World["tasks"] = (split, scenarios) =>
    world.tasks(split, scenarios).map((task, i) => ({
      ...task,
      difficulty: ([1, 2, 3] as const)[i % 3]!,
    }));
  return { ...world, tasks, open: async (id) => wordy(await world.open(id)) };
}
