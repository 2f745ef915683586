/**
 * The worlds that come with the package. They are loaded by URL, because functions cannot cross threads.
 *
 * The Everyday world is a guest: its sources are in `worlds/everyday` and use only the package's public doors, so it is
 * loaded as it was built, from `worlds/everyday/dist`, whether this file runs from `src` or from `dist`.
 */
export interface BuiltInWorld {
  readonly url: URL;
  readonly summary: string;
}

const everyday = (path: string, summary: string): BuiltInWorld => ({
  url: new URL(`../../worlds/everyday/dist/${path}.js`, import.meta.url),
  summary,
});

const errandsOf = (steps: number) =>
  everyday(
    `errands/sets/errands-${steps}`,
    `Errands of ${steps === 1 ? "one step" : `${steps} steps`}.`,
  );

export const builtInWorlds: { readonly [name: string]: BuiltInWorld } = {
  everyday: everyday(
    "everyday",
    "Fourteen apps of daily life, one owner with a past, goals from a full algebra.",
  ),
  "everyday/errands": everyday(
    "errands",
    "Errands of all lengths, whose steps depend on each other.",
  ),
  "everyday/errands-1": errandsOf(1),
  "everyday/errands-2": errandsOf(2),
  "everyday/errands-3": errandsOf(3),
  "everyday/errands-4": errandsOf(4),
  "everyday/errands-5": errandsOf(5),
  "everyday/errands-6": errandsOf(6),
  "everyday/starter": everyday(
    "starter",
    "The small everyday world for models that are trained from nothing.",
  ),
  toy: {
    url: new URL("./toy/toy.ts", import.meta.url),
    summary: "Things in boxes: the smallest world, for smoke tests.",
  },
};
