/** Plays three MCP servers of other people, by the worlds of `examples/mcp`, and checks that no server is left. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OpenedWorld } from "../../src/world/index.ts";
import { openWorld } from "../../src/world/index.ts";
import { ROOT } from "../e2e/support/cli.ts";
import { installPackages, MISSING_PACKAGES } from "./support/install-packages.ts";

const FOLDER = join(ROOT, "tests/slow/mcp-servers");
const hasServers = await installPackages(FOLDER, "@modelcontextprotocol/server-memory");
if (!hasServers) console.warn(MISSING_PACKAGES);

describe.skipIf(!hasServers).each(["memory", "filesystem", "everything"])(
  "the server %s",
  (name) => {
    let world: OpenedWorld;

    beforeAll(async () => {
      process.env["MCP_SERVERS"] = FOLDER;
      const url = pathToFileURL(join(ROOT, "examples/mcp", `${name}.ts`)).href;
      world = await openWorld(url, { seed: 1 });
    });
    afterAll(() => world?.close());

    test("has tasks whose solutions pass and that doing nothing fails", async () => {
      for (const { id } of world.tasks("train", 2)) {
        const report = await world.check(id);
        expect(report).toMatchObject({ task: id, solutionPass: true, noopFail: true });
        expect(report.unsteady).toBeUndefined();
      }
    });

    test("gives a fork the same state", async () => {
      const [task] = world.tasks("train", 1);
      const { turns } = await world.demonstrate(task!.id, "careful", 1);
      const episode = await world.open(task!.id);
      await episode.step(turns[0]!.code);
      const fork = await episode.fork();
      for (const { code } of turns.slice(1)) {
        const there = await fork.step(code);
        expect(await episode.step(code)).toEqual(there);
      }
      expect(await fork.evaluate()).toEqual(await episode.evaluate());
      expect((await fork.evaluate()).passed).toBe(true);
      await Promise.all([episode.close(), fork.close()]);
    });
  },
);
