/**
 * Runs the examples that `docs.showApi` prints, each in a fresh episode after the login that its app needs. A world
 * that has examples has an example for every API.
 */

import { beforeAll, describe, expect, test } from "vitest";
import { THIS_CALL } from "../../src/core/index.ts";
import { LiveEpisode, loadDefinition, WorldInstance } from "../../src/world/episode/index.ts";
import { createSandbox, type Sandbox } from "../../src/world/sandbox/index.ts";
import { distinctWorlds } from "../support/distinct-worlds.ts";

const worlds = await Promise.all(
  distinctWorlds.map(async ([name, url]) => {
    const world = new WorldInstance(await loadDefinition(url.href, THIS_CALL), 1, { logins: true });
    return { name, world };
  }),
);

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox();
});

/** Runs cells in a fresh episode and returns the observation of the last one. */
async function runInNewEpisode(world: WorldInstance, ...cells: string[]): Promise<string> {
  const [task] = world.tasks("train", 1);
  const episode = LiveEpisode.open(world, sandbox, task!.id);
  let text = "";
  for (const cell of cells) text = (await episode.step(cell)).text;
  episode.close();
  return text;
}

async function readLoginCells(world: WorldInstance, app: string): Promise<string[]> {
  if (!world.dispatcher.appsWithLogin.has(app)) return [];
  return [await readExample(world, app, "login")];
}

function readExample(world: WorldInstance, app: string, api: string): Promise<string> {
  return runInNewEpisode(
    world,
    `print(apis.docs.showApi({ app: "${app}", api: "${api}" }).example ?? "none")`,
  );
}

describe.each(worlds)("$name", ({ world }) => {
  const apps = world.definition.apps.map(({ name }) => name);

  test.runIf(world.definition.examples).each(apps)(
    "every API example of %s runs as printed",
    async (app) => {
      const failed: string[] = [];
      const login = await readLoginCells(world, app);
      for (const api of world.dispatcher.apiNames[app]!) {
        const example = await readExample(world, app, api);
        const output = await runInNewEpisode(world, ...login, `${example}; print("done")`);
        if (output !== "done") failed.push(`${app}.${api}: ${example}: ${output}`);
      }
      expect(failed).toEqual([]);
    },
  );

  test.runIf(!world.definition.examples)(
    "docs.showApi prints no example in a world without examples",
    async () => {
      expect(await readExample(world, apps[0]!, world.dispatcher.apiNames[apps[0]!]![0]!)).toBe(
        "none",
      );
    },
  );
});
