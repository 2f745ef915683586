/**
 * Checks `examples/scale` as far as that goes without Docker and a cluster: hosts start by the command of the files, the
 * health check of the Compose file passes, and the controller's names of hosts, seeds and scenarios agree with them.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { resolveConfig } from "../../src/train/index.ts";
import { namesHosts, readHostAddresses, remoteWorld, resolveDials } from "../../src/world/index.ts";
import { ROOT } from "../e2e/support/cli.ts";
import { withServer } from "../e2e/support/with-server.ts";

const read = (name: string) => readFileSync(join(ROOT, "examples/scale", name), "utf8");
const FILES = [
  ["compose.yaml", "command"],
  ["kubernetes.yaml", "args"],
] as const;

/** Reads the lists of words that stand in JSON's form after a field. */
function readLists(file: string, field: string): string[][] {
  const lists = read(file).matchAll(new RegExp(`^ *${field}: (\\[[^\\]]*\\])`, "gm"));
  return [...lists].map(([, list]) => JSON.parse(list!) as string[]);
}

const optionValue = (words: readonly string[], option: string) => words[words.indexOf(option) + 1]!;

describe.each(FILES)("%s", (file, field) => {
  const [host, controller] = readLists(file, field) as [string[], string[]];

  test("names as many hosts as it starts, and they serve what the controller trains on", () => {
    const world = optionValue(controller, "--world");
    expect(namesHosts(world)).toBe(true);
    const hosts = readHostAddresses(world).map((url) => new URL(url));
    expect(hosts.map(({ port }) => port)).toEqual(hosts.map(() => optionValue(host, "--port")));
    const named = hosts.map(({ hostname }) => hostname.split(".")[0]);
    expect(named).toEqual(["world-0", "world-1", "world-2"]);
    const config = resolveConfig({ recipe: controller[1]!, overrides: { "world.name": world } });
    expect(config.world.seed).toBe(Number(optionValue(host, "--seed")));
    const listed = Number(optionValue(host, "--scenarios"));
    expect(listed).toBeGreaterThanOrEqual(config.world.trainScenarios);
    expect(listed).toBeGreaterThanOrEqual(config.evaluation.scenarios);
  });

  test("has the same host and the same kind of controller as the other file", () => {
    const others = FILES.map(([name, words]) => readLists(name, words)[0]);
    expect(others).toEqual([host, host]);
  });

  // The parser of YAML belongs to Python, because no package of the project has one.
  test.skipIf(!process.env["BOWLINE_PYTHON"])("is YAML (needs BOWLINE_PYTHON with PyYAML)", () => {
    const program =
      "import json, sys, yaml; print(json.dumps(list(yaml.safe_load_all(sys.stdin))))";
    const printed = execFileSync(process.env["BOWLINE_PYTHON"]!, ["-c", program], {
      input: read(file),
    });
    const documents = JSON.parse(String(printed)) as { services?: object; kind?: string }[];
    expect(documents.map(({ kind, services }) => kind ?? Object.keys(services!))).toEqual(
      file === "compose.yaml"
        ? [["world-0", "world-1", "world-2", "controller"]]
        : ["Service", "StatefulSet", "PersistentVolumeClaim", "Job"],
    );
  });
});

test("a host that is started by the command becomes healthy, and a remote world plays on it", async () => {
  const [host] = readLists("compose.yaml", "command") as [string[]];
  const check = readLists("compose.yaml", "test")[0]!;
  const words = host.slice(1).map((word) => (word === "0.0.0.0" ? "127.0.0.1" : word));
  words[words.indexOf("--port") + 1] = "0";
  // Listing all tasks takes most of the time of a start, so this host lists few.
  words[words.indexOf("--scenarios") + 1] = "2";
  const key = "a key for this test";
  await withServer<{ readonly url: string }>(
    words,
    async ({ url }) => {
      const [, node, option, program] = check as [string, string, string, string];
      const isHealthy = (address: string) =>
        spawnSync(node, [option, program.replace("http://127.0.0.1:8129", address)]).status;
      expect([isHealthy(url), isHealthy("http://127.0.0.1:9")]).toEqual([0, 1]);
      const definition = remoteWorld({ hosts: [url], key });
      const world = await definition.openWorld({ seed: 1, dials: resolveDials({}) });
      expect(world.splits).toEqual(["train", "dev", "test-normal"]);
      const [task] = world.tasks("train", 2);
      const episode = await world.open(task!.id);
      expect((await episode.step("print(1 + 1)")).text).toBe("2");
      await episode.close();
      await world.close();
    },
    { BOWLINE_OPENENV_KEY: key },
  );
}, 120_000);
