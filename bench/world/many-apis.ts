/**
 * The starter world with as many APIs in `apis` as the full Everyday world has: what the mere number of APIs costs an image, a boot and an episode.
 *
 *   bowline bench world --world bench/world/many-apis.ts
 *
 * Its own seven apps work as they do in `everyday/starter`, on the same tasks; the others are never called.
 */
import { z } from "zod";
import { type App, defineApi, defineApp, defineWorld } from "../../src/world/index.ts";
import everyday from "../../worlds/everyday/everyday.ts";
import starter from "../../worlds/everyday/starter.ts";

const AN_APP = 24;

const countOf = (apps: readonly App[]) =>
  apps.reduce((sum, { apis }) => sum + Object.keys(apis).length, 0);
const missing = countOf(everyday.apps) - countOf(starter.apps);

function idleApp(app: number, size: number): App {
  const apis = Array.from({ length: size }, (_, i) => [`doSomethingNumber${i}`, idleApi(i)]);
  return defineApp({
    name: `idle${app}`,
    summary: `The app number ${app} that nobody calls.`,
    tables: [],
    apis: Object.fromEntries(apis),
  });
}

function idleApi(index: number) {
  return defineApi({
    summary: `Does nothing, in the way number ${index}.`,
    params: z.strictObject({ id: z.int().min(1).describe("id of nothing") }),
    returns: z.strictObject({ id: z.int() }),
    handler: (_, { id }) => ({ id }),
  });
}

const idle = Array.from({ length: Math.ceil(missing / AN_APP) }, (_, app) =>
  idleApp(app, Math.min(AN_APP, missing - app * AN_APP)),
);

export default defineWorld({
  ...starter,
  name: "everyday/many-apis",
  apps: [...starter.apps, ...idle],
});
