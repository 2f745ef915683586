/** Adds an API that never returns to a world, for tests of the watchdog. */
import { z } from "zod";
import { defineApi, defineApp, defineWorld, type WorldDefinition } from "../../src/world/index.ts";

const waiting = defineApp({
  name: "waiting",
  summary: "A room in which nothing happens.",
  tables: [],
  apis: {
    forever: defineApi({
      summary: "Wait for ever.",
      params: z.strictObject({}),
      returns: z.null(),
      handler: () => {
        for (;;);
      },
    }),
  },
});

/** Returns the world with the app `waiting`, whose API `forever` never returns. */
export const addEndlessApi = (world: WorldDefinition): WorldDefinition =>
  defineWorld({ ...world, apps: [...world.apps, waiting] });

/** A cell that calls the endless API, also when the world lets calls fail at random. */
export const STUCK = "for (;;) try { apis.waiting.forever() } catch {}";
