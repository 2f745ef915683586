/**
 * Defines the starter world with as many APIs as the full Everyday world, to measure the cost of their number.
 *
 * bowline bench world --world bench/world/many-apis.ts
 *
 * The world has the seven apps and the tasks of `everyday/starter`. Further apps only add APIs, which are never called.
 */
import { z } from "zod";
import { type App, defineApi, defineApp, defineWorld } from "../../src/world/index.ts";
import everyday from "../../worlds/everyday/everyday.ts";
import starter from "../../worlds/everyday/starter.ts";

const APIS_PER_APP = 24;

const countApis = (apps: readonly App[]) =>
  apps.reduce((sum, { apis }) => sum + Object.keys(apis).length, 0);
const missingApis = countApis(everyday.apps) - countApis(starter.apps);

function createIdleApp(app: number, size: number): App {
  const apis = Array.from({ length: size }, (_, i) => [`doSomethingNumber${i}`, createIdleApi(i)]);
  return defineApp({
    name: `idle${app}`,
    summary: `The app number ${app} that nobody calls.`,
    tables: [],
    apis: Object.fromEntries(apis),
  });
}

function createIdleApi(index: number) {
  return defineApi({
    summary: `Does nothing, in the way number ${index}.`,
    params: z.strictObject({ id: z.int().min(1).describe("id of nothing") }),
    returns: z.strictObject({ id: z.int() }),
    handler: (_, { id }) => ({ id }),
  });
}

const idleApps = Array.from({ length: Math.ceil(missingApis / APIS_PER_APP) }, (_, app) =>
  createIdleApp(app, Math.min(APIS_PER_APP, missingApis - app * APIS_PER_APP)),
);

export default defineWorld({
  ...starter,
  name: "everyday/many-apis",
  apps: [...starter.apps, ...idleApps],
});
