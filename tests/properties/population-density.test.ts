/** Checks that every world can be populated and has tasks at any value of the dial `distractors`. */

import { describe, expect, test } from "vitest";
import { THIS_CALL } from "../../src/core/index.ts";
import { loadDefinition, WorldInstance } from "../../src/world/episode/index.ts";
import { distinctWorlds } from "../support/distinct-worlds.ts";

const DENSITIES = [0, 0.5, 2, 10];

const worlds = await Promise.all(
  distinctWorlds.map(async ([name, url]) => {
    return { name, definition: await loadDefinition(url.href, THIS_CALL) };
  }),
);

describe.each(worlds)("$name", ({ definition }) => {
  test.each(DENSITIES)(
    "the world can be populated and has tasks when the dial distractors is %d",
    (distractors) => {
      const world = new WorldInstance(definition, 1, { distractors });
      const [task] = world.tasks("train", 1);
      expect(world.prepareTask(task!.id).checks).toBeDefined();
    },
  );
});
