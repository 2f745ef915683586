import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { THIS_CALL } from "../../core/index.ts";
import { methods } from "../../methods/index.ts";
import { configFields } from "./config.ts";
import {
  listNamedModules,
  listNamedServers,
  MODULE_FIELDS,
  requireTrustedFields,
  requireTrustedModules,
} from "./module-fields.ts";
import { resolveNamedWorld } from "./resolve-world.ts";

const SOURCES = fileURLToPath(new URL("../../", import.meta.url));

describe("the fields that may name a module", () => {
  test("are all fields whose description or type says so", () => {
    const described = Object.values(methods)
      .flatMap((method) => configFields(method))
      .filter(({ description, expected }) => /\bmodules?\b/i.test(`${description} ${expected}`))
      .map(({ path }) => path)
      // Values for a module, and names of a model's layers.
      .filter((path) => path !== "engine.options" && !path.startsWith("engine.lora."));
    expect(MODULE_FIELDS.filter((field) => field !== "method")).toEqual(
      expect.arrayContaining([...new Set(described)]),
    );
  });

  test("are listed by the rules of what loads them", () => {
    const config = {
      method: "./m.mjs",
      world: { name: "everyday/starter" },
      engine: { name: "onnx" },
      scaffold: { name: "/s.ts" },
      algo: { taskSampling: "uniform" },
      extensions: { rewards: ["cost"], filters: [] },
      participants: { user: "reminder", judge: "reminder" },
    };
    expect(listNamedModules(config)).toEqual([
      { field: "method", path: resolve("m.mjs") },
      { field: "scaffold.name", path: resolve("/s.ts") },
      { field: "extensions.rewards", path: resolve("cost") },
      { field: "participants.judge", path: resolve("reminder") },
    ]);
    for (const other of [undefined, null, 1, "x", [], { world: null }, { world: { name: 1 } }]) {
      expect(listNamedModules(other)).toEqual([]);
    }
  });
});

describe("the fields that may name a server", () => {
  const config = {
    engine: { url: "http://127.0.0.1:1" },
    world: { name: "openenv:http://127.0.0.1:2,http://127.0.0.1:3" },
  };

  test("are the URL of an engine and the hosts of a world, which may be written wrongly", () => {
    expect(listNamedServers(config)).toEqual([
      { field: "engine.url", url: "http://127.0.0.1:1" },
      { field: "world.name", url: "http://127.0.0.1:2" },
      { field: "world.name", url: "http://127.0.0.1:3" },
    ]);
    expect(listNamedServers({ world: { name: "openenv:?" } })).toEqual([
      { field: "world.name", url: "?" },
    ]);
    for (const other of [undefined, 1, { world: { name: "toy" } }, { engine: { url: null } }]) {
      expect(listNamedServers(other)).toEqual([]);
    }
  });

  test("are refused when a file names them and nobody trusts them", () => {
    const origin = { by: "file", file: "runs/x/run.json", subject: "runs/x" } as const;
    const { world } = config;
    const message = /^world\.name: runs\/x\/run\.json names the server http:\/\/127\.0\.0\.1:2/;
    expect(() => requireTrustedModules({ world }, origin)).toThrow(message);
    expect(() => requireTrustedFields([["world.name", world.name]], origin)).toThrow(message);
    expect(() => resolveNamedWorld(world.name, origin)).toThrow(message);
    expect(resolveNamedWorld(world.name, THIS_CALL).url).toContain("host=");
  });
});

test("no source loads a module past the door", () => {
  const loaders = readdirSync(SOURCES, { recursive: true })
    .map((name) => String(name).replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .filter((name) => /\bloadModule\(/.test(readFileSync(join(SOURCES, name), "utf8")));
  expect(loaders.sort()).toEqual([
    // It measures the world that its command names.
    "bench/world-latency.ts",
    "core/load-module.ts",
    "core/trust/load-user-module.ts",
  ]);
});
