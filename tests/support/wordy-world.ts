/** Makes a fake world in which nearly every field of a configuration changes something. */
import type { Episode, World } from "../../src/spec/index.ts";
import { fakeWorld } from "../../src/testing/fake-world.ts";

/**
 * Creates a world whose observations have several lines, so that limits on them matter, and whose tasks have all
 * difficulties. Code of odd length fails, and all code but the empty one calls an API. `onOpen` is called with the
 * number of open episodes whenever one opens.
 */
export function createWordyWorld(onOpen: (openEpisodes: number) => void = () => {}): World {
  const world = fakeWorld();
  let openEpisodes = 0;
  const makeWordy = (episode: Episode): Episode => {
    onOpen(++openEpisodes);
    return {
      ...episode,
      step: async (code) => {
        const result = await episode.step(code);
        const call = { app: "fake", api: "say", args: {}, status: 200, wrote: false };
        const text = `${result.text}\nand more is said\nand then some`;
        const status = code.length % 2 === 1 ? "error" : "ok";
        return { ...result, text, status, calls: code === "" ? [] : [call] };
      },
      fork: async () => makeWordy(await episode.fork()),
      close: async () => {
        openEpisodes -= 1;
        await episode.close();
      },
    };
  };
  const tasks: World["tasks"] = (split, scenarios) =>
    world.tasks(split, scenarios).map((task, i) => ({
      ...task,
      difficulty: ([1, 2, 3] as const)[i % 3]!,
    }));
  return { ...world, tasks, open: async (id) => makeWordy(await world.open(id)) };
}
