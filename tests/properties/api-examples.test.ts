/**
 * Documentation can be trusted: the example that `docs.showApi` prints runs as it stands, in an episode where nothing
 * happened but the login that its app asks for. A world that promises examples has one for every API.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { LiveEpisode, loadDefinition, WorldInstance } from "../../src/world/episode/index.ts";
import { createSandbox, type Sandbox } from "../../src/world/sandbox/index.ts";
import { distinctWorlds } from "../support/distinct-worlds.ts";

const worlds = await Promise.all(
  distinctWorlds.map(async ([name, url]) => {
    const world = new WorldInstance(await loadDefinition(url.href), 1, { logins: true });
    return { name, world };
  }),
);

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox();
});

/** Runs cells in a fresh episode; gives what the last one printed, or how it failed. */
async function tell(world: WorldInstance, ...cells: string[]): Promise<string> {
  const [task] = world.tasks("train", 1);
  const episode = LiveEpisode.open(world, sandbox, task!.id);
  let text = "";
  for (const cell of cells) text = (await episode.step(cell)).text;
  episode.close();
  return text;
}

async function loginTo(world: WorldInstance, app: string): Promise<string[]> {
  if (!world.dispatcher.appsWithLogin.has(app)) return [];
  return [await exampleOf(world, app, "login")];
}

function exampleOf(world: WorldInstance, app: string, api: string): Promise<string> {
  return tell(
    world,
    `print(apis.docs.showApi({ app: "${app}", api: "${api}" }).example ?? "none")`,
  );
}

describe.each(worlds)("$name", ({ world }) => {
  const apps = world.definition.apps.map(({ name }) => name);

  test.runIf(world.definition.examples).each(apps)(
    "every example of %s runs as printed",
    async (app) => {
      const wrong: string[] = [];
      const login = await loginTo(world, app);
      for (const api of world.dispatcher.apiNames[app]!) {
        const example = await exampleOf(world, app, api);
        const said = await tell(world, ...login, `${example}; print("done")`);
        if (said !== "done") wrong.push(`${app}.${api}: ${example}: ${said}`);
      }
      expect(wrong).toEqual([]);
    },
  );

  test.runIf(!world.definition.examples)("prints no examples", async () => {
    expect(await exampleOf(world, apps[0]!, world.dispatcher.apiNames[apps[0]!]![0]!)).toBe("none");
  });
});
