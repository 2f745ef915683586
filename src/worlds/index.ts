/**
 * The worlds that come with the package. They are loaded by URL, because functions cannot be sent to other threads.
 *
 * The Everyday world is not part of `src`: its sources are in `worlds/everyday` and use only the public exports of the
 * package. So its build in `worlds/everyday/dist` is loaded, whether this file runs from `src` or from `dist`.
 */

/** The module of a built-in world, and a summary of one line. */
export interface BuiltInWorld {
  readonly url: URL;
  readonly summary: string;
}

const everydayWorld = (path: string, summary: string): BuiltInWorld => ({
  url: new URL(`../../worlds/everyday/dist/${path}.js`, import.meta.url),
  summary,
});

const errandsWorld = (steps: number) =>
  everydayWorld(
    `errands/sets/errands-${steps}`,
    `Errands of ${steps === 1 ? "one step" : `${steps} steps`}.`,
  );

/** The built-in worlds by name. */
export const builtInWorlds: { readonly [name: string]: BuiltInWorld } = {
  everyday: everydayWorld(
    "everyday",
    "Fourteen apps of daily life, whose owner has years of data, and goals of many parts.",
  ),
  "everyday/errands": everydayWorld(
    "errands",
    "Errands of all lengths, whose steps depend on each other.",
  ),
  "everyday/errands-1": errandsWorld(1),
  "everyday/errands-2": errandsWorld(2),
  "everyday/errands-3": errandsWorld(3),
  "everyday/errands-4": errandsWorld(4),
  "everyday/errands-5": errandsWorld(5),
  "everyday/errands-6": errandsWorld(6),
  "everyday/live": everydayWorld(
    "live",
    "Long tasks among people who answer, decline, are late and change their minds.",
  ),
  "everyday/starter": everydayWorld(
    "starter",
    "A small everyday world for models that are trained from scratch.",
  ),
  toy: {
    url: new URL("./toy/toy.ts", import.meta.url),
    summary: "Things in boxes, the smallest world, for smoke tests.",
  },
};

/** Returns the URL of the module that plays the world of these hosts. */
export function urlOfRemoteWorld(hosts: readonly string[]): URL {
  const url = new URL("./openenv/openenv.ts", import.meta.url);
  for (const host of hosts) url.searchParams.append("host", host);
  return url;
}
